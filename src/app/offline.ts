import type { Planner } from '../core/planning.ts';
import { droppedFirst } from '../plan/dropped.ts';
import { everydayNetwork } from '../plan/everyday/network.ts';
import { createEverydayPlanner } from '../plan/everyday/planner.ts';
import { WeightsError } from '../plan/everyday/weights.ts';
import { notationFirst } from '../plan/notation.ts';
import { playbooksByGoal } from '../plan/playbooks/by-goal.ts';
import { playbooksByName } from '../plan/playbooks/by-name.ts';
import { findExamples } from '../plan/playbooks/examples.ts';
import type { Playbook } from '../plan/playbooks/playbook.ts';
import type { FindExamples } from '../plan/ports.ts';
import { refuseFirst } from '../plan/refusals.ts';
import { reviewed } from '../plan/reviewed.ts';
import { reviewDraft } from '../review/review.ts';

export interface OfflinePlanners {
  /** Plans without a model: notation, playbooks by name, and everything else through `everyday`. */
  readonly planner: Planner;
  /** Plans inexact requests; returns nothing that the review would reject. */
  readonly everyday: Planner;
  /** Plans exact requests as written and refuses dangerous ones; anything else goes to `next`. */
  readonly exactFirst: (next: Planner) => Planner;
  /** Playbooks close to a goal, as examples for the model. */
  readonly examples: FindExamples;
  /** Why planning from words does not work without a model. */
  readonly problem: WeightsError | null;
}

export function offlinePlanner(
  installed: readonly Playbook[],
  all: () => Promise<readonly Playbook[]> = () => Promise.resolve(installed),
): OfflinePlanners {
  const network = everydayNetwork();
  const learned = createEverydayPlanner({ network, review: reviewDraft });
  const everyday = reviewed(playbooksByGoal(installed, learned), reviewDraft);
  const exactFirst = (next: Planner): Planner =>
    notationFirst(droppedFirst(playbooksByName(all, refuseFirst(next))));
  const problem = network instanceof WeightsError ? network : null;
  return { planner: exactFirst(everyday), everyday, exactFirst, examples: findExamples(installed), problem };
}
