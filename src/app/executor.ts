import { own } from '../core/own.ts';
import { createTelling } from '../pipeline.ts';
import type { WorkDeps } from '../run/ports.ts';
import { createRunner, type Runner } from '../run/runner.ts';
import * as followed from '../store/followed.ts';
import { removeOld } from '../store/retention.ts';
import { countedReports, countedTools } from './counting.ts';
import { openingTools } from './following.ts';
import { leaveToFront, leaveToPlanners } from './inbox.ts';
import { mcpWatch } from './mcp-watch.ts';
import type { ProcessParts, TeamParts } from './process-parts.ts';
import { reportStage } from './report-stage.ts';
import { runnerDeps, workDeps } from './runner-deps.ts';
import { aroundRuns, tracedTools } from './tracing.ts';

/** Milliseconds between looks for what is older than the operator wants to keep. */
const tidyMs = 3_600_000;
/** Milliseconds between looks at the tools of MCP servers; each call looks at its own as well. */
const pinsMs = 600_000;

/** Runs what people said yes to, here and in processes that have no runner. */
export async function openRunner(
  { base, clock, options: { log, onLost }, stack }: ProcessParts,
  workOf: (teamId: string) => WorkDeps | null,
): Promise<Runner> {
  const runner = await createRunner(runnerDeps(base, { workOf, onLost, clock, log }));
  stack.defer(() => runner.stop());
  return runner;
}

/** With what the runs of a workspace are worked on, and the care for what they leave. */
export function openWork(parts: TeamParts): WorkDeps {
  const { ground, workspace, reporting, ops, repeat } = parts;
  const { config, log, now, tracing } = parts.options;
  const { figures } = ops;
  const { teamId } = ground;
  const tools = openingTools(workspace.catalogue.manifests);
  const report = reportStage(reporting, {
    leave: (failed) => leaveToPlanners(ground, failed, now()),
    leavePressed: (event) => leaveToFront(ground, event, now()),
    touched: (ids) => followed.follow(ground.db, { teamId, ids, tools, at: now() }),
  });
  const channel = own(config.channels, config.defaults.channel ?? '')?.id ?? null;
  repeat(pinsMs, mcpWatch({ ...ground, mcp: workspace.mcp, reporting, channel, log }));
  void workspace.databases.checkRoles();
  repeat(tidyMs, async () => {
    const { days } = config.retention;
    const removed = await removeOld(ground.db, { teamId, days, now: now() });
    if (removed > 0) log.info({ requests: removed, days }, 'Removed what is older than retention.days');
  });
  const traced = tracedTools(countedTools(workspace.tools, figures), tracing);
  return workDeps(
    ground,
    { ...workspace, tools: traced },
    {
      around: aroundRuns(ground, tracing),
      telling: createTelling({ report: countedReports(report, figures, workspace.catalogue.manifests) }),
      ...{ log, now },
    },
  );
}
