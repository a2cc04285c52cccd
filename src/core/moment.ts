const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const day = 86_400_000;

/** Its number, Sunday's being 0; negative for any other word. */
function weekdayIn(words: string): number {
  return weekdays.indexOf(words.replace(/^(last|on) /, ''));
}

function startOfDay(now: Date, back = 0): Date {
  return new Date(Math.floor(now.getTime() / day) * day - back * day);
}

/** The first moment of what a calendar word names; days are those of UTC. */
function namedMoment(words: string, now: Date): Date | null {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const sinceMonday = (now.getUTCDay() + 6) % 7;
  switch (words.replace(/^(this|the) /, '')) {
    case 'now':
      return now;
    case 'today':
    case 'midnight':
    case 'morning':
      return startOfDay(now);
    case 'noon':
    case 'afternoon':
      return new Date(startOfDay(now).getTime() + day / 2);
    case 'yesterday':
      return startOfDay(now, 1);
    case 'last night':
      return new Date(startOfDay(now).getTime() - day / 4);
    case 'week':
      return startOfDay(now, sinceMonday);
    case 'last week':
      return startOfDay(now, sinceMonday + 7);
    case 'month':
      return new Date(Date.UTC(year, month));
    case 'last month':
      return new Date(Date.UTC(year, month - 1));
    case 'year':
      return new Date(Date.UTC(year, 0));
    default:
      return null;
  }
}

/**
 * The moment that words mean, seen from `now`: a clock time (the latest one, or on its day: `yesterday 14:00`), an ISO
 * date or time, a calendar word or a weekday. Times without a zone are UTC. Null when they mean none.
 */
export function momentOf(said: string, now: Date): Date | null {
  const words = said.trim().toLowerCase();
  const clock = /^(?:(?<of>.+?) (?:at )?)?(?<hour>[01]?\d|2[0-3]):(?<minute>[0-5]\d)(?: utc)?$/.exec(
    words,
  )?.groups;
  if (clock) {
    const ofDay = Number(clock.hour) * 3_600_000 + Number(clock.minute) * 60_000;
    const base = clock.of === undefined ? startOfDay(now) : momentOf(clock.of, now);
    if (base === null || base.getTime() % day !== 0) return null;
    const at = base.getTime() + ofDay;
    // Of what comes again the latest one is meant; a date, and today, are what they are.
    const every = clock.of === undefined ? day : weekdayIn(clock.of) >= 0 ? 7 * day : 0;
    return new Date(at > now.getTime() ? at - every : at);
  }
  const weekday = weekdayIn(words);
  if (weekday >= 0) return startOfDay(now, (now.getUTCDay() - weekday + 7) % 7);
  if (/^\d{4}-\d{2}-\d{2}(t\d{2}:\d{2}(:\d{2}(\.\d+)?)?(z|[+-]\d{2}:\d{2})?)?$/.test(words)) {
    const zoned = /t/.test(words) && !/(z|[+-]\d{2}:\d{2})$/.test(words) ? `${words}z` : words;
    const at = new Date(zoned.toUpperCase());
    return Number.isNaN(at.getTime()) ? null : at;
  }
  return namedMoment(words, now);
}
