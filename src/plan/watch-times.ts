import { momentText, type WatchTimes, type Worse } from '../core/cadence.ts';
import { spanOf } from '../core/calendar/span.ts';
import { isSilent } from './offline/change/readings.ts';
import { readingsOf } from './offline/clauses/search.ts';
import { isTold } from './offline/frames/told.ts';
import { is, lowAt, range, type Text } from './offline/words/text.ts';
import {
  cadenceOf,
  clockAt,
  merged,
  type Part,
  type Rhythm,
  rhythmAt,
  rhythmOf,
  spanAt,
} from './watch-cadence.ts';

/** What a request says of when to look again, and the request without it. Its minutes may be no whole number. */
export interface Watched {
  readonly times: WatchTimes;
  /** True for "watch …" without how often. */
  readonly isGuess: boolean;
  /** "tell me when …": it waits for something without saying how often to look. */
  readonly waits: boolean;
  /** "tell me …": whoever asks wants to hear it. */
  readonly tells: boolean;
  /** In a change: a number alone, which may as well be a bound. */
  readonly isBare: boolean;
  readonly rest: string;
}

/** The first part of a request that can be read so. */
function first<Value>(text: Text, read: (at: number) => Part<Value> | null): Part<Value> | null {
  for (const at of text.words.keys()) {
    const part = isTold(text, at) ? null : read(at);
    if (part !== null) return part;
  }
  return null;
}

/** "watch", "keep an eye on": in front, whatever is polite before it. */
function headOf(text: Text): Part<null> | null {
  const at = text.words.findIndex(({ tags }) => !tags.has('polite'));
  const to = range(at, at + 4).find((index) => is(text, index, 'watching')) ?? -1;
  const isHead = range(at, to).every((index) => is(text, index, 'keeping'));
  const end = to + (to > at && lowAt(text, to + 1) === 'on' ? 2 : 1);
  return to >= Math.max(at, 0) && isHead ? { value: null, from: at, to: end } : null;
}

/** "when", "as soon as": for something that comes about later, as against "if". */
export const waitsFor = (text: Text): boolean =>
  text.words.some((_word, at) => !isTold(text, at) && is(text, at, 'waiting'));

/** "tell me", "let me know", "ping me": whoever asks hears of it. */
const tellsMe = (text: Text): boolean =>
  text.words.some(
    (_word, at) => is(text, at, 'me') && is(text, at - 1, 'verb message') && !is(text, at - 1, 'verb page'),
  );

/** "at 17:00 post …", "in 30 minutes page …", "tomorrow tell …": something is to be done once, later. */
export function isOnceLater(text: Text): boolean {
  const { words } = text;
  const first = words.findIndex(({ tags }) => !tags.has('polite'));
  const says = (...tags: readonly string[]): boolean => words.some((_word, at) => is(text, at, ...tags));
  // "over 50 in 5 minutes" looks back.
  const isThen = (at: number): boolean =>
    (lowAt(text, at) === 'at' && (clockAt(text, at) !== null || is(text, at + 1, 'time'))) ||
    (lowAt(text, at) === 'in' && spanAt(text, at + 1) !== null && (at === first || !says('compare'))) ||
    (!says('noun person') && words[at]?.things.some(({ tense }) => tense === 'future') === true);
  const [best] = readingsOf(text);
  // "I have a meeting in five minutes": what is told of a time is no order for it.
  const asked = best?.clauses.filter(
    ({ kind, from }) => !['remark', 'report', 'topic'].includes(kind) && !is(text, from, 'speaking'),
  );
  const isLater = (at: number): boolean => isThen(at) && !isTold(text, at);
  return says('verb write', 'me') && asked?.some(({ from, to }) => range(from, to).some(isLater)) === true;
}

/** "until Friday", "until 6pm", "for 3 days". */
function endAt(text: Text, from: number, now: Date, zone: string): Part<Date> | null {
  const { words } = text;
  const low = lowAt(text, from);
  if (low === 'for') {
    const at = words.findIndex((_word, index) => index > from && !is(text, index, 'for the next'));
    const span = spanAt(text, at);
    if (span === null || span.minutes < 60) return null;
    return { value: new Date(now.getTime() + span.minutes * 60_000), from, to: span.end };
  }
  const isTo = low === 'up' && lowAt(text, from + 1) === 'to';
  if (!isTo && !is(text, from, 'until')) return null;
  const found = momentAt(text, from + (isTo ? 2 : 1), now, zone);
  return found && { ...found, from };
}

/** The moment that begins at a place, and the token behind it. A day lasts until its last minute. */
function momentAt(text: Text, at: number, now: Date, zone: string): Omit<Part<Date>, 'from'> | null {
  const { words, goal } = text;
  const to = at + (words[at]?.things.find(({ kind }) => kind === 'time')?.length ?? 0);
  const said = goal.slice(words[at]?.start, words[to - 1]?.end);
  const span = to > at ? spanOf(said, { now, zone, aim: 'coming' }) : null;
  if (span === null) return null;
  const isWhole = span.to > span.from || /end of/i.test(said);
  const last = isWhole ? span.to.getTime() - 60_000 : span.to.getTime();
  const isPassed = last < now.getTime() && /^\d{1,2}(?::\d{2})?\s*(?:am|pm)?$/iu.test(said);
  return { value: new Date(last + (isPassed ? 86_400_000 : 0)), to };
}

/** "and again when it is worse by 10 %". */
function worseAt(text: Text, at: number): Part<Worse> | null {
  const [, by, sign] = /^(\d+(?:\.\d+)?)(%?)$/.exec(lowAt(text, at + 2)) ?? [];
  if (lowAt(text, at) !== 'worse' || by === undefined) return null;
  const isPercent = is(text, at + 3, 'percent');
  const from = text.words.findLastIndex((_word, index) => index < at && !is(text, index, 'once more')) + 1;
  const value: Worse = { by: Number(by), unit: sign || isPercent ? 'percent' : 'number' };
  return { value, from, to: at + (isPercent ? 4 : 3) };
}

/** The request without some of its parts, and without the marks that they leave at its ends. */
function without({ words, goal }: Text, parts: readonly Part<unknown>[]): string {
  const last = parts.toSorted((a, b) => b.from - a.from);
  return last
    .reduce((said, { from, to }) => {
      const [before, behind] = [said.slice(0, words[from]?.start), said.slice(words[to - 1]?.end)];
      return `${before.trimEnd()} ${behind.trimStart()}`;
    }, goal)
    .replace(/(?<!\s)\s+(?=[,;.])/g, '')
    .replace(/([,;])(?:\s*[,;])+/g, '$1')
    .replace(/^[\s,;:]+|(?<![\s,;])[\s,;]+$/g, '');
}

/** "make it 15": minutes of an interval, or the hour of a clock time. */
function bareAt(text: Text, { minutes }: Rhythm): Part<Rhythm> | null {
  const [at = -1, ...more] = [...text.words.keys()].filter((index) => !isSilent(text, index));
  const number = more.length === 0 && text.words[at]?.things.find(({ kind }) => kind === 'number');
  if (!number) return null;
  const { value } = number;
  const said = minutes === undefined ? { clock: { hours: value, minute: 0 } } : { minutes: Number(value) };
  return { value: said, from: at, to: at + 1 };
}

/** Null for a request that is done once, and for a change that says nothing of times. `zone`: of times without one. */
export function readWatch(text: Text, now: Date, zone: string): Watched | null {
  const before = text.plan?.watch;
  const rhythm = before && rhythmOf(before.every);
  const isChange = before !== undefined;
  const head = isChange ? null : headOf(text);
  const bare = rhythm ? bareAt(text, rhythm) : null;
  const every = bare ?? first(text, (at) => rhythmAt(text, at, Boolean(rhythm)));
  const waits = head === null && every === null && waitsFor(text) && tellsMe(text);
  const end = isChange || head || every || waits ? first(text, (at) => endAt(text, at, now, zone)) : null;
  const worse = first(text, (at) => worseAt(text, at));
  if (head === null && every === null && !waits && !(isChange && (end || worse))) return null;
  const own = every && cadenceOf(rhythm ? merged(rhythm, every.value) : every.value, zone);
  const times: WatchTimes = {
    ...(before ?? {}),
    every: own ?? before?.every ?? { minutes: 10 },
    ...(end === null ? {} : { until: momentText(end.value) }),
    ...(worse === null ? {} : { worse: worse.value }),
  };
  const parts = [head, every, end, worse].filter((part) => part !== null);
  const tells = tellsMe(text);
  return { times, isGuess: every === null, isBare: bare !== null, waits, tells, rest: without(text, parts) };
}
