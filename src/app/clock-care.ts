import type { ProcessParts } from './process-parts.ts';

/** Milliseconds between looks. */
const lookMs = 60_000;
/** Slack refuses signatures that are older; what expires and what is due would be wrong by as much. */
const wrongMs = 5 * 60_000;

/** Says when the time that all go by, the database's, is not Slack's, and is not ready while it is so. */
export function careForClock(
  { options: { log }, ops, repeat }: ProcessParts,
  clock: () => { aheadMs(): number } | undefined,
): void {
  const wrong = (): string | null => {
    const aheadMs = clock()?.aheadMs() ?? 0;
    if (Math.abs(aheadMs) < wrongMs) return null;
    return `${Math.round(Math.abs(aheadMs) / 60_000)} minutes ${aheadMs > 0 ? 'ahead of' : 'behind'} Slack’s`;
  };
  ops.readiness.set('clock', wrong);
  let told: string | null = null;
  repeat(lookMs, async () => {
    const now = wrong();
    if (now !== null && now !== told) log.error({ clock: now }, wrongClock);
    told = now;
  });
}

const wrongClock =
  'The clock of the machine with the database is wrong: set it, and keep it right with NTP. Cards expire and schedules fire by it';
