import type { Worse } from '../core/cadence.ts';
import type { Alarm } from '../core/watch.ts';
import type { Measured } from './threshold.ts';

/** The outcome of one check of a condition. */
export type CheckResult =
  | { readonly kind: 'true'; readonly measured: Measured | null }
  | { readonly kind: 'false' }
  /** A value the condition depends on could not be read. */
  | { readonly kind: 'unclear' };

/** Events worth reporting. `failing` and `works` are reported once per stretch of failed checks. */
export type AlarmEvent = 'began' | 'worse' | 'over' | 'failing' | 'works';

export interface AlarmRules {
  readonly worse: Worse;
  /** Consecutive failed checks before people are notified. */
  readonly failures: number;
}

export const quiet: Alarm = { on: null, failures: 0 };

/** Applies one check to the alarm and returns the events worth reporting. An unclear check leaves the condition as it was. */
export function afterCheck(
  before: Alarm,
  result: CheckResult,
  { worse, failures: max }: AlarmRules,
  at: string,
): { alarm: Alarm; events: readonly AlarmEvent[] } {
  if (result.kind === 'unclear') {
    const failures = before.failures + 1;
    return { alarm: { ...before, failures }, events: failures === max ? ['failing'] : [] };
  }
  const works: AlarmEvent[] = before.failures >= max ? ['works'] : [];
  if (result.kind === 'false') {
    return { alarm: quiet, events: before.on === null ? works : [...works, 'over'] };
  }
  const value = result.measured?.value ?? null;
  if (before.on === null) {
    return { alarm: { on: { since: at, said: value }, failures: 0 }, events: [...works, 'began'] };
  }
  const { said } = before.on;
  const isWorse = said !== null && result.measured !== null && isWorseThan(said, result.measured, worse);
  const on = isWorse || said === null ? { ...before.on, said: value } : before.on;
  return { alarm: { on, failures: 0 }, events: isWorse ? [...works, 'worse'] : works };
}

/** At least one full step worse than the value last reported. */
function isWorseThan(said: number, { value, worse }: Measured, { by, unit }: Worse): boolean {
  const step = unit === 'percent' ? (Math.abs(said) * by) / 100 : by;
  const change = (value - said) * worse;
  return change > 0 && change >= step;
}
