import { casual } from 'chrono-node/en';
import { type Cadence, momentText, type WatchTimes } from '../core/cadence.ts';

/** What a goal says of when to look again, and the goal without it. Its minutes may be no whole number. */
export interface WatchClause {
  readonly times: WatchTimes;
  /** True for "watch …" without how often. */
  readonly isGuess: boolean;
  readonly rest: string;
  /** What is watched and where the bound lies, when the goal is "watch X and do Y over 30"; `act` is null for "tell me". */
  readonly bound: { readonly of: string; readonly words: string; readonly act: string | null } | null;
}

const verb = /^\s*(?:please\s+)?(?:watch|monitor|keep (?:an eye|watch) on)\b[:,]?\s*/i;
const sizes: Readonly<Record<string, number>> = {
  second: 1 / 60,
  sec: 1 / 60,
  s: 1 / 60,
  minute: 1,
  min: 1,
  m: 1,
  hour: 60,
  hr: 60,
  h: 60,
  day: 1_440,
  week: 10_080,
};
const unit = '(second|sec|s|minute|min|m|hour|hr|h|day|week)s?';
const interval = new RegExp(
  `[,;]?\\s*\\b(?:every|each|once (?:an?|every|each))\\s+(?:(\\d{1,5}|half(?:\\s+an?)?|other)\\s*)?${unit}\\b(?!\\s+at\\b)`,
  'i',
);
const hourly = /[,;]?\s*\bhourly\b/i;
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const hours: Readonly<Record<string, number>> = {
  morning: 9,
  day: 9,
  weekday: 9,
  noon: 12,
  afternoon: 14,
  evening: 18,
  night: 22,
};
const clock = '(?:\\s+at\\s+(\\d{1,2})(?:[:.](\\d{2}))?\\s*(am|pm|h)?)?';
const when = `((?:working day|weekday|day|morning|noon|afternoon|evening|night|${weekdays.join('|')})s?(?:(?:\\s*,\\s*|\\s+and\\s+)(?:${weekdays.join('|')})s?)*)`;
const daily = new RegExp(`[,;]?\\s*\\b(?:(?:every|each)\\s+${when}|daily)${clock}\\b`, 'i');
const until =
  /[,;]?\s*\b(?:until|till|up to)\s+((?:the\s+)?end of (?:the |this )?(?:day|week|month)|.{2,40}?)(?=$|[,;]|\s+(?:and|worse)\s)/i;
const lasting = /[,;]?\s*\bfor\s+(?:the\s+next\s+)?(\d{1,4}|an?|one|two|three)\s+(hour|day|week)s?\b/i;
const worse =
  /[,;]?\s*(?:\band\s+)?(?:\b(?:say|tell me|speak)\s+(?:it\s+)?(?:so\s+)?(?:again\s+)?(?:when|if)\s+it\s+(?:is|gets)\s+)?\bworse by\s+(\d+(?:\.\d+)?)\s*(%|percent)?/i;
const bound =
  /^(.+?)(?:[,;]|[,;]?\s+and)\s+(.+?)[,;]?\s+(?:(?:when|if|once|as soon as)\s+(?:it(?:'s| is)|there (?:are|is)|they are)?\s*)?(over|above|more than|at least|under|below|less than|fewer than|at most)\s+(\d+)\s*$/i;
const bare =
  /^(.+?)[,;]?\s+(over|above|more than|at least|under|below|less than|fewer than|at most)\s+(\d+)\s*$/i;
const telling = /^(?:tell|inform|notify|alert|ping|let)\s+(?:me|us)(?:\s+know)?$/i;

/** Null for a goal that is done once. `timezone`: of times without one. */
export function readWatchClause(goal: string, now: Date, timezone: string): WatchClause | null {
  const taken: Taken = { text: goal };
  const isWatched = take(taken, verb) !== null;
  const every = takeCadence(taken, timezone);
  if (every === null && !isWatched) return null;
  const end = takeEnd(taken, now, timezone);
  const step = take(taken, worse);
  const rest = tidy(taken.text);
  const times: WatchTimes = {
    every: every ?? { minutes: 10 },
    ...(end === null ? {} : { until: momentText(end) }),
    ...(step === null ? {} : { worse: { by: Number(step[1]), unit: step[2] ? 'percent' : 'number' } }),
  };
  return { times, isGuess: every === null, rest, bound: isWatched ? boundOf(rest) : null };
}

interface Taken {
  text: string;
}

/** Takes what a pattern finds out of the text. */
function take(taken: Taken, pattern: RegExp): RegExpExecArray | null {
  const found = pattern.exec(taken.text);
  if (found === null) return null;
  taken.text = `${taken.text.slice(0, found.index)} ${taken.text.slice(found.index + found[0].length)}`;
  return found;
}

function tidy(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/\s+([,;.])/g, '$1')
    .replace(/^[\s,;]+|[\s,;]+$/g, '')
    .replace(/,\s*,/g, ',');
}

function takeCadence(taken: Taken, timezone: string): Cadence | null {
  if (take(taken, hourly) !== null) return { minutes: 60 };
  const often = take(taken, interval);
  if (often !== null) {
    const [, count = '1', size = ''] = often;
    const many = /^half/i.test(count) ? 0.5 : /^other$/i.test(count) ? 2 : Number(count);
    const minutes = many * (sizes[size.toLowerCase()] ?? 1);
    return minutes % 1_440 === 0 && count === '1' ? cronAt('day', 9, 0, timezone) : { minutes };
  }
  const day = take(taken, daily);
  if (day === null) return null;
  const [, named = 'day', hour, minute = '0', half] = day;
  const words = named.toLowerCase();
  const usual = Object.entries(hours).find(([word]) => words.startsWith(word))?.[1] ?? 9;
  const isPm = half?.toLowerCase() === 'pm' && Number(hour) < 12;
  return cronAt(words, hour === undefined ? usual : Number(hour) + (isPm ? 12 : 0), Number(minute), timezone);
}

function cronAt(words: string, hour: number, minute: number, timezone: string): Cadence {
  const named = weekdays.flatMap((day, index) => (words.includes(day) ? [index] : []));
  const days = /weekday|working/.test(words) ? '1-5' : named.length > 0 ? named.join(',') : '*';
  return { cron: `${minute % 60} ${hour % 24} * * ${days}`, timezone };
}

const numbers: Readonly<Record<string, number>> = { a: 1, an: 1, one: 1, two: 2, three: 3 };

function takeEnd(taken: Taken, now: Date, timezone: string): Date | null {
  const said = until.exec(taken.text);
  const end = said === null ? null : momentOf(said[1] ?? '', now, timezone);
  if (end !== null) {
    take(taken, until);
    return end;
  }
  const span = take(taken, lasting);
  if (span === null) return null;
  const [, count = '1', size = 'day'] = span;
  const minutes = (numbers[count.toLowerCase()] ?? Number(count)) * (sizes[size.toLowerCase()] ?? 1);
  return new Date(now.getTime() + minutes * 60_000);
}

/** A day lasts until its last minute. Null for words that are no time. */
function momentOf(words: string, now: Date, timezone: string): Date | null {
  const offset = offsetMinutes(now, timezone);
  const named = words.replace(/^(?:the\s+)?end of (?:the |this )?/i, '');
  const said = /^week$/i.test(named) ? 'sunday' : /^day$/i.test(named) ? 'today' : named;
  const [found] = casual.parse(said, { instant: now, timezone: offset }, { forwardDate: true });
  if (found === undefined || found.text.trim().length < said.trim().length) return null;
  const { start } = found;
  if (start.isCertain('hour')) return found.date();
  const [year, month, day] = [start.get('year'), start.get('month'), start.get('day')];
  if (year === null || month === null || day === null) return null;
  return new Date(Date.UTC(year, month - 1, day, 23, 59) - offset * 60_000);
}

/** Minutes by which a zone is ahead of UTC. */
function offsetMinutes(at: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at);
  const [, sign, hour = '0', minute = '0'] =
    /GMT([+-])(\d{2}):(\d{2})/.exec(parts.find(({ type }) => type === 'timeZoneName')?.value ?? '') ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hour) * 60 + Number(minute));
}

function boundOf(rest: string): WatchClause['bound'] {
  const both = bound.exec(rest);
  if (both !== null) {
    const [, of = '', act = '', word = '', number = ''] = both;
    return { of, words: boundWords(word, number), act: telling.test(act.trim()) ? null : act };
  }
  const alone = bare.exec(rest);
  return alone === null
    ? null
    : { of: alone[1] ?? '', words: boundWords(alone[2] ?? '', alone[3] ?? ''), act: null };
}

function boundWords(word: string, number: string): string {
  const plain = word
    .toLowerCase()
    .replace(/^(?:over|above)$/, 'more than')
    .replace(/^(?:under|below|fewer than)$/, 'less than');
  return `${plain} ${number}`;
}
