import { z } from 'zod';
import { parseJson } from '../core/json.ts';

const maxLength = 500;

/** The revision a button or modal belongs to. It comes back with the click and is compared, never trusted. */
const schema = z.strictObject({
  /** Request id. */
  r: z.string().min(1).max(100),
  /** Revision number. */
  n: z.int().min(1).max(1_000_000),
  /** Full digest. */
  d: z.string().regex(/^[0-9a-f]{64}$/),
  /** Step shown in a modal. */
  s: z.string().max(40).optional(),
});

export interface CardRef {
  readonly requestId: string;
  readonly number: number;
  readonly digest: string;
  readonly step?: string;
}

/** A revision's reference and digest, or a loaded revision. */
type Named =
  | Omit<CardRef, 'step'>
  | { readonly sealed: Omit<CardRef, 'step' | 'digest'>; readonly digest: string };

export function writeCardRef(of: Named, s?: string): string {
  const { requestId: r, number: n } = 'sealed' in of ? of.sealed : of;
  const { digest: d } = of;
  return JSON.stringify({ r, n, d, ...(s === undefined ? {} : { s }) });
}

const nameOnly = schema.pick({ r: true, n: true });

/** The revision named in a value, whoever wrote it: only for the log, never for a decision. */
export function namedByValue(text: string): Pick<CardRef, 'requestId' | 'number'> | null {
  const value = text.length > maxLength ? null : parseJson(text);
  const parsed = nameOnly.strip().safeParse(value);
  return parsed.success ? { requestId: parsed.data.r, number: parsed.data.n } : null;
}

/** Null for a value we did not write. */
export function readCardRef(text: string): CardRef | null {
  if (text.length > maxLength) return null;
  const parsed = schema.safeParse(parseJson(text));
  if (!parsed.success) return null;
  const { r, n, d, s } = parsed.data;
  return { requestId: r, number: n, digest: d, ...(s === undefined ? {} : { step: s }) };
}
