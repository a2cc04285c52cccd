import type { Cadence } from '../core/cadence.ts';
import { durationMs } from '../core/duration.ts';
import { is, lowAt, type Text } from './offline/text.ts';

/** How often, on which days and at which times of the clock a request wants to be looked at. */

/** What some words of a request say: those from one token up to another. */
export interface Part<Value> {
  readonly value: Value;
  readonly from: number;
  readonly to: number;
}

/** Minutes of a duration at a place, with the token behind it. */
export function spanAt({ words }: Text, at: number): { minutes: number; end: number } | null {
  const thing = words[at]?.things.find(({ kind }) => kind === 'duration');
  const ms = thing && durationMs(thing.value);
  return thing && ms ? { minutes: ms / 60_000, end: at + thing.length } : null;
}

const unitMinutes: Readonly<Record<string, number>> = { S: 1 / 60, M: 1, H: 60, W: 10_080 };

/** "hourly", "every 10 minutes", "every other hour", "each weekday at 9", "mondays 10:00". */
export function cadenceAt(text: Text, from: number, zone: string): Part<Cadence> | null {
  const low = lowAt(text, from);
  if (low === 'hourly') return { value: { minutes: 60 }, from, to: from + 1 };
  const isDays = /^(?:daily|nightly)$/.test(low) || (from === 0 && /s$/i.test(text.words[from]?.raw ?? ''));
  if (isDays && !is(text, from, 'each time')) return daysAt(text, from, from, zone);
  const isOnce = low === 'once' && is(text, from + 1, 'articles', 'each time');
  if (!isOnce && !is(text, from, 'each time')) return null;
  const at = from + (isOnce ? 2 : 1);
  const days = daysAt(text, from, at, zone);
  if (days !== null) return days;
  const span = spanAt(text, at);
  if (span !== null) return { value: { minutes: span.minutes }, from, to: span.end };
  const times = lowAt(text, at) === 'other' ? 2 : 1;
  const unit = unitMinutes[text.lexicon.units.get(lowAt(text, at + times - 1)) ?? ''];
  return unit === undefined ? null : { value: { minutes: unit * times }, from, to: at + times };
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

interface Clock {
  readonly hours: string;
  readonly minute: number;
  readonly zone: string;
  readonly to: number;
}

const clock = /^(at\s+)?(\d{1,2})(?:[:.](\d{2}))?\s*(am|pm|h)?(?!\p{L}|\d|[:-]\d)/iu;

/** "at 9", "4pm", "8:45 Berlin time", "at 9 and at 15:00": a bare number is none. */
export function clockAt(text: Text, from: number, timezone: string): Clock | null {
  const { goal, words } = text;
  const start = words[from]?.start ?? goal.length;
  const [whole, at, hour = '', minute, half] = clock.exec(goal.slice(start)) ?? [];
  if (whole === undefined || !(at || minute || half)) return null;
  const isPm = half?.toLowerCase() === 'pm' && Number(hour) < 12;
  const own = String((Number(hour) + (isPm ? 12 : 0)) % 24);
  const to = words.findLastIndex((word) => word.start < start + whole.length) + 1;
  const more = is(text, to, 'listing') ? clockAt(text, to + 1, timezone) : null;
  if (more && more.minute === Number(minute ?? 0)) return { ...more, hours: `${own},${more.hours}` };
  const zone = zoneAt(text, to);
  return { hours: own, minute: Number(minute ?? 0) % 60, zone: zone?.name ?? timezone, to: zone?.to ?? to };
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

/** "morning", "monday and thursday", each at a time of the clock or at the usual one. */
function daysAt(text: Text, from: number, at: number, timezone: string): Part<Cadence> | null {
  const { hours } = text.lexicon.words;
  const nameAt = (index: number): string => {
    const name =
      { daily: 'day', nightly: 'night' }[lowAt(text, index)] ?? lowAt(text, index).replace(/s$/, '');
    return name === 'working' && lowAt(text, index + 1) === 'day' ? 'weekday' : name;
  };
  const isDay = (index: number): boolean => weekdays.includes(nameAt(index));
  const name = nameAt(at);
  if (hours[name] === undefined && !isDay(at)) return null;
  const named = isDay(at) ? [name] : [];
  let end = at + (lowAt(text, at) === 'working' ? 2 : 1);
  while (is(text, end, 'listing') && isDay(end + 1)) {
    named.push(nameAt(end + 1));
    end += 2;
  }
  const said = clockAt(text, end, timezone);
  const days = named.map((day) => weekdays.indexOf(day)).join(',') || (name === 'weekday' ? '1-5' : '*');
  const { hours: hour, minute, zone } = said ?? { hours: hours[name] ?? 9, minute: 0, zone: timezone };
  const value = { cron: `${minute} ${hour} * * ${days}`, timezone: zone };
  return { from, to: said?.to ?? end, value };
}
