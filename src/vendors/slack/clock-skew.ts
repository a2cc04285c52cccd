import type { Log } from '../../core/log.ts';

/** Slack's clock, from its responses: message timestamps are Slack's, and nothing in Socket Mode compares clocks. */
export interface SlackClock {
  /** Converts a moment of our clock to Slack's. */
  at(moment: Date): Date;
  now(): Date;
  /** Milliseconds by which our clock is ahead of Slack's, negative when it is behind; 0 before the first response. */
  aheadMs(): number;
  /** A fetch that records the date of every response. */
  readonly fetch: typeof globalThis.fetch;
}

export function createSlackClock(fetch: typeof globalThis.fetch, now: () => Date): SlackClock {
  let offsetMs = 0;
  const at = (moment: Date): Date => new Date(moment.getTime() + offsetMs);
  return {
    at,
    now: () => at(now()),
    aheadMs: () => -offsetMs,
    fetch: async (...request) => {
      const response = await fetch(...request);
      const date = Date.parse(response.headers.get('date') ?? '');
      if (!Number.isNaN(date)) offsetMs = date - now().getTime();
      return response;
    },
  };
}

/** Milliseconds between checks. */
const lookMs = 60_000;
/** Slack rejects signatures older than this; expiry and due times would be off by as much. */
const wrongMs = 5 * 60_000;

/** Warns when our clock, the database's, differs from Slack's. Returns how it does now, or null. */
export function watchClock(
  aheadMs: () => number,
  { log, repeat }: { log: Log; repeat: (ms: number, round: () => Promise<void>) => void },
): () => string | null {
  const wrong = (): string | null => {
    const ahead = aheadMs();
    if (Math.abs(ahead) < wrongMs) return null;
    return `${Math.round(Math.abs(ahead) / 60_000)} minutes ${ahead > 0 ? 'ahead of' : 'behind'} Slack’s`;
  };
  let reported: string | null = null;
  repeat(lookMs, async () => {
    const now = wrong();
    if (now !== null && now !== reported) log.error({ clock: now }, wrongClock);
    reported = now;
  });
  return wrong;
}

const wrongClock =
  'The clock of the machine with the database is wrong: set it, and keep it right with NTP. Cards expire and schedules fire by it';
