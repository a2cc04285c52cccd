import { setTimeout as pause } from 'node:timers/promises';

export interface Pace {
  readonly perSecond: number;
  readonly seconds: number;
}

export function callsAt({ perSecond, seconds }: Pace): number {
  return Math.round(perSecond * seconds);
}

/**
 * Makes calls at a fixed rate, whether or not earlier ones have ended. Resolves with the milliseconds from each call's
 * due time to its end, so a bot that stalls cannot hide it by delaying the next ones.
 */
export async function atPace(pace: Pace, call: () => Promise<unknown>): Promise<number[]> {
  const from = performance.now();
  const times: Promise<number>[] = [];
  for (let nth = 0; nth < callsAt(pace); nth += 1) {
    const due = from + (nth * 1_000) / pace.perSecond;
    while (performance.now() < due) await pause(Math.max(0, due - performance.now()));
    times.push(call().then(() => performance.now() - due));
  }
  return Promise.all(times);
}
