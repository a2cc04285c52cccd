import { describeError } from '../core/errors.ts';
import type { Planner } from '../core/planning.ts';
import type { Shelf } from '../plan/playbooks/library.ts';
import type { ReadingWorkspace, WorkspaceOptions } from './build-workspace.ts';
import { installedManifests } from './installed-tools.ts';
import { offlinePlanner } from './offline.ts';
import { type Ops, watchedModel } from './ops.ts';
import { composedPlanner } from './planner.ts';
import { openShelf } from './playbooks.ts';
import type { Ground } from './process-context.ts';

/** Turns words into plans. */
export interface Mind {
  readonly shelf: Shelf;
  readonly planner: Planner;
  /** A model is configured, which may take a while. */
  readonly hasModel: boolean;
  /** Plans without a model. */
  readonly offline: Planner;
}

export function openMind(
  { env, config, playbooks, log, now }: WorkspaceOptions,
  ground: Ground,
  { catalogue, budget }: ReadingWorkspace,
  ops: Ops,
): Mind {
  const shelf = openShelf(ground, playbooks, { catalogue, manifests: installedManifests(config) }, now);
  const planners = offlinePlanner(playbooks, shelf.all);
  if (planners.problem)
    log.error(describeError(planners.problem), 'Plans are made by notation, playbooks and the model only');
  const planner = composedPlanner(env, planners, budget, {
    tell: (why) => log.warn(why, 'The model gave no plan'),
    watch: watchedModel(ops),
  });
  return { shelf, planner, hasModel: env.PLANNER_MODEL !== undefined, offline: planners.planner };
}
