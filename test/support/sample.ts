import { z } from 'zod';
import { fieldInfo, type TargetKind, unwrap } from '../../src/core/fields.ts';
import type { Manifest } from '../../src/core/manifest.ts';

/** Text as somebody writes it who wants it to be more than text. */
export const nastyText =
  'OPS-1 <!channel> <@U0ANA> @here <https://evil.example|click> https://evil.example/x \u202E *b* “”';

const targets: Record<TargetKind, string> = {
  service: 'ops',
  project: 'OPS',
  issue: 'OPS-12',
  incident: 'Q1ABC2',
  channel: '#ops',
  user: '@ana',
  transition: 'Done',
  severity: 'P1',
  space: 'OPS',
};

/** A value that a field takes, with nasty words where it takes words and a strange host where it takes an address. */
function sample(schema: z.core.$ZodType): unknown {
  const inner = unwrap(schema);
  const { target, address, time } = fieldInfo(inner);
  if (inner instanceof z.ZodArray) return [sample(inner.element), sample(inner.element)];
  if (inner instanceof z.ZodObject) return sampleOf(inner);
  if (inner instanceof z.ZodEnum) return inner.options[0];
  if (inner instanceof z.ZodLiteral) return inner.value;
  if (inner instanceof z.ZodBoolean) return true;
  if (inner instanceof z.ZodNumber) return Math.max(3, inner.minValue ?? 0);
  if (target !== undefined) return targets[target];
  if (time) return time === 'length' ? '2h' : 'last week';
  if (address === true) return 'https://evil.example/x';
  return nastyText.slice(0, inner instanceof z.ZodString ? (inner.maxLength ?? 100) : 100);
}

export function sampleOf(schema: z.ZodObject): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schema.shape).map(([name, field]) => [name, sample(field)]));
}

/** Arguments that a tool takes: of those that exclude each other the first. */
export function sampleArgs({ args, exactlyOne }: Manifest): Record<string, unknown> {
  const left = new Set(exactlyOne.flatMap((names) => names.slice(1)));
  return Object.fromEntries(Object.entries(sampleOf(args)).filter(([name]) => !left.has(name)));
}
