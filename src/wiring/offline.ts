import type { Planner } from '../core/planning.ts';
import { createOfflinePlanner } from '../plan/offline/planner.ts';
import type { Playbook } from '../plan/playbooks/playbook.ts';
import type { FindExamples } from '../plan/ports.ts';

export type Playbooks = readonly Playbook[];

/** The planner without a model, and the playbooks that match a goal as examples for the model. */
export function offlinePlanner(playbooks: Playbooks): { planner: Planner; examples: FindExamples } {
  return { planner: createOfflinePlanner({ playbooks }), examples: () => [] };
}
