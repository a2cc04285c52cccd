import type { Now, WorldService } from '../world.ts';

export interface Shift {
  /** PagerDuty user id. */
  readonly user: string;
  readonly start: Date;
  readonly end: Date;
}

const day = 86_400_000;

/** Who is on call for one service. Two people have always taken turns, a day each; `set` adds an override. */
export class Rota {
  readonly #service: WorldService;
  /** End of the shift at the time the sandbox started. */
  readonly #anchor: number;
  #overrides: Shift[] = [];

  constructor(service: WorldService, now: Now) {
    this.#service = service;
    this.#anchor = nextHour(now(), service.handoffHourUtc);
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

/** The next time strictly after `from` when the clock shows this full hour in UTC. */
function nextHour(from: Date, hour: number): number {
  const today = Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), from.getUTCDate(), hour);
  return today > from.getTime() ? today : today + day;
}
