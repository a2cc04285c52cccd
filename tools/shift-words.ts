const dayOf = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** A moment in readable form: `18:00 UTC`, with the day if it is not today; empty if there is none. */
export function momentWords(moment: string | null, now: Date): string {
  const time = moment === null ? Number.NaN : Date.parse(moment);
  if (Number.isNaN(time)) return '';
  const iso = new Date(time).toISOString();
  const day = iso.slice(0, 10) === now.toISOString().slice(0, 10) ? '' : `${dayOf.format(time)} `;
  return `${day}${iso.slice(11, 16)} UTC`;
}

/** The end of a shift after a name: ` until 18:00 UTC`; empty when open. */
export function untilWords(until: string | null, now: Date): string {
  const moment = momentWords(until, now);
  return moment === '' ? '' : ` until ${moment}`;
}

/** The local time of a person: `03:12 in Europe/Madrid`; empty for an unknown time zone. */
export function localTime(timeZone: string | undefined, moment: Date): string {
  if (timeZone === undefined) return '';
  try {
    return `${clockOf(timeZone).format(moment)} in ${timeZone}`;
  } catch (error) {
    // PagerDuty also has names that are not in the time zone database.
    if (error instanceof RangeError) return '';
    throw error;
  }
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Created once per zone, because that takes longer than the rest of a page. Throws for an unknown zone. */
function clockOf(timeZone: string): Intl.DateTimeFormat {
  const clock =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone });
  clocks.set(timeZone, clock);
  return clock;
}

/** The age of a moment: `just now`, `5 min ago`, `3 h ago`, `2 d ago`. */
export function ageWords(moment: string, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - Date.parse(moment)) / 60_000));
  if (minutes === 0) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h ago` : `${Math.floor(minutes / 1_440)} d ago`;
}
