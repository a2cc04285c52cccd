import type { Now, WorldService } from '../world.ts';

export interface Shift {
  /** PagerDuty user id. */
  readonly user: string;
  readonly start: Date;
  readonly end: Date;
}

const hour = 3_600_000;
const day = 24 * hour;
/** No handoff comes closer to the start than this: nobody's shift ends in the middle of a test, or of what was before it. */
const quiet = 2 * hour;

/** Who is on call for one service. Two people have always taken turns, a day each; `set` adds an override. */
export class Rota {
  readonly #service: WorldService;
  /** End of the shift at the time the sandbox started. */
  readonly #anchor: number;
  #overrides: Shift[] = [];

  constructor(service: WorldService, now: Now) {
    this.#service = service;
    this.#anchor = handoffAfter(now().getTime(), service.handoffHourUtc);
  }

  at(moment: Date): Shift {
    const time = moment.getTime();
    const over = this.#overrides.findLast(({ start, end }) => start <= moment && moment < end);
    if (over !== undefined) return over;
    const turn = Math.floor((time - this.#anchor) / day);
    const edges = this.#overrides.flatMap(({ start, end }) => [start.getTime(), end.getTime()]);
    const start = Math.max(this.#anchor + turn * day, ...edges.filter((edge) => edge <= time));
    const end = Math.min(this.#anchor + (turn + 1) * day, ...edges.filter((edge) => edge > time));
    const user = turn % 2 === 0 ? this.#service.next : this.#service.onCall;
    return { user, start: new Date(start), end: new Date(end) };
  }

  /** All shifts that overlap the period from `since` to `until`. */
  between(since: Date, until: Date): readonly Shift[] {
    const shifts = [this.at(since)];
    for (let last = shifts[0]; last !== undefined && last.end.getTime() < until.getTime(); ) {
      last = this.at(last.end);
      shifts.push(last);
    }
    return shifts;
  }

  /** The previous on-call keeps the time until `start`. */
  set(user: string, start: Date, end: Date): void {
    const kept = this.#overrides.map((one) =>
      one.end > start && one.start < start ? { ...one, end: start } : one,
    );
    this.#overrides = [...kept.filter((one) => one.end <= start), { user, start, end }];
  }
}

/** The next time when the clock shows this full hour in UTC, or twelve hours later where that or the last one is near. */
function handoffAfter(start: number, hourUtc: number): number {
  const next = start + day - ((start - hourUtc * hour) % day);
  const isNear = next - start < quiet || start - (next - day) < quiet;
  if (!isNear) return next;
  return next - start < day / 2 ? next + day / 2 : next - day / 2;
}
