const perUnit: Readonly<Record<string, number>> = { W: 10_080, D: 1_440, H: 60, M: 1, S: 1 / 60 };

/** Minutes of an ISO 8601 duration of weeks, days, hours, minutes and seconds. */
export function minutesOf(duration: string): number {
  const parts = [...duration.matchAll(/(\d+)([WDHMS])/g)];
  return Math.round(
    parts.reduce((sum, [, count, unit]) => sum + Number(count) * (perUnit[unit ?? ''] ?? 0), 0),
  );
}
