const dayOf = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** The end of a shift after a name: ` until 18:00 UTC`, with the day when it is not today; empty when open. */
export function untilWords(until: string | null, now: Date): string {
  const end = until === null ? Number.NaN : Date.parse(until);
  if (Number.isNaN(end)) return '';
  const iso = new Date(end).toISOString();
  const day = iso.slice(0, 10) === now.toISOString().slice(0, 10) ? '' : `${dayOf.format(end)} `;
  return ` until ${day}${iso.slice(11, 16)} UTC`;
}
