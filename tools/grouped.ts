import { isTime, maxGroups } from '../manifests/group-words.ts';
import { cut, oneLine } from '../src/core/clean-text.ts';
import { thousands } from '../src/core/numbers.ts';

/** One thing that is counted: its group, or its time. */
export interface Counted {
  readonly of: string | Date;
  readonly count: number;
}

interface How {
  readonly by: string;
  readonly zone: string;
  /** The things that are counted: "Tickets". */
  readonly what: string;
}

/** The numbers of each group: the largest first, or by time, where an hour without any is a 0. */
export function grouped(all: readonly Counted[], { by, zone, what }: How) {
  const sums = new Map<string, number>();
  for (const { of, count } of all) {
    const group = of instanceof Date ? spanAt(of, by, zone) : of;
    sums.set(group, (sums.get(group) ?? 0) + count);
  }
  const whole = [...sums.values()].reduce((sum, count) => sum + count, 0);
  const groups = isTime(by)
    ? between([...sums.keys()].toSorted(), by).map((group): [string, number] => [group, sums.get(group) ?? 0])
    : [...sums].toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  return {
    group_columns: [by === 'week' ? 'week from' : by, what, 'share'],
    group_total: groups.length,
    groups: (isTime(by) ? groups.slice(-maxGroups) : groups.slice(0, maxGroups)).map(([group, count]) => ({
      cells: [cut(oneLine(group), 80) || 'none', thousands(count), share(count, whole)],
    })),
  };
}

const share = (count: number, whole: number): string =>
  `${whole === 0 ? 0 : Math.round((count / whole) * 100)} %`;

/** "2026-03-10 14:00", "2026-03-10", the Monday of a week. */
function spanAt(time: Date, by: string, zone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(zone);
  const day = local.toPlainDate();
  if (by === 'week') return day.subtract({ days: day.dayOfWeek - 1 }).toString();
  return by === 'day' ? day.toString() : `${day} ${String(local.hour).padStart(2, '0')}:00`;
}

/** Also the spans between the first and the last in which there was nothing. */
function between(found: readonly string[], by: string): string[] {
  const [first, last] = [found[0], found.at(-1)];
  if (first === undefined || last === undefined) return [];
  const all = [first];
  const maxSpans = 1_000;
  for (let at = first; at < last && all.length < maxSpans; ) {
    at = nextSpan(at, by);
    all.push(at);
  }
  return all;
}

function nextSpan(at: string, by: string): string {
  if (by !== 'hour')
    return Temporal.PlainDate.from(at)
      .add({ days: by === 'week' ? 7 : 1 })
      .toString();
  const next = Temporal.PlainDateTime.from(at.replace(' ', 'T')).add({ hours: 1 });
  return next.toString().slice(0, 16).replace('T', ' ');
}
