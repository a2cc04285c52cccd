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
  /** Plans without a model: notation, playbooks by name, and all else as `everyday` does. */
  readonly planner: Planner;
  /** Plans what is not exact; nothing that the review would reject. */
  readonly everyday: Planner;
  /** What is exact is planned as it stands and what is dangerous refused; all else goes to `next`. */
  readonly exactFirst: (next: Planner) => Planner;
  /** Playbooks that are near a goal, as examples for the model. */
  readonly examples: FindExamples;
  /** Why plans cannot be made from words without a model. */
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
