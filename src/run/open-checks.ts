import type { Plan } from '../core/plan.ts';
import type { CheckDue, StepResult } from '../core/run.ts';

/** Milliseconds between two looks: a tenth of the time, within these bounds. */
const pause = { min: 2_000, max: 60_000 } as const;

export function pauseOf(within: number): number {
  return Math.min(pause.max, Math.max(pause.min, within * 100));
}

/** The checks of the writes that were made. */
export function checksAfter({ steps }: Plan, results: readonly StepResult[], now: Date): CheckDue[] {
  return steps.flatMap(({ id: stepId, verify }) => {
    const made = results.find((result) => result.stepId === stepId && result.status === 'succeeded');
    if (verify === undefined || made === undefined) return [];
    const until = new Date(Date.parse(made.finishedAt) + verify.within * 1_000);
    const next = new Date(now.getTime() + pauseOf(verify.within));
    return [{ stepId, lookAt: earlier(next, until).toISOString(), until: until.toISOString() }];
  });
}

export const earlier = (one: Date, other: Date): Date => (one < other ? one : other);
