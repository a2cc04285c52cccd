import type { Plan } from '../../core/plan.ts';
import { type Composed, compose } from './compose.ts';
import type { Given } from './memory.ts';
import { readingsOf } from './search.ts';
import type { Text } from './text.ts';
import { planOf, stepsOf } from './to-plan.ts';

/** One plan that a request may mean. */
export interface Candidate {
  readonly composed: Composed;
  /** Put into words only when it is looked at. */
  readonly plan: Plan;
  /** Every word is carried by a step or carries nothing, and nothing has to be asked. */
  readonly whole: boolean;
}

/** The plans that a request may mean, the likeliest first. */
export function candidatesFor(text: Text, given: Given): Candidate[] {
  const { tools } = text.lexicon;
  const composed = readingsOf(text)
    .map((reading) => compose(text, given, reading))
    .filter(({ steps }) => steps.length > 0)
    .sort((a, b) => b.score - a.score);
  const seen = new Map<string, Candidate>();
  for (const one of composed) {
    const steps = stepsOf(one, tools);
    const key = JSON.stringify(steps.map(({ tool, args, when }) => [tool, args, when]));
    const whole = one.left.length === 0 && one.needs.length === 0 && !one.loose;
    let plan: Plan | null = null;
    if (!seen.has(key))
      seen.set(key, {
        ...{ composed: one, whole },
        get plan() {
          plan ??= planOf(text.goal, steps, one.assumptions, tools);
          return plan;
        },
      });
  }
  return [...seen.values()];
}
