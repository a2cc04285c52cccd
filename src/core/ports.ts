import type { BusinessHours } from './business-hours.ts';
import type { QueryBook } from './queries/bind.ts';

/**
 * What tools may reach, split by effect. Read tools are handed `Readers` and nothing else, so that a read which wants
 * to write does not type-check. Each vendor adds its own from `vendors/<name>/port.ts`; nothing here knows one.
 */

export interface SlaReader {
  /** How long resolving may take, and when that time runs (null: day and night); null when nothing is agreed. */
  resolution(project: string, priority: string): { ms: number; hours: BusinessHours | null } | null;
  /** The agreed limit, or null when none is configured. */
  threshold(project: string, priority: string): { maxOpen: number; resolveWithin: string | null } | null;
}

export interface Readers {
  /** `zone`: IANA time zone of times that are said without one. */
  readonly calendar: { readonly zone: string };
  readonly sla: SlaReader;
  /** The operator's vetted queries. */
  readonly queries: QueryBook;
}

// biome-ignore lint/suspicious/noEmptyInterface: every writer belongs to a vendor, which adds it here
export interface Writers {}
