import type { ProcessParts } from './process-context.ts';

/** Milliseconds between checks. */
const lookMs = 60_000;
/** Slack rejects signatures older than this; expiry and due times would be off by as much. */
const wrongMs = 5 * 60_000;

/** Warns when the database's time, which everything uses, differs from Slack's; the bot is not ready while it does. */
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
