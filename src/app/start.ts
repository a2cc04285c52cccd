import type { Role } from '../config/role.ts';
import { own } from '../core/own.ts';
import { onDeadParcel } from '../report/dead-letters.ts';
import { isExecutorLockHeld } from '../store/executor-lock.ts';
import { standingOf } from '../store/standing.ts';
import { careForAudit } from './audit-care.ts';
import type { Books } from './books.ts';
import { careForClock } from './clock-care.ts';
import { stateFolder } from './database.ts';
import { every } from './every.ts';
import { openGround } from './ground.ts';
import { meetNeighbours } from './neighbours.ts';
import { type Ops, openOps } from './ops.ts';
import type { AppOptions, ProcessParts, Repeat } from './process-parts.ts';
import { deadLetterPort } from './report-stage.ts';
import { startReporting } from './reporting.ts';
import { offering, type Starter } from './run-stage.ts';
import { tracedPosts } from './tracing.ts';
import { createVoices } from './voices.ts';
import { buildWorkspace } from './workspace.ts';

export interface App {
  /** Port of the HTTP door, or null without one. */
  readonly port: number | null;
  /** Identity among the processes that share the database. */
  readonly id: string;
  stop(): Promise<void>;
}

/** Builds everything that this process's role has, from the database up to Slack, and starts to work. */
export async function startApp(options: AppOptions): Promise<App> {
  const stack = new AsyncDisposableStack();
  try {
    stack.defer(() => options.tracing.close());
    const ops = await openOps(options, stack);
    const built = await build(options, ops, stack);
    const stop = () => {
      ops.readiness.stopping();
      return stack.disposeAsync();
    };
    return { ...built, stop };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

/** What was built last is stopped first: Slack's door, then what was accepted, the runs, the reports, the database. */
async function build(
  options: AppOptions,
  ops: Ops,
  stack: AsyncDisposableStack,
): Promise<Pick<App, 'port' | 'id'>> {
  const { env, log, now } = options;
  const role = env.COUNTERSIGN_ROLE;
  const repeat: Repeat = (ms, round) => {
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
  const gateway = tracedPosts(ground.gateway, options.tracing, ground.teamId);
  const reporting = startReporting({ ...ground, gateway, manifests, hosts, policy, log, now, onDead });
  stack.defer(() => reporting.stop());
  careForAudit({ ...ground, reporting, log, now }, auditPlaces(options), { stack, repeat });

  const parts: ProcessParts = { options, ops, ground, workspace, reporting, voices, repeat, stack };
  const { executor, starter } = await openRuns(parts, role);
  await meetNeighbours({ ...parts, executor });
  careForClock(parts);
  const front = role === 'executor' ? null : await openFront(parts, executor, starter);
  const isConnected = front?.isConnected ?? (() => true);
  showReadiness(ops, ground, { executor, isConnected, now });
  return { port: front?.port ?? null, id: executor };
}

/** A role loads nothing but what it needs: a front no run engine, an executor neither planner nor Slack's door. */
async function openRuns(parts: ProcessParts, role: Role): Promise<{ executor: string; starter: Starter }> {
  if (role === 'front') {
    const { appear } = await import('./presence.ts');
    return { executor: await appear(parts), starter: offering(parts.ground) };
  }
  const { openExecutor } = await import('./executor.ts');
  return openExecutor(parts);
}

async function openFront(parts: ProcessParts, executor: string, starter: Starter) {
  const front = await import('./front.ts');
  return front.openFront(parts, executor, starter);
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
  const channel = own(config.channels, config.audit.witness_channel ?? '')?.id ?? null;
  return { folder: stateFolder(env), channel };
}
