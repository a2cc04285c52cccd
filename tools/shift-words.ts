const dayOf = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** A moment as people say it: `18:00 UTC`, with the day when it is not today; empty when there is none. */
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

/** What a person's clock shows: `03:12 in Europe/Madrid`; empty for a time zone that is not known. */
export function localTime(timeZone: string | undefined, moment: Date): string {
  if (timeZone === undefined) return '';
  try {
    return `${clockOf(timeZone).format(moment)} in ${timeZone}`;
  } catch (error) {
    // PagerDuty also knows names that are not in the time zone database.
    if (error instanceof RangeError) return '';
    throw error;
  }
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Made once for each zone, because that takes longer than all the rest of a page. Throws for a zone that is not known. */
function clockOf(timeZone: string): Intl.DateTimeFormat {
  const clock =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone });
  clocks.set(timeZone, clock);
  return clock;
}

/** How long ago a moment was: `just now`, `5 min ago`, `3 h ago`, `2 d ago`. */
export function ageWords(moment: string, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - Date.parse(moment)) / 60_000));
  if (minutes === 0) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h ago` : `${Math.floor(minutes / 1_440)} d ago`;
}
