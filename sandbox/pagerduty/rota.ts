import type { Now, WorldService } from '../world.ts';

export interface Shift {
  /** PagerDuty user id. */
  readonly user: string;
  readonly start: Date;
  readonly end: Date;
}

const day = 86_400_000;

/** Who is on call for one service. Two people take turns, a day each; `set` gives the present shift away. */
export class Rota {
  readonly #service: WorldService;
  #first: Shift;

  constructor(service: WorldService, now: Now) {
    this.#service = service;
    const end = nextHour(now(), service.handoffHourUtc);
    this.#first = { user: service.onCall, start: new Date(end.getTime() - day), end };
  }

  at(moment: Date): Shift {
    let shift = this.#first;
    while (moment.getTime() >= shift.end.getTime()) {
      const user = shift.user === this.#service.next ? this.#service.onCall : this.#service.next;
      shift = { user, start: shift.end, end: nextHour(shift.end, this.#service.handoffHourUtc) };
    }
    return shift;
  }

  /** All shifts that touch the time from `since` to `until`. */
  between(since: Date, until: Date): readonly Shift[] {
    const shifts = [this.at(since)];
    for (let last = shifts[0]; last !== undefined && last.end.getTime() < until.getTime(); ) {
      last = this.at(last.end);
      shifts.push(last);
    }
    return shifts;
  }

  set(user: string, start: Date, end: Date): void {
    this.#first = { user, start, end };
  }
}

/** The next time the clock shows this full hour UTC, strictly after `from`. */
function nextHour(from: Date, hour: number): Date {
  const today = Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), from.getUTCDate(), hour);
  return new Date(today > from.getTime() ? today : today + day);
}
