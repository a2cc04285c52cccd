import { expire } from '../approval/card-actions.ts';
import { remindAll } from '../approval/reminders.ts';
import { repair } from '../approval/repair.ts';
import { applyStanding } from '../approval/standing/apply.ts';
import { tellNobody } from '../blocks/message.ts';
import { own } from '../core/own-property.ts';
import { createPipeline } from '../pipeline.ts';
import { reviewDraft } from '../review/review.ts';
import type { Starter } from '../run/start.ts';
import { doubtsAbout, type SchedulePlanning } from '../watches/schedules.ts';
import { tracedPipeline, tracedStages } from './decorators.ts';
import { type OpenArrivals, openArrivals } from './event-handlers.ts';
import { webhookSecrets } from './listen.ts';
import { openPlanners } from './planner.ts';
import type { AppOptions, TeamBase, TeamParts } from './process-context.ts';
import { buildStages } from './stages.ts';

/** Milliseconds between repairs of what a dead process left half done. */
const repairMs = 60_000;
/** Milliseconds between looks at the tables of databases and log systems. */
const tablesMs = 3_600_000;

/** Serves the people of a workspace: takes requests, plans them, and takes decisions. */
export async function openFront(
  { options, ops, executor, teamBase, workspace, reporting, replies, repeat, whenDue, stack }: TeamParts,
  door: TeamBase['db'],
  starter: Starter,
): Promise<Pick<OpenArrivals, 'handlers' | 'incidents' | 'alerts' | 'agents'>> {
  const { log, now } = options;
  const planners = openPlanners(options, teamBase, workspace, ops);
  stack.defer(() => planners.shadow?.stop());
  const parts = { teamBase, workspace, planners, reporting, log, now };
  const hasWebhooks = webhookSecrets(options.env).length > 0;
  const replyTo = (requestId: string) => replies.get(requestId);
  const { config } = options;
  const built = buildStages({ ...parts, starter, hasWebhooks, replyTo, config, figures: ops.figures });
  const { teamId } = teamBase;
  const stages = tracedStages(built.stages, options.tracing, teamId);
  const pipeline = tracedPipeline(createPipeline(stages), options.tracing, teamId);
  const { catalogue } = workspace;
  const context = { ...teamBase, ...built, pipeline, config, catalogue, library: planners.library };
  const arrivals = await openArrivals(
    { ...context, reporting, replies, now, log },
    { executor, door, playbooks: options.playbooks, variables: options.variables },
    stack,
  );
  await tellDoubts(options, teamId, { ...workspace, planner: planners.planner });
  whenDue('arrivals', () => arrivals.takeUp());
  whenDue('watches', () => arrivals.checkWatches());
  whenDue('alerts', () => built.stages.alerts.round());
  whenDue('incidents', () => built.stages.incidents.round());
  whenDue('expired', () => expire(built.approval));
  const tried = new Set<string>();
  whenDue('standing', async () => {
    for (const run of await applyStanding(built.approval, tried))
      await built.stages.run.start(run, tellNobody);
  });
  whenDue('reminders', () => remindAll(built.approval));
  repeat(repairMs, () => built.stages.incidents.adopt());
  repeat(repairMs, () => repair(built.approval));
  if (planners.hasModel) repeat(tablesMs, workspace.readTables);
  return arrivals;
}

/** Warns of schedules that lead to no plan; not with a model, whose plans cannot be predicted. */
async function tellDoubts(
  { env, config, workspaces, inDoubt }: AppOptions,
  teamId: string,
  planning: Omit<SchedulePlanning, 'review'>,
): Promise<void> {
  if (env.PLANNER_MODEL) return;
  const path = own(workspaces, teamId) === undefined ? [] : ['workspaces', teamId];
  const doubts = await doubtsAbout(config, path, { ...planning, review: reviewDraft });
  for (const doubt of doubts) inDoubt(doubt);
}
