import type { PlanningInput } from '../../core/planning.ts';
import { type Heard, hear } from './heard.ts';
import { nameIndex } from './names.ts';
import { oldSteps } from './old-plan.ts';

/** Everything said about a request in the pieces the network reads; null if the plan to change has an unknown tool. */
export function heardOf({ goal, answers, change, catalogue }: PlanningInput): Heard | null {
  const names = nameIndex(catalogue);
  if (change === null) return hear(saidIn(goal, answers), names);
  const steps = oldSteps(change.plan, catalogue.manifests);
  return (
    steps &&
    hear(
      {
        goal: '',
        answers: [{ slot: 'change', answer: change.words }],
        old: { steps, isWatched: change.plan.watch !== undefined },
      },
      names,
    )
  );
}

/** The goal with what was answered; what was said about the rest of a plan is a request of its own. */
function saidIn(goal: string, answers: PlanningInput['answers']): Parameters<typeof hear>[0] {
  const isOfRest = answers.some(({ missing }) => missing[0] === 'rest');
  const anew = isOfRest
    ? answers.findLastIndex(({ missing }) => /^(?:rest|goal)$/u.test(missing[0] ?? ''))
    : -1;
  return {
    goal: answers[anew]?.answer ?? goal,
    answers: answers.slice(anew + 1).map(({ missing, answer }) => ({ slot: slotOf(missing[0]), answer })),
  };
}

/** The thing that was asked for, as the examples call it. */
const slotOf = (missing = 'goal'): string =>
  ({ goal: 'what', rest: 'what', bound: 'threshold', summary: 'text' })[missing] ?? missing;
