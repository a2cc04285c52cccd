const steps: readonly (readonly [seconds: number, unit: Intl.RelativeTimeFormatUnit])[] = [
  [31_557_600, 'year'],
  [2_629_800, 'month'],
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
];
const words = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** The age of an ISO 8601 time: `3 days ago`; `just now` below a minute. */
export function agoWords(iso: string, now: Date): string {
  const seconds = (now.getTime() - Date.parse(iso)) / 1_000;
  const step = steps.find(([size]) => seconds >= size);
  return step === undefined ? 'just now' : words.format(-Math.floor(seconds / step[0]), step[1]);
}
