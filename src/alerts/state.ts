import type { AlertRow } from '../store/tables.ts';

/** Milliseconds without a report after which a firing alert counts as over: the report of its end was lost. */
export const staleMs = 24 * 3_600_000;

export interface Counted {
  readonly firing: readonly AlertRow[];
  readonly over: readonly AlertRow[];
  /** Firing by its last report, which is older than that. */
  readonly lost: readonly AlertRow[];
}

export function counted(alerts: readonly AlertRow[], now: Date): Counted {
  const isHeard = ({ heardAt }: AlertRow) => now.getTime() - heardAt.getTime() < staleMs;
  const firing = alerts.filter(({ state }) => state === 'firing');
  return {
    firing: firing.filter(isHeard),
    over: alerts.filter(({ state }) => state === 'resolved'),
    lost: firing.filter((row) => !isHeard(row)),
  };
}
