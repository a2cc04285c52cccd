import type { Args } from '../draft/draft.ts';
import { ofKind, type Token } from './token.ts';

const days =
  /^(monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august|september|october|november|december|midnight|noon|yesterday|today|christmas|weekend)$/;

/** Calendar words of other languages, as English writes them. */
const foreignDays: Readonly<Record<string, string>> = {
  gestern: 'yesterday',
  ayer: 'yesterday',
  hier: 'yesterday',
  ontem: 'yesterday',
  ieri: 'yesterday',
  gisteren: 'yesterday',
  heute: 'today',
  hoy: 'today',
  hoje: 'today',
  oggi: 'today',
  vandaag: 'today',
  montag: 'monday',
  lunes: 'monday',
  lundi: 'monday',
  'segunda-feira': 'monday',
  lunedì: 'monday',
  maandag: 'monday',
  dienstag: 'tuesday',
  martes: 'tuesday',
  mardi: 'tuesday',
  martedì: 'tuesday',
  mittwoch: 'wednesday',
  miércoles: 'wednesday',
  mercredi: 'wednesday',
  donnerstag: 'thursday',
  jueves: 'thursday',
  jeudi: 'thursday',
  freitag: 'friday',
  viernes: 'friday',
  vendredi: 'friday',
  venerdì: 'friday',
  mitternacht: 'midnight',
  medianoche: 'midnight',
  minuit: 'midnight',
};

function calendarAt(tokens: readonly Token[], index: number): string | null {
  const token = tokens[index];
  if (!token) return null;
  if (token.kind === 'clock' || token.kind === 'date') return token.word;
  const word = foreignDays[token.word] ?? token.word.replace(/['’]s$/, '');
  if (/^(this|last)$/.test(token.word)) {
    const next = tokens[index + 1]?.word ?? '';
    if (/^(week|month|year|quarter|morning|afternoon|evening|night|weekend|sprint|shift)$/.test(next))
      return `${token.raw.toLowerCase()} ${next}`;
    return days.test(next) ? (token.word === 'last' ? `last ${next}` : next) : null;
  }
  return days.test(word) ? word : null;
}

/** Since when, in calendar words, a clock time or a date: "since Monday", "yesterday", "after 14:00". */
export function sinceOf(tokens: readonly Token[]): Args {
  const args: Args = {};
  tokens.forEach((token, index) => {
    let at = index + 1;
    while (/^(the|at|last|please)$/.test(tokens[at]?.word ?? '') && calendarAt(tokens, at) === null) at += 1;
    const value = calendarAt(tokens, at);
    const found = value ?? calendarAt(tokens, index);
    if (found === null) return;
    if (/^(until|till|to|before|and)$/.test(token.word) && value && (token.word !== 'and' || args.since))
      args.until = value;
    else if (/^(since|after|from|between)$/.test(token.word) && value) args.since = value;
    else if (args.since === undefined && args.until !== found) args.since = found;
  });
  return args;
}

/** A time window: the duration that is no age. "Newer than 2 days" is a window of two days. */
export function windowOf(tokens: readonly Token[]): Args {
  const duration = ofKind(tokens, 'duration').find(
    (token) => !/^(older-than|idle|than)$/.test(tokens[tokens.indexOf(token) - 1]?.word ?? ''),
  );
  return duration ? { window: duration.word } : {};
}

/** "Older than 3 days", "untouched for a week": how long ago issues were made or last changed. */
export function agesOf(tokens: readonly Token[]): Args {
  const after = (word: string) =>
    ofKind(tokens, 'duration').find((token) => tokens[tokens.indexOf(token) - 1]?.word === word);
  const older = after('older-than');
  const idle = after('idle');
  return {
    ...(older ? { older_than: older.word } : {}),
    ...(idle ? { not_updated_for: idle.word } : {}),
  };
}

export function timeOf(tokens: readonly Token[]): Args {
  const window = windowOf(tokens);
  return 'window' in window ? window : sinceOf(tokens);
}
