import { zoneNamed } from '../src/core/calendar/span.ts';
import type { ArgWords } from '../src/core/manifest.ts';

const units: Record<string, string> = { W: 'week', D: 'day', H: 'hour', M: 'minute', S: 'second' };

/** An ISO 8601 duration in words: PT45M is "45 minutes". Anything else is returned as it is. */
export function durationWords(iso: string): string {
  if (!/^P(\d+W|(\d+D)?(T(\d+H)?(\d+M)?(\d+S)?)?)$/.test(iso)) return iso;
  const parts = [...iso.matchAll(/(?<!\d)(\d+)([WDHMS])/g)].map(([, count, unit]) => {
    const word = units[unit ?? ''] ?? '';
    return `${count} ${word}${count === '1' ? '' : 's'}`;
  });
  return parts.join(' ') || iso;
}

/** "in the last 2 hours", "in the last hour". */
export function lastWords(iso: string): string {
  return `in the last ${durationWords(iso).replace(/^1 (?=\w+$)/, '')}`;
}

const _past = ['last', 'past'];

const _untouched = ['', 'been '].flatMap((been) =>
  ['updated', 'touched', 'changed', 'moved', 'modified'].map((word) => `${been}${word}`),
);

const names =
  /\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun|jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec|christmas)(?:day|uary|ruary|ch|il|e|y|ust|tember|ember|ober)?\b/g;
const prepositions: readonly (readonly [RegExp, string])[] = [
  [/ (?:to|and) /, 'from '],
  [/^the weekend/, 'over '],
  [/^weekend/, 'over the '],
  [/^(?:the |before |this |last |next |yesterday|today|tonight|overnight)/, ''],
  [/^(?:mon|tue|wed|thu|fri|sat|sun)|^\d{4}-\d{2}-\d{2}|^\d{1,2} |^[a-z]{3,9} \d{1,2}\b/i, 'on '],
];

/** Capitalises days and months, however they were typed, and sets a zone apart. */
export function dayNames(time: string): string {
  const zone = zoneNamed.exec(time)?.[0] ?? '';
  const days = time
    .slice(0, time.length - zone.length)
    .replaceAll(names, (name) => name.charAt(0).toUpperCase() + name.slice(1));
  return zone === '' ? days : `${days} (${zone.trim()})`;
}

/** A whole day, week or month: "yesterday", "on Friday night", "in October", "over the weekend". */
export function duringWords(during: string): string {
  const said = during.trim();
  const [, before] = prepositions.find(([form]) => form.test(said)) ?? ['', 'in '];
  return before + dayNames(said);
}

/** An open start: "since Monday". A period still in progress needs no "since": "this week". */
export function sinceWords(since: string): string {
  return /^(?:today(?: \S+)?$|this )/.test(since) ? dayNames(since) : `since ${dayNames(since)}`;
}

/** The time that a query is about: "in the last 2 hours", "since Monday until Friday"; empty where none is said. */
export function timeWords({ window, since, until, during }: ArgWords): string {
  const said = [
    window ? lastWords(window) : '',
    since ? sinceWords(since) : '',
    until ? `until ${dayNames(until)}` : '',
    during ? duringWords(during) : '',
  ];
  return said.filter(Boolean).join(' ');
}
