import type { BusinessHours } from './business-hours.ts';
import type { QueryBook } from './queries/bind.ts';

/**
 * The systems that tools may reach, split by effect. Read tools get `Readers` and nothing else, so a read that tries to write does
 * not type-check. Each vendor adds its own in `vendors/<name>/port.ts`; nothing here knows one.
 */

export interface SlaReader {
  /** Time allowed for resolving, and the hours in which it counts (null: around the clock); null when nothing is agreed. */
  resolution(project: string, priority: string): { ms: number; hours: BusinessHours | null } | null;
  /** The agreed limit, or null when none is configured. */
  threshold(project: string, priority: string): { maxOpen: number; resolveWithin: string | null } | null;
}

export interface Readers {
  /** `zone`: IANA time zone for times given without one. */
  readonly calendar: { readonly zone: string };
  readonly sla: SlaReader;
  /** The operator's vetted queries. */
  readonly queries: QueryBook;
}

// biome-ignore lint/suspicious/noEmptyInterface: every writer belongs to a vendor, which adds it here
export interface Writers {}
