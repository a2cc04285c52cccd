const unitMs: Readonly<Record<string, number>> = {
  W: 604_800_000,
  D: 86_400_000,
  H: 3_600_000,
  M: 60_000,
  S: 1_000,
};

/** Short forms that people write instead of an ISO 8601 duration: "30m", "2 h", "5 days". */
const short = /^(\d{1,6}) ?(?:(w)(?:eeks?)?|(d)(?:ays?)?|(h)(?:ours?|rs?)?|(m)(?:in(?:ute)?s?)?)$/iu;

/**
 * Milliseconds of an ISO 8601 duration in weeks, days, hours, minutes and seconds, or of a number with a unit; null for
 * months, years and anything else.
 */
export function durationMs(said: string): number | null {
  const [, count, ...unit] = short.exec(said) ?? [];
  if (count !== undefined) return Number(count) * (unitMs[unit.join('').toUpperCase()] ?? 0);
  if (!/^P(?=.)(\d{1,5}W)?(\d{1,5}D)?(T(?=.)(\d{1,6}H)?(\d{1,7}M)?(\d{1,8}S)?)?$/.test(said)) return null;
  const parts = [...said.matchAll(/(?<!\d)(\d+)([WDHMS])/g)];
  return parts.reduce((sum, [, amount, letter]) => sum + Number(amount) * (unitMs[letter ?? ''] ?? 0), 0);
}

/** Whole minutes of a duration, rounded up; 0 for an invalid one. */
export const durationMinutes = (said: string): number => Math.ceil((durationMs(said) ?? 0) / 60_000);
