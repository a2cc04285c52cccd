const unitMs: Readonly<Record<string, number>> = {
  W: 604_800_000,
  D: 86_400_000,
  H: 3_600_000,
  M: 60_000,
  S: 1_000,
};

/** Milliseconds of an ISO 8601 duration of weeks, days, hours, minutes and seconds; null for months, years and the rest. */
export function durationMs(iso: string): number | null {
  if (!/^P(?=.)(\d{1,5}W)?(\d{1,5}D)?(T(?=.)(\d{1,6}H)?(\d{1,7}M)?(\d{1,8}S)?)?$/.test(iso)) return null;
  const parts = [...iso.matchAll(/(\d+)([WDHMS])/g)];
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (unitMs[unit ?? ''] ?? 0), 0);
}
