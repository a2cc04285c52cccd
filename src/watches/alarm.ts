import type { Worse } from './cadence.ts';
import type { Measured } from './watch-threshold.ts';

/** The outcome of one check of a condition. */
export type Look =
  | { readonly kind: 'true'; readonly measured: Measured | null }
  | { readonly kind: 'false' }
  /** A value the condition depends on could not be read. */
  | { readonly kind: 'unclear' };

/** State that a watch keeps between checks. */
export interface Alarm {
  /** When the condition began to hold (ISO 8601) and the last value reported; null while it does not hold. */
  readonly on: { readonly since: string; readonly said: number | null } | null;
  /** Consecutive checks without a clear answer. */
  readonly failures: number;
}

/** Events worth reporting. `failing` and `works` are reported once per stretch of failed checks. */
export type AlarmEvent = 'began' | 'worse' | 'over' | 'failing' | 'works';

export interface AlarmRules {
  readonly worse: Worse;
  /** Consecutive failed checks before people are notified. */
  readonly failures: number;
}

export const quiet: Alarm = { on: null, failures: 0 };

/** Applies one check to the alarm and returns the events worth reporting. An unclear check leaves the condition as it was. */
export function afterLook(
  before: Alarm,
  look: Look,
  { worse, failures: max }: AlarmRules,
  at: string,
): { alarm: Alarm; events: readonly AlarmEvent[] } {
  if (look.kind === 'unclear') {
    const failures = before.failures + 1;
    return { alarm: { ...before, failures }, events: failures === max ? ['failing'] : [] };
  }
  const works: AlarmEvent[] = before.failures >= max ? ['works'] : [];
  if (look.kind === 'false') {
    return { alarm: quiet, events: before.on === null ? works : [...works, 'over'] };
  }
  const value = look.measured?.value ?? null;
  if (before.on === null) {
    return { alarm: { on: { since: at, said: value }, failures: 0 }, events: [...works, 'began'] };
  }
  const { said } = before.on;
  const isWorse = said !== null && look.measured !== null && isWorseThan(said, look.measured, worse);
  const on = isWorse || said === null ? { ...before.on, said: value } : before.on;
  return { alarm: { on, failures: 0 }, events: isWorse ? [...works, 'worse'] : works };
}

/** At least one full step worse than the value last reported. */
function isWorseThan(said: number, { value, worse }: Measured, { by, unit }: Worse): boolean {
  const step = unit === 'percent' ? (Math.abs(said) * by) / 100 : by;
  const change = (value - said) * worse;
  return change > 0 && change >= step;
}
