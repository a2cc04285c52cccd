import { setTimeout as pause } from 'node:timers/promises';
import { changedSince } from '../approval/basis.ts';
import { describeError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { own } from '../core/own-property.ts';
import { cardLink } from '../history/plans.ts';
import { followAfter } from '../incidents/follow.ts';
import { mcpWatch } from '../report/operator-notices.ts';
import { checkRound } from '../run/check-writes.ts';
import type { WorkDeps } from '../run/context.ts';
import { createRunner, type Runner } from '../run/runner.ts';
import { removeOld } from '../store/retention.ts';
import { aroundRuns, countedTools, observedReports, tracedTools } from './decorators.ts';
import type { ProcessParts, TeamParts, Workspace } from './process-context.ts';
import { reportStage } from './reporting.ts';

/** Milliseconds between deletions of data older than the operator wants to keep. */
const tidyMs = 3_600_000;
/** Milliseconds between checks of MCP servers' tools that are off, and how many until all are; calls check as well. */
const pinsMs = 20_000;
const everyLook = 30;
/** Milliseconds for looking up the routing keys of all services: a large account needs a hundred requests. */
const keysMs = 120_000;

/** Runs approved plans, including those of processes without a runner. */
export async function openRunner(
  { base, clock, options: { log, onLost }, stack }: ProcessParts,
  workOf: (teamId: string) => WorkDeps | null,
): Promise<Runner> {
  const runner = await createRunner({
    ...{ ...base, workOf, onLost, log },
    whileOpen: (round) => clock.on(null, 'runs', round),
  });
  stack.defer(() => runner.stop());
  return runner;
}

/** Looks up at the start what a page needs, so that PagerDuty's REST API may be down when it is sent. */
async function warnOfUnpageable(loadKeys: Workspace['loadKeys'], log: Log): Promise<void> {
  try {
    for (const problem of await loadKeys(AbortSignal.timeout(keysMs)))
      log.error({ problem }, 'A service cannot be paged');
  } catch (error) {
    log.warn(describeError(error), 'The routing keys are looked up when they are needed');
  }
}

/** Dependencies for a workspace's runs, and the cleanup after them. */
export function openWork(parts: TeamParts): WorkDeps {
  const { teamBase, workspace, reporting, ops, repeat, whenDue } = parts;
  const { config, log, now, tracing } = parts.options;
  const { figures } = ops;
  const { teamId } = teamBase;
  const { manifests } = workspace.catalogue;
  const stage = reportStage(reporting, (event) => followAfter(event, { ...teamBase, manifests, now }));
  const report = observedReports(stage, { figures, log }, manifests);
  const channel = own(config.channels, config.defaults.channel ?? '')?.id ?? null;
  repeat(pinsMs, mcpWatch({ ...teamBase, mcp: workspace.mcp, reporting, channel, everyLook, log }));
  void workspace.databases.checkRoles();
  void warnOfUnpageable(workspace.loadKeys, log);
  repeat(tidyMs, async () => {
    const { days } = config.retention;
    const removed = await removeOld(teamBase.db, { teamId, days, now: now() });
    if (removed > 0) log.info({ requests: removed, days }, 'Removed what is older than retention.days');
  });
  const { readers, writers, catalogue, policy, judge } = workspace;
  const work: WorkDeps = {
    ...{ db: teamBase.db, code: teamBase.code, readers, writers, catalogue, policy, judge, now, log },
    stepsAtOnce: config.limits.steps_at_once,
    changedSince: (sealed) => changedSince(sealed, { catalogue, policy }),
    tools: tracedTools(countedTools(workspace.tools, figures), tracing),
    threadLink: ({ channel, ts }) => cardLink(teamBase.gateway, { cardChannel: channel, cardTs: ts }),
    messagesFor: report.messagesFor,
    claim: reporting.claim,
    emit: report.stored,
    around: aroundRuns(teamBase, tracing),
    sleep: (ms) => pause(ms),
    random: Math.random,
  };
  whenDue('checks', () => checkRound(work, teamId));
  return work;
}
