import { pagerdutyOncall as manifest } from '../../manifests/pagerduty.oncall.ts';
import { type Span, spanOf } from '../../src/core/calendar/span.ts';
import { cut, oneLine } from '../../src/core/clean-text.ts';
import { CountersignError } from '../../src/core/errors.ts';
import type { ArgsOf } from '../../src/core/manifest.ts';
import type { Readers } from '../../src/core/ports.ts';
import { defineRead, type ReadContext } from '../../src/core/tool.ts';
import { localTime, momentWords, untilWords } from '../shift-words.ts';
import { handleOf } from '../slack-handle.ts';

/** The plan does not say whose on-call is meant. */
export class OnCallError extends CountersignError {}

type Shift = Awaited<ReturnType<Readers['pagerduty']['shifts']>>['shifts'][number];

/** Maximum characters of the list; PagerDuty names have at most 100. */
const maxLines = 2_000;
/** Maximum rows of the table. */
const maxRows = 100;
const maxName = 100;
/** How far to look ahead for the next shift. PagerDuty allows at most 90 days. */
const aheadMs = 60 * 86_400_000;

export const pagerdutyOncall = defineRead(manifest, async (args, context) => {
  const { level } = args;
  const now = context.now();
  const { shifts, span } = await shiftsFor(args, context, now);
  const found = level === undefined ? shifts : shifts.filter((shift) => shift.level === level);
  const [first] = found;
  const lowest = found.filter((shift) => shift.level === first?.level);
  const user = first === undefined ? null : await handleOf(first.email, context);
  const isNow = span.from.getTime() === now.getTime();
  const lines = found.map((shift) => `${shift.level}. ${lineOf(shift, now, isNow)}`);
  return {
    count: new Set(found.map(({ id }) => id)).size,
    email: first?.email ?? '',
    ...(user === null ? {} : { user }),
    name: cut(namesOf(lowest), 200),
    until: untilOf(lowest, isNow),
    local_time: first === undefined ? '' : localTime(first.timeZone, now),
    tense: isNow ? ('is' as const) : span.to <= now ? ('was' as const) : ('will be' as const),
    period: isNow ? '' : periodWords(span, now),
    rows: found.slice(0, maxRows).map((shift) => rowOf(shift, now)),
    lines: cut(lines.join('\n') || 'Nobody is on call.', maxLines),
  };
});

/** "Ana and Ben, then Chiara": who is on call at the same time, and who follows them. */
function namesOf(shifts: readonly Shift[]): string {
  const turns: { names: string[]; until: number }[] = [];
  for (const { name, since, until } of shifts) {
    const end = until === null ? Number.POSITIVE_INFINITY : Date.parse(until);
    const last = turns.at(-1);
    const isNext = last === undefined || (since !== null && Date.parse(since) >= last.until);
    if (isNext) turns.push({ names: [cut(oneLine(name), maxName)], until: end });
    else {
      last.names.push(cut(oneLine(name), maxName));
      last.until = Math.max(last.until, end);
    }
  }
  const together = turns.map(({ names }) => listed.format(new Set(names)));
  return [...new Set(together)].join(', then ');
}

const listed = new Intl.ListFormat('en-GB');

/** Of people who are on call together now, the first who leaves. */
function untilOf(shifts: readonly Shift[], isNow: boolean): string {
  if (!isNow) return shifts[0]?.until ?? '';
  return shifts.flatMap(({ until }) => until ?? []).toSorted()[0] ?? '';
}

/** The people on call in the requested period, and that period. */
async function shiftsFor(
  { service, schedule, at = 'now' }: ArgsOf<typeof manifest>,
  { readers, signal }: Pick<ReadContext, 'readers' | 'signal'>,
  moment: Date,
): Promise<{ shifts: readonly Shift[]; span: Span }> {
  const of = service !== undefined ? { service } : schedule !== undefined ? { schedule } : null;
  if (of === null) {
    const message = 'Who is on call depends on the service or the schedule, and the plan names neither.';
    throw new OnCallError('service_missing', message);
  }
  if (service !== undefined && schedule !== undefined) {
    throw new OnCallError('one_rota', 'Name the service or the schedule, not both.');
  }
  const during = ({ from, to }: Span) => readers.pagerduty.shifts(of, { since: from, until: to }, signal);
  const present = { from: moment, to: moment };
  const today = await during(present);
  const said = at.trim().toLowerCase();
  if (said === 'now') return { shifts: today.shifts, span: present };
  if (/^next(?: shift)?$/.test(said)) {
    const ahead = await during({ from: moment, to: new Date(moment.getTime() + aheadMs) });
    return nextOf(ahead.shifts, moment);
  }
  // Words such as "last night" refer to the time zone of whoever carries the pager.
  const zone = today.timeZone ?? today.shifts[0]?.timeZone ?? 'UTC';
  const span = spanOf(at, { now: moment, zone: knownZone(zone), aim: 'coming' });
  if (span === null) {
    const examples = 'now, 03:00, last night, next monday, tomorrow 09:00, 2026-03-10 or 2026-03-10 03:00';
    throw new OnCallError('bad_time', `“${at}” is not a time that I know. Write one like ${examples}.`);
  }
  return { shifts: (await during(span)).shifts, span };
}

/** The first shift of each level that has not begun. */
function nextOf(shifts: readonly Shift[], now: Date): { shifts: readonly Shift[]; span: Span } {
  const ahead = shifts.filter(({ since }) => since !== null && new Date(since) > now);
  const levels = [...new Set(ahead.map(({ level }) => level))];
  const next = levels.flatMap((level) => ahead.find((shift) => shift.level === level) ?? []);
  const [first] = next;
  const from = new Date(first?.since ?? now.getTime() + 1);
  return { shifts: next, span: { from, to: new Date(first?.until ?? from) } };
}

/** PagerDuty also has names that are not in the time zone database. */
function knownZone(zone: string): string {
  return localTime(zone, new Date(0)) === '' ? 'UTC' : zone;
}

function lineOf({ name, since, until, timeZone }: Shift, now: Date, isNow: boolean): string {
  const who = cut(oneLine(name), maxName);
  const local = localTime(timeZone, now);
  if (isNow) return `${who}${untilWords(until, now)}${local === '' ? '' : ` (${local})`}`;
  const from = momentWords(since, now);
  return `${who}${from === '' ? '' : ` from ${from}`}${untilWords(until, now)}`;
}

function periodWords({ from, to }: Span, now: Date): string {
  const start = momentWords(from.toISOString(), now);
  return from.getTime() === to.getTime()
    ? `at ${start}`
    : `from ${start} to ${momentWords(to.toISOString(), now)}`;
}

function rowOf({ level, name, since, until, timeZone }: Shift, now: Date) {
  return {
    level,
    name: cut(oneLine(name), maxName),
    since: since ?? '',
    until: until ?? '',
    local_time: localTime(timeZone, now),
  };
}
