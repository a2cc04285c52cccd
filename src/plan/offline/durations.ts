/** Minutes of an ISO 8601 duration; 0 for what is none. */
export function minutesOf(iso: string): number {
  const match = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/u.exec(iso);
  if (!match) return 0;
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  return weeks * 10_080 + days * 1_440 + hours * 60 + minutes + Math.ceil(seconds / 60);
}
