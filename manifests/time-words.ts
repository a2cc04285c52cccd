const units: Record<string, string> = { W: 'week', D: 'day', H: 'hour', M: 'minute', S: 'second' };

/** An ISO 8601 duration in words: PT45M is "45 minutes". Anything else is returned as it is. */
export function durationWords(iso: string): string {
  if (!/^P(\d+W|(\d+D)?(T(\d+H)?(\d+M)?(\d+S)?)?)$/.test(iso)) return iso;
  const parts = [...iso.matchAll(/(\d+)([WDHMS])/g)].map(([, count, unit]) => {
    const word = units[unit ?? ''] ?? '';
    return `${count} ${word}${count === '1' ? '' : 's'}`;
  });
  return parts.join(' ') || iso;
}

/** "in the last 2 hours", "in the last hour". */
export function lastWords(iso: string): string {
  return `in the last ${durationWords(iso).replace(/^1 (?=\w+$)/, '')}`;
}

const past = ['last', 'past'];

/** What people put before a duration that ends now: "in the last 2 hours", "past 30 minutes". */
export const pastCues = [
  'since',
  ...past,
  'previous',
  ...past.map((word) => `the ${word}`),
  ...['in', 'over', 'within', 'during', 'for', 'from'].flatMap((before) =>
    past.map((word) => `${before} the ${word}`),
  ),
];
