/** Slack's clock as its answers tell it: message timestamps are Slack's, and nothing in Socket Mode compares clocks. */
export interface SlackClock {
  /** A moment of our clock, on Slack's. */
  at(moment: Date): Date;
  now(): Date;
  /** Milliseconds that our clock is ahead of Slack's, negative when it is behind; 0 while Slack has said nothing. */
  aheadMs(): number;
  /** A fetch that notes the date of every answer. */
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
