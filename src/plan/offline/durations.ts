import { durationMs } from '../../core/duration.ts';

/** Minutes of an ISO 8601 duration; 0 for what is none. */
export const minutesOf = (iso: string): number => Math.ceil((durationMs(iso) ?? 0) / 60_000);
