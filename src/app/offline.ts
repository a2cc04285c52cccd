import type { Planner } from '../core/planning.ts';
import { notationFirst } from '../plan/notation.ts';
import { createOfflinePlanner } from '../plan/offline/planner.ts';
import { playbooksByName } from '../plan/playbooks/by-name.ts';
import { findExamples } from '../plan/playbooks/examples.ts';
import type { Playbook } from '../plan/playbooks/playbook.ts';
import type { FindExamples } from '../plan/ports.ts';

/** The planner without a model, and the playbooks that are near a goal as examples for the model. */
export function offlinePlanner(
  installed: readonly Playbook[],
  all: () => Promise<readonly Playbook[]> = () => Promise.resolve(installed),
): { planner: Planner; examples: FindExamples } {
  const planner = notationFirst(playbooksByName(all, createOfflinePlanner({ playbooks: installed })));
  return { planner, examples: findExamples(installed) };
}
