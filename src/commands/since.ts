import { durationMs } from '../core/duration.ts';
import { UsageError } from './command.ts';

/** The moment meant by `--since`: a date, or how long ago, such as 30d. */
export function readSince(given: string): Date {
  const ago = durationMs(given);
  const since = ago === null ? new Date(given) : new Date(Date.now() - ago);
  if (Number.isNaN(since.getTime()))
    throw new UsageError(`“${given}” is not a date; 2026-01-31 is one, and 30d is 30 days ago.`);
  return since;
}
