import type { Cadence } from '../core/cadence.ts';
import { weekdays } from '../core/calendar/days.ts';
import { durationMs } from '../core/duration.ts';
import { is, lowAt, type Text } from './offline/words/text.ts';
import type { Thing } from './offline/words/thing.ts';

/** How often, on which days and at which times of the clock a request wants to be looked at. */

/** What some words of a request say: those from one token up to another. */
export interface Part<Value> {
  readonly value: Value;
  readonly from: number;
  readonly to: number;
}

interface Clock {
  /** As cron has them: "9,15". */
  readonly hours: string;
  readonly minute: number;
}

/** A cadence in its parts; what nobody said is not there. */
export interface Rhythm {
  readonly minutes?: number | undefined;
  /** Null for the usual time. */
  readonly clock?: Clock | null | undefined;
  /** Days of the week, from Sunday on: "12345". */
  readonly days?: string;
  /** Hours in which an interval counts, as cron has them. */
  readonly hours?: string | undefined;
  readonly zone?: string;
}

const all = '0123456';
const sets: Readonly<Record<string, string>> = { day: all, weekday: '12345', weekend: '06' };

/** What is said anew takes the place of its like: an interval that of a clock time, and the other way round. */
export function merged(before: Rhythm, said: Rhythm): Rhythm {
  if (said.minutes !== undefined) return { ...before, clock: undefined, ...said };
  if (said.clock === undefined) return { ...before, ...said };
  const clock = said.clock ?? before.clock ?? null;
  return { ...before, minutes: undefined, hours: undefined, ...said, clock };
}

export function cadenceOf(
  { minutes, clock, days = all, hours = '*', zone }: Rhythm,
  timezone: string,
): Cadence {
  if (minutes !== undefined && days === all && hours === '*') return { minutes };
  const week = { [all]: '*', 12345: '1-5' }[days] ?? [...days].join(',');
  const { hours: at, minute } = clock ?? { hours: '9', minute: 0 };
  const each = (step: number): string => (step < 60 ? `*/${step} ${hours}` : `0 ${hours}/${step / 60}`);
  const cron = `${minutes === undefined ? `${minute} ${at}` : each(minutes)} * * ${week}`;
  return { cron, timezone: zone ?? timezone };
}

/** The parts of a cadence; null for a cron line that has others. */
export function rhythmOf(every: Cadence): Rhythm | null {
  if ('minutes' in every) return every;
  const line = /^(?:\*\/(\d+)|(\d+)) (\*|[\d,-]+)(?:\/(\d+))? \* \* (\S+)$/.exec(every.cron);
  if (line === null) return null;
  const [, step, minute, hours = '*', each, week = '*'] = line;
  const days = { '*': all, '1-5': '12345' }[week] ?? week.replaceAll(',', '');
  const minutes = step ?? (each && Number(each) * 60);
  const own = minutes ? { hours, minutes: Number(minutes) } : { clock: { hours, minute: Number(minute) } };
  return { ...own, days, zone: every.timezone };
}

/** Minutes of a duration at a place, with the token behind it. */
export function spanAt({ words }: Text, at: number): { minutes: number; end: number } | null {
  const thing = words[at]?.things.find(({ kind }) => kind === 'duration');
  const ms = thing && durationMs(thing.value);
  return thing && ms ? { minutes: ms / 60_000, end: at + thing.length } : null;
}

interface Said {
  readonly value: Rhythm;
  readonly to: number;
}

/** "9am", "at 9", "8:45 Berlin time", "at 9 and at 15:00": a bare number is none. */
export function clockAt(
  text: Text,
  from: number,
): (Said & { readonly value: { readonly clock: Clock } }) | null {
  const at = from + (lowAt(text, from) === 'at' ? 1 : 0);
  const isClock = ({ kind, value }: Thing): boolean =>
    (kind === 'time' || (kind === 'number' && at > from)) && /^(?:\d\d:\d\d|1?\d|2[0-3])$/.test(value);
  const thing = text.words[at]?.things.find(isClock);
  if (thing === undefined) return null;
  const [hour = 0, minute = 0] = thing.value.split(':').map(Number);
  const to = at + thing.length;
  const more = is(text, to, 'listing') ? clockAt(text, to + 1) : null;
  const zone = zoneAt(text, to);
  if (more?.value.clock.minute === minute)
    return {
      ...more,
      value: { ...more.value, clock: { minute, hours: `${hour},${more.value.clock.hours}` } },
    };
  const clock = { hours: String(hour), minute };
  return { value: { clock, ...(zone ? { zone: zone.name } : {}) }, to: zone?.to ?? to };
}

/** "UTC", "CET", "Europe/Madrid", "Berlin time". */
function zoneAt({ words }: Text, at: number): { name: string; to: number } | null {
  const { raw = '' } = words[at] ?? {};
  const city = words[at + 1]?.low === 'time' ? `/${raw.toLowerCase()}` : null;
  const zones = Intl.supportedValuesOf('timeZone');
  const named = city === null ? undefined : zones.find((zone) => zone.toLowerCase().endsWith(city));
  if (named !== undefined) return { name: named, to: at + 2 };
  const isZone = zones.includes(raw) || /^(?:UTC|GMT|CET|EET|WET|EST|MST|HST)$/.test(raw);
  return isZone ? { name: raw, to: at + 1 } : null;
}

const week: readonly string[] = [...weekdays.slice(-1), ...weekdays.slice(0, -1)];

/** "morning", "weekdays", "monday and thursday": days, and the hour of a part of the day. */
function daysAt(text: Text, at: number): (Said & { readonly name: string }) | null {
  const nameAt = (index: number): string => {
    const low = lowAt(text, index).replace(/s$/, '');
    return { daily: 'day', nightly: 'night', working: 'weekday' }[low] ?? low;
  };
  const name = nameAt(at);
  const hour = text.lexicon.words.hours[name];
  const named: number[] = [];
  let to = at + (lowAt(text, at) === 'working' ? 2 : 1);
  for (let next = at; week.includes(nameAt(next)); next = is(text, to, 'listing') ? to + 1 : -1) {
    named.push(week.indexOf(nameAt(next)));
    to = next + 1;
  }
  if (hour === undefined && named.length === 0) return null;
  const isPart = sets[name] === undefined && hour !== undefined;
  const days = named.sort().join('') || (sets[name] ?? all);
  return { name, to, value: { days, clock: isPart ? { hours: String(hour), minute: 0 } : null } };
}

/** "on weekdays", "from 9 to 17", "not at night", "at 8:30": what narrows a cadence, or changes one. */
function narrowingAt(text: Text, from: number): Said | null {
  let at = from;
  while (is(text, at, 'only', 'listing')) at += 1;
  const range = text.words[at]?.things.find(({ value }) => /^\d\d:\d\d to \d\d:\d\d$/.test(value));
  const [first = 0, last = 0] = range?.value.split(' to ').map((one) => Number.parseInt(one, 10)) ?? [];
  if (range) return { value: { hours: `${first}-${last - 1}` }, to: at + range.length };
  const isNot = is(text, at, 'negation');
  const on = at + (isNot ? 1 : 0);
  const said = daysAt(text, on + (/^(?:on|at)$/.test(lowAt(text, on)) ? 1 : 0));
  const days = said?.value.days ?? all;
  if (said?.name === 'night' && isNot) return { ...said, value: { hours: '6-21' } };
  if (!said || days === all || is(text, on - 1, 'begins time', 'of a time')) return clockAt(text, at);
  const others = [...all].filter((day) => !days.includes(day)).join('');
  return { ...said, value: { days: isNot ? others : days } };
}

/** "hourly", "every 10 minutes", "every other hour", "each weekday", "mondays". */
function eachAt(text: Text, from: number): Said | null {
  const low = lowAt(text, from);
  // "he has to run the nightly job": which one it is, and not how often.
  if (is(text, from - 1, 'definite')) return null;
  if (low === 'hourly') return { value: { minutes: 60 }, to: from + 1 };
  const isDays = /^(?:daily|nightly)$/.test(low) || (from === 0 && /s$/i.test(text.words[from]?.raw ?? ''));
  if (isDays && !is(text, from, 'each time')) return daysAt(text, from);
  const isOnce = low === 'once' && is(text, from + 1, 'articles', 'each time');
  if (!isOnce && !is(text, from, 'each time')) return null;
  const at = from + (isOnce ? 2 : 1);
  const days = daysAt(text, at);
  if (days !== null) return days;
  const span = spanAt(text, at);
  if (span !== null) return { value: { minutes: span.minutes }, to: span.end };
  const times = lowAt(text, at) === 'other' ? 2 : 1;
  const unit = { S: 1 / 60, M: 1, H: 60, W: 10_080 }[
    text.lexicon.units.get(lowAt(text, at + times - 1)) ?? ''
  ];
  return unit === undefined ? null : { value: { minutes: unit * times }, to: at + times };
}

/** How often, from a place on; `isChange`: also on which days and at which hours, without how often. */
export function rhythmAt(text: Text, from: number, isChange: boolean): Part<Rhythm> | null {
  const first = isChange ? (narrowingAt(text, from) ?? eachAt(text, from)) : eachAt(text, from);
  if (first === null) return null;
  let { value, to } = first;
  for (let isNamed = isChange && Boolean(value.clock); ; isNamed ||= Boolean(value.clock)) {
    const said = narrowingAt(text, to);
    if (said === null || (isNamed && said.value.clock)) return { value, from, to };
    [value, to] = [merged(value, said.value), said.to];
  }
}
