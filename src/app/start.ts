import { expire } from '../approval/decisions.ts';
import { mend } from '../approval/mend.ts';
import { nudge } from '../approval/nudge.ts';
import { own } from '../core/own.ts';
import { createPipeline } from '../pipeline.ts';
import { onDeadParcel } from '../report/dead-letters.ts';
import { createRunner, type Runner } from '../run/runner.ts';
import { isExecutorLockHeld } from '../store/executor-lock.ts';
import { standingOf } from '../store/standing.ts';
import { openArrivals } from './arrivals.ts';
import { careForAudit } from './audit-care.ts';
import type { Books } from './books.ts';
import { mendPort, nudgePort } from './card-care.ts';
import { countedTools } from './counting.ts';
import { stateFolder } from './database.ts';
import { every } from './every.ts';
import { openGround } from './ground.ts';
import { mcpWatch } from './mcp-watch.ts';
import { type Ops, openOps } from './ops.ts';
import { deadLetterPort } from './report-stage.ts';
import { startReporting } from './reporting.ts';
import { removeOld } from './retention.ts';
import { runnerDeps } from './run-stage.ts';
import { createVoices } from './slack-events.ts';
import { buildStages } from './stages.ts';
import { buildWorkspace, type WorkspaceOptions } from './workspace.ts';

export interface AppOptions extends WorkspaceOptions {
  /** This process may not go on: others may run its steps. */
  readonly onLost: (reason: Error) => void;
}

export interface App {
  /** Port of the HTTP door, or null with Socket Mode. */
  readonly port: number | null;
  stop(): Promise<void>;
}

/** Milliseconds between looks for cards that nobody decided on, and for what dead processes had accepted. */
const lookMs = 1_000;
/** Milliseconds between looks for what a process left half done that died between two rows. */
const mendMs = 60_000;
/** Milliseconds between looks for what is older than the operator wants to keep. */
const tidyMs = 3_600_000;

/** Milliseconds between looks at the tools of MCP servers; each call looks at its own as well. */
const pinsMs = 600_000;

/** Builds everything, from the database up to Slack, and starts to take requests. */
export async function startApp(options: AppOptions): Promise<App> {
  const stack = new AsyncDisposableStack();
  try {
    const ops = await openOps(options, stack);
    const port = await build(options, ops, stack);
    const stop = () => {
      ops.readiness.stopping();
      return stack.disposeAsync();
    };
    return { port, stop };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

/** What was built last is stopped first: Slack's door, then what was accepted, the runs, the reports, the database. */
async function build(options: AppOptions, ops: Ops, stack: AsyncDisposableStack): Promise<number | null> {
  const { config, log, now, onLost } = options;
  const repeat = (ms: number, round: () => Promise<void>): void => {
    const loop = every(ms, round, log);
    stack.defer(() => loop.stop());
  };
  const ground = await openGround(options, ops, stack);
  const workspace = buildWorkspace(options, ground, ops);
  stack.defer(() => workspace.mcp.close());
  const { catalogue, policy, hosts } = workspace;
  const voices = createVoices();
  const onDead = onDeadParcel(deadLetterPort({ ...ground, voices, log, now }));
  const { manifests } = catalogue;
  const reporting = startReporting({ ...ground, manifests, hosts, policy, log, now, onDead });
  stack.defer(() => reporting.stop());
  careForAudit({ ...ground, reporting, log, now }, auditPlaces(options), { stack, repeat });

  let runner: Runner | null = null;
  const { figures } = ops;
  const built = buildStages({
    ground,
    workspace,
    reporting,
    runner: () => started(runner),
    figures,
    log,
    now,
  });
  const pipeline = createPipeline(built.stages);
  runner = await createRunner(
    runnerDeps({
      ...ground,
      ...workspace,
      tools: countedTools(workspace.tools, figures),
      pipeline,
      onLost,
      log,
      now,
    }),
  );
  stack.defer(() => started(runner).stop());
  const { executorId: executor, forget } = runner;
  const channel = channelId(config, config.defaults.channel);
  repeat(pinsMs, mcpWatch({ ...ground, mcp: workspace.mcp, reporting, channel, log }));

  const parts = { ...options, ground, workspace, reporting, built, pipeline, executor, voices };
  const arrivals = await openArrivals(parts, stack);
  showReadiness(ops, ground, { executor, isConnected: arrivals.isConnected, now });
  repeat(lookMs, () => arrivals.takeUp());
  repeat(lookMs, () => expire(built.approval.decisions));
  repeat(lookMs, () => nudge(nudgePort(built.approvalDeps)));
  repeat(mendMs, () => mend(mendPort(built.approvalDeps)));
  repeat(tidyMs, async () => {
    await removeOld({ ...ground, days: config.retention.days, forget, log, now });
  });
  return arrivals.port;
}

/** Everything is up: from here on it can be said of each part how it does. */
function showReadiness(
  { readiness, showStanding }: Ops,
  { db, teamId }: Books,
  about: { executor: string; isConnected: () => boolean; now: () => Date },
): void {
  showStanding(() => standingOf(db, teamId, about.now()));
  readiness.set('slack', () => (about.isConnected() ? null : 'not connected'));
  readiness.set('executor_lock', async () =>
    (await isExecutorLockHeld(db, about.executor)) ? null : 'not held',
  );
}

/** Where the end of the audit log is noted, and where it is posted; null for nowhere. */
function auditPlaces({ env, config }: AppOptions): { folder: string | null; channel: string | null } {
  return { folder: stateFolder(env), channel: channelId(config, config.audit.witness_channel) };
}

function channelId({ channels }: AppOptions['config'], name = ''): string | null {
  return own(channels, name)?.id ?? null;
}

function started(runner: Runner | null): Runner {
  if (runner === null) throw new TypeError('the runner is not up yet');
  return runner;
}
