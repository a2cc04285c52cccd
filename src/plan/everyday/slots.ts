import { z } from 'zod';
import { fieldInfo, type TargetKind, unwrap } from '../../core/fields.ts';
import type { Manifest } from '../../core/manifest.ts';
import { clockOf } from './forms.ts';
import type { Token } from './tokens.ts';

/** The kind of value an argument takes, from its schema. */
export type Slot = TargetKind | 'text' | 'time' | 'duration' | 'number' | 'choice';

const slots = new WeakMap<Manifest, ReadonlyMap<string, Slot>>();

/** The arguments of a tool and the kind of each. */
export function slotsOf(manifest: Manifest): ReadonlyMap<string, Slot> {
  const known =
    slots.get(manifest) ??
    new Map(Object.entries(manifest.args.shape).map(([name, schema]) => [name, slotFor(schema)]));
  slots.set(manifest, known);
  return known;
}

function slotFor(schema: z.core.$ZodType): Slot {
  const { kind, target, time } = fieldInfo(schema);
  if (target !== undefined) return target;
  if (time !== undefined) return time === 'length' ? 'duration' : 'time';
  const inner = unwrap(schema);
  if (inner instanceof z.ZodEnum) return 'choice';
  return kind === 'text' || inner instanceof z.ZodString ? 'text' : 'number';
}

/** Slots that span several tokens. */
export const isSpan = (slot: Slot): boolean => slot === 'text' || slot === 'transition';

const namable = new Set<Token['kind']>([
  'word',
  'capitals',
  'hyphened',
  'code',
  'quoted word',
  'issue',
  'incident',
  'number',
  'severity',
]);

/** The value of a token for a slot; undefined if it has none. */
export function valueAt(slot: Slot, arg: string, token: Token): string | number | undefined {
  const { kind, values, names, raw } = token;
  if (kind === 'section') return undefined;
  if (kind === 'old')
    return values.arg === arg || (isSpan(slot) && values.arg !== 'when') ? values.text : undefined;
  if (isSpan(slot)) return raw;
  const word = kind === 'quoted word' ? (values.text ?? raw) : raw;
  switch (slot) {
    case 'duration':
      return values.duration;
    case 'time':
      return values.time ?? (/^\d{1,2}$/u.test(raw) && Number(raw) < 24 ? clockOf(raw) : undefined);
    case 'number':
      return values.number;
    case 'severity':
      return (
        values.priority ??
        (values.number !== undefined && values.number <= 5 ? `P${values.number}` : undefined)
      );
    case 'incident':
      // “one of those two” names none.
      if (values.number !== undefined && !/\d/u.test(raw)) return undefined;
      return kind === 'incident' || kind === 'number'
        ? String(values.number ?? word)
        : namable.has(kind)
          ? (names.service ?? word)
          : undefined;
    case 'channel':
      // "OPS" is the project, also where a channel is called #ops.
      if (kind === 'capitals' && names.project !== undefined) return undefined;
      return names.channel ?? (kind === 'channel' ? raw : namable.has(kind) ? `#${word}` : undefined);
    case 'user':
      return (
        names.user ?? (kind === 'person' ? raw : namable.has(kind) ? `@${word.toLowerCase()}` : undefined)
      );
    case 'issue':
      return /^[a-z][a-z0-9_]+-\d+$/iu.test(word) ? word.toUpperCase() : undefined;
    case 'project':
      return (
        names.project ??
        (namable.has(kind) && /^[a-z][a-z0-9_]+$/iu.test(word) ? word.toUpperCase() : undefined)
      );
    case 'space':
      return namable.has(kind) ? word.toUpperCase() : undefined;
    case 'service':
      return (
        names.service ?? (namable.has(kind) || kind === 'channel' || kind === 'person' ? word : undefined)
      );
    default:
      return undefined;
  }
}
