import type { Worse } from './cadence.ts';
import type { Measured } from './measure.ts';

/** What one look at a condition came to. */
export type Look =
  | { readonly kind: 'true'; readonly measured: Measured | null }
  | { readonly kind: 'false' }
  /** Something that decides it could not be read. */
  | { readonly kind: 'unclear' };

/** What a watch remembers from one look to the next. */
export interface Alarm {
  /** Since when the condition holds (ISO 8601), and what was measured when it was last said; null while it does not. */
  readonly on: { readonly since: string; readonly said: number | null } | null;
  /** Looks in a row that could not tell. */
  readonly failures: number;
}

/** What is worth saying. `failing` and `works` come once for each stretch of failed looks. */
export type AlarmEvent = 'began' | 'worse' | 'over' | 'failing' | 'works';

export interface AlarmRules {
  readonly worse: Worse;
  /** Failed looks in a row after which people are told. */
  readonly failures: number;
}

export const quiet: Alarm = { on: null, failures: 0 };

/** What a look changes, and what of it is worth saying. A look that cannot tell changes nothing about the condition. */
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

/** At least one whole step worse than what was said last. */
function isWorseThan(said: number, { value, worse }: Measured, { by, unit }: Worse): boolean {
  const step = unit === 'percent' ? (Math.abs(said) * by) / 100 : by;
  const change = (value - said) * worse;
  return change > 0 && change >= step;
}
