import { cut } from '../clean-text.ts';
import { durationMs } from '../duration.ts';
import { CountersignError } from '../errors.ts';
import { type Here, type Span, spanOf } from './span.ts';

/** A time that cannot be understood, or that leaves no period to search. */
export class TimeError extends CountersignError {}

/** The time arguments of a look-up. */
export interface Times {
  /** Calendar words or a date: the whole day, week or month. */
  readonly during?: unknown;
  readonly since?: unknown;
  /** Same format as `since`; the end of the period. */
  readonly until?: unknown;
  /** ISO 8601 duration before now, or before `until`. */
  readonly window?: unknown;
}

export type Back = Omit<Here, 'aim'>;

/** Resolves calendar words in an argument of a look-up into the past. Throws a TimeError that names the argument. */
function timeNamed(argument: string, words: string, here: Back, by?: Date): Span {
  const found = spanOf(words, { ...here, aim: 'past' }, by);
  if (found !== null) return found;
  throw new TimeError(
    'bad_time',
    `I do not know which time ${argument} ${JSON.stringify(cut(words, 60))} is. Try 14:30, yesterday, last week, friday night, october or 2026-03-10.`,
  );
}

/** Milliseconds of a window. Throws a TimeError. */
export function windowMs(iso: string): number {
  const found = durationMs(iso);
  if (found !== null && found > 0) return found;
  throw new TimeError(
    'bad_time',
    `The window ${JSON.stringify(cut(iso, 60))} is not a duration such as PT30M, PT2H or P7D.`,
  );
}

/**
 * Start and end of a look-up into the past; null where that end is open. Conflicting arguments are combined: all of
 * them apply. Throws a TimeError for words that are no time, and for periods in which nothing can have happened.
 */
export function periodOf(
  { during, since, until, window }: Times,
  here: Back,
): { from: Date | null; to: Date | null } {
  const { now } = here;
  const whole = typeof during === 'string' ? wholeNamed(during, here) : null;
  const end = typeof until === 'string' ? timeNamed('until', until, here).from : null;
  // "since monday until wednesday": the Monday before that Wednesday.
  const start = typeof since === 'string' ? timeNamed('since', since, here, end ?? now).from : null;
  const length = typeof window === 'string' ? windowMs(window) : null;
  const back = length === null ? null : new Date((end ?? now).getTime() - length);
  const from = latest([whole?.from, start, back]);
  const ends = [whole?.to, end].flatMap((one) => (one ? [one.getTime()] : []));
  const to = ends.length === 0 ? null : new Date(Math.min(...ends));
  const isPast = from === null || (to === null ? from <= now : from < to);
  if (isPast) return { from, to };
  throw new TimeError(
    'bad_time',
    `The time from ${from.toISOString()} until ${(to ?? now).toISOString()} is empty.`,
  );
}

/** A day, week or month; a single moment is no period in which anything could happen. */
function wholeNamed(words: string, here: Back): Span {
  const found = timeNamed('during', words, here);
  if (found.from < found.to) return found;
  throw new TimeError(
    'bad_time',
    `during ${JSON.stringify(cut(words, 60))} is one moment. Say a day, week or month, or since.`,
  );
}

function latest(moments: readonly (Date | null | undefined)[]): Date | null {
  const times = moments.flatMap((one) => (one ? [one.getTime()] : []));
  return times.length === 0 ? null : new Date(Math.max(...times));
}
