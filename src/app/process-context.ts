import { LRUCache } from 'lru-cache';
import type { AgentContext } from '../agents/context.ts';
import type { AlertContext } from '../alerts/context.ts';
import type { ApprovalContext } from '../approval/context.ts';
import type { PeopleDirectory } from '../approval/ports.ts';
import { refuseStrangeKeys } from '../audit/other-keys.ts';
import type { Say } from '../blocks/message.ts';
import type { Complaint } from '../config/complaint.ts';
import type { Env } from '../config/env.ts';
import type { OperatorConfig } from '../config/schema.ts';
import { version } from '../config/version.ts';
import type { OperatorFile } from '../config/workspaces.ts';
import type { Catalogue } from '../core/catalogue.ts';
import type { Log } from '../core/log.ts';
import type { Policy } from '../core/policy.ts';
import type { Tool } from '../core/tool.ts';
import type { ReviewDeps } from '../history/review.ts';
import type { HistoryDeps } from '../history/status.ts';
import { type CurrentFigures, createFigures, type Figures } from '../ops/figures.ts';
import { createMeter, type Meter } from '../ops/meter.ts';
import { createReadiness, type Readiness } from '../ops/readiness.ts';
import { openOpsServer } from '../ops/server.ts';
import { noTracing, type Tracing } from '../ops/tracing.ts';
import type { Pipeline } from '../pipeline.ts';
import type { Library } from '../plan/playbooks/library.ts';
import type { Playbook } from '../plan/playbooks/playbook.ts';
import type { Clock, DueKind } from '../process/clock.ts';
import type { RequestContext } from '../request/context.ts';
import { type CodePool, createCodePool } from '../run/code/pool.ts';
import type { WorkDeps } from '../run/context.ts';
import type { FrontStages } from '../stages.ts';
import { ping } from '../store/backlog.ts';
import { type DiskSpace, watchDiskSpace } from '../store/disk-space.ts';
import { awaitStore, warnOfRewriting } from '../store/open.ts';
import type { TeamDb, TolerantDb } from '../store/tables.ts';
import type { DayBudget } from '../store/usage.ts';
import type { Mcp } from '../vendors/mcp/servers.ts';
import type { KnownKeys } from '../vendors/pagerduty/services.ts';
import type { SlackGateway } from '../vendors/slack/gateway.ts';
import type { WatchContext } from '../watches/context.ts';
import type { Reporting } from './reporting.ts';
import { serverOf, type Vendors } from './vendors.ts';

export interface WorkspaceOptions {
  readonly env: Env;
  readonly config: OperatorConfig;
  readonly playbooks: readonly Playbook[];
  /** The raw environment; it holds routing keys under the operator's own names. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  readonly now: () => Date;
}

/** The bot's knowledge of the operator's company, and its connections there. */
export interface Workspace extends Vendors {
  readonly catalogue: Catalogue;
  /** The tool implementations, by name. */
  readonly tools: ReadonlyMap<string, Tool>;
  readonly policy: Policy;
  readonly mcp: Mcp;
  readonly judge: WorkDeps['judge'];
  readonly draft: ReviewDeps['draft'];
  readonly budget: DayBudget;
  /** Reads the tables that a model may know of. */
  readonly readTables: () => Promise<void>;
}

/** The parts that cannot change anything: all a front needs. */
export type ReadingWorkspace = Omit<Workspace, 'writers' | 'judge'>;

/** Metrics and health checks for operators, served on a separate port. */
export interface Ops {
  readonly figures: Figures;
  readonly readiness: Readiness;
  /** Measures the calls to one vendor. */
  readonly meter: (vendor: string) => Meter;
  /** Registers the source of the current figures. */
  showCurrent(ask: () => Promise<CurrentFigures>): void;
}

/** The database shared by all workspaces. */
export interface Base {
  readonly db: TeamDb['db'];
  readonly databaseUrl: string;
  readonly disk: DiskSpace;
  /** Routing keys that were looked up; they outlive a change of the settings. */
  readonly knownKeys: KnownKeys;
  /** Threads for the source of code steps; none is started before the first one. */
  readonly code: CodePool;
}

/** The basis of one workspace: the database, and Slack with our identity in it. */
export interface TeamBase extends Base, TolerantDb {
  readonly gateway: SlackGateway;
}

/** Ways to reply to requesters later; a command can be answered for half an hour. */
export type Replies = LRUCache<string, Say>;
export const createReplies = (): Replies => new LRUCache({ max: 10_000, ttl: 30 * 60_000 });

/** Connections to Postgres. */
const poolSize = 5;
/** Threads for code steps; each holds up to 12 MB. */
const codeWorkers = 2;

export async function openBase(
  { env, log, now, waitMs }: Pick<AppOptions, 'env' | 'log' | 'now' | 'waitMs'>,
  { readiness, figures }: Pick<Ops, 'readiness' | 'figures'>,
  stack: AsyncDisposableStack,
): Promise<Base> {
  const away = (why: string) => readiness.set('database', () => why);
  const { db, url: databaseUrl } = await awaitStore(
    env,
    {
      max: poolSize,
      log,
      onStatement: figures.queried,
      feeds: env.COUNTERSIGN_EVENTS_URL !== undefined,
      waitMs,
      away,
    },
    stack,
  );
  await refuseStrangeKeys(db);
  const disk = watchDiskSpace(db, now);
  readiness.set('database', async () => {
    await ping(db);
    return disk.problem();
  });
  await warnOfRewriting(db, log);
  const code = createCodePool({ size: codeWorkers });
  stack.defer(() => code.close());
  return { databaseUrl, db, disk, code, knownKeys: new Map() };
}

/** Opened before anything else, so that a waiting start is visible. */
export async function openOps(
  { env, log, tracing = noTracing }: { readonly env: Env; readonly log: Log; readonly tracing?: Tracing },
  stack: AsyncDisposableStack,
): Promise<Ops> {
  const figures = createFigures(version(), env.COUNTERSIGN_ROLE);
  const readiness = createReadiness(['database', 'slack', 'executor_lock']);
  let current = (): Promise<CurrentFigures> => Promise.reject(new TypeError('the database is not open yet'));
  if (env.OPS_PORT !== undefined) {
    const server = await openOpsServer({
      ...{ port: env.OPS_PORT, host: env.OPS_HOST, readiness, contentType: figures.contentType },
      metrics: () =>
        figures.exposition(
          () => current(),
          () => readiness.askEach(),
        ),
    });
    stack.defer(() => server.close());
    log.info({ port: server.port, host: env.OPS_HOST }, 'Health and metrics are served');
  }
  return {
    figures,
    readiness,
    meter(vendor) {
      figures.willCall(vendor);
      const timed = createMeter((call, seconds, code) => figures.called(vendor, call, seconds, code));
      return (call, make) => {
        const facts = { vendor, call, ...serverOf(env, vendor, call) };
        return tracing.within(`${vendor} ${call}`, facts, () => timed(call, make), 'client');
      };
    },
    showCurrent(ask) {
      current = ask;
    },
  };
}

export interface AppOptions extends WorkspaceOptions {
  /** Settings of each workspace named in the operator's file, by its id. */
  readonly workspaces: OperatorFile['workspaces'];
  /** Warns the operator of probable mistakes in their file. */
  readonly inDoubt: (complaint: Complaint) => void;
  /** Called when this process must stop: others may run its steps. */
  readonly onLost: (reason: Error) => void;
  /** Milliseconds for which a start waits for a database that is away. */
  readonly waitMs: number;
  /** Closed with the process. */
  readonly tracing: Tracing;
}

/** Repeats a round, with a pause of that many milliseconds, until its owner stops. */
export type Repeat = (ms: number, round: () => Promise<void>) => void;

/** The parts of every process, whatever its role. */
export interface ProcessParts {
  readonly options: AppOptions;
  readonly ops: Ops;
  readonly base: Base;
  readonly clock: Clock;
  readonly repeat: Repeat;
  /** Stopped in reverse order. */
  readonly stack: AsyncDisposableStack;
}

/** The parts for each served workspace. The options are those of the workspace. */
export interface TeamParts extends Pick<ProcessParts, 'options' | 'ops' | 'repeat' | 'stack'> {
  /** Runs a round at once, and whenever there is a cause for it in this workspace, until its owner stops. */
  readonly whenDue: (cause: DueKind, round: () => Promise<void>) => void;
  /** Identity of this process. */
  readonly executor: string;
  readonly teamBase: TeamBase;
  readonly workspace: Workspace;
  readonly reporting: Reporting;
  readonly replies: Replies;
}

/** The stages of a workspace, and what each of them needs. */
export interface BuiltStages {
  readonly stages: FrontStages;
  readonly approval: ApprovalContext;
  readonly people: PeopleDirectory;
  readonly request: RequestContext;
  readonly watches: WatchContext;
  readonly alerts: AlertContext;
  readonly agents: AgentContext;
  readonly about: HistoryDeps;
  readonly reviews: ReviewDeps;
}

/** Dependencies of the handlers of a workspace’s events. */
export interface EventContext extends TeamBase, BuiltStages {
  readonly pipeline: Pipeline;
  readonly config: OperatorConfig;
  readonly catalogue: Catalogue;
  readonly library: Library;
  readonly reporting: Reporting;
  readonly replies: Replies;
  readonly now: () => Date;
  readonly log: Log;
}
