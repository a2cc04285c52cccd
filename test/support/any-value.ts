import fc from 'fast-check';
import { z } from 'zod';
import { fieldInfo, type TargetKind, unwrap } from '../../src/core/fields.ts';
import type { ArgValue } from '../../src/core/plan.ts';

/** Words that notation has to be careful with, among any characters at all. */
const tricky = fc.constantFrom(
  '"',
  "'",
  '\\',
  '\\n',
  '\n',
  '\t',
  '\r\n',
  ';',
  ':',
  '#',
  ' # ',
  '=',
  '==',
  ',',
  '[',
  ']',
  '{',
  '}',
  '{count.total}',
  '{count}',
  '{http://ticket.link}',
  '\\{x.y}',
  '“',
  '”',
  '’',
  'it’s',
  '`',
  '```',
  ' ',
  '  ',
  '\u00a0',
  '\u200b',
  '\u202e',
  '\u2028',
  'é',
  'e\u0301',
  '日本',
  '👩‍🚒',
  'when',
  'why:',
  'after: x',
  'page = pagerduty.page',
  '-',
  'true',
  '5',
  'words:',
);
/** Made once, like everything that matches a pattern: each costs milliseconds, and a plan has hundreds of texts. */
const piece = fc.oneof(
  tricky,
  fc.string({ unit: 'binary', maxLength: 4 }),
  fc.stringMatching(/^[a-zA-Z .,-]{1,12}$/),
);

const word = fc.stringMatching(/^[a-z]{1,9}$/);

/** Text of at most `max` characters, most of it awkward. */
export const text = (max: number, min = 0): fc.Arbitrary<string> =>
  fc
    .array(piece, { minLength: min, maxLength: 8 })
    .map((parts) =>
      parts
        .join('')
        .slice(0, max)
        .replace(/[\ud800-\udbff]$/, '')
        .toWellFormed(),
    )
    .filter((made) => made.length >= min);

const targets: Record<TargetKind, fc.Arbitrary<string>> = {
  service: fc.stringMatching(/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,12}$/u),
  project: fc.stringMatching(/^[A-Z][A-Z0-9_]{1,8}$/),
  issue: fc.stringMatching(/^[A-Z][A-Z0-9_]+-\d{1,9}$/),
  incident: fc.stringMatching(/^[A-Za-z0-9]{1,12}$/),
  channel: fc.stringMatching(/^#?[\p{L}\p{N}_.-]{1,12}$/u),
  user: fc.stringMatching(/^@?[\p{L}\p{N}_.-]{1,12}$/u),
  transition: fc.stringMatching(/^[\p{L}\p{N}][\p{L}\p{N} '/_-]{0,12}$/u),
  space: fc.stringMatching(/^~?[A-Za-z0-9_.-]{1,12}$/),
  severity: fc.stringMatching(/^P[1-5]$/),
};

/** A literal that an argument takes. */
export function literal(schema: z.core.$ZodType): fc.Arbitrary<ArgValue> {
  const inner = unwrap(schema);
  const { kind, target, time } = fieldInfo(schema);
  if (target) return targets[target];
  if (time === 'length') return fc.constantFrom('PT30M', '2h', '5 days', 'P1W');
  if (time) return fc.constantFrom('yesterday', 'Last  Week', 'in october', '2026-03-10', 'friday night');
  if (inner instanceof z.ZodEnum) return fc.constantFrom(...inner.options.map(String));
  if (inner instanceof z.ZodBoolean) return fc.boolean();
  if (inner instanceof z.ZodNumber) {
    const { minValue, maxValue } = inner;
    return fc.integer({ min: Math.max(minValue ?? 0, -1e9), max: Math.min(maxValue ?? 1e9, 1e9) });
  }
  const max = inner instanceof z.ZodString ? (inner.maxLength ?? 100) : 100;
  return kind === 'text' ? fc.oneof(text(max, 1), word) : text(max, 1);
}
