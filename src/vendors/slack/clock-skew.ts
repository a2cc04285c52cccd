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
