import { allManifests } from '../../manifests/all.ts';
import { allTools } from '../../tools/all.ts';
import { buildCatalogue, buildPolicy, missingSettings } from '../config/build.ts';
import type { Env } from '../config/env.ts';
import type { OperatorConfig } from '../config/schema.ts';
import { catalogueDigest } from '../core/catalogue.ts';
import type { Log } from '../core/log.ts';
import { own } from '../core/own.ts';
import type { WriteTool } from '../core/tool.ts';
import { createPipeline } from '../pipeline.ts';
import type { Playbook } from '../plan/playbooks/playbook.ts';
import { createRunner, type Runner } from '../run/runner.ts';
import { usdSince } from '../store/usage.ts';
import { createSlackEdge, type EdgeMode } from '../vendors/slack/edge.ts';
import { createSlackGateway } from '../vendors/slack/gateway.ts';
import { careForAudit } from './audit-care.ts';
import { openStore, stateFolder, warnOfRewriting } from './database.ts';
import { onDeadParcel } from './dead-letters.ts';
import { expire } from './decisions.ts';
import { every } from './every.ts';
import { executorVoice } from './executor-model.ts';
import { learnIdentity } from './identity.ts';
import { createIntake } from './intake.ts';
import { mend } from './mend.ts';
import { offlinePlanner } from './offline.ts';
import { composedPlanner } from './planner.ts';
import { everyPlaybook } from './playbooks.ts';
import { type ReportDeps, startReporting } from './report.ts';
import { removeOld } from './retention.ts';
import { runnerDeps } from './run.ts';
import { runSchedules } from './schedules.ts';
import { createSlackHandlers } from './slack-handlers.ts';
import { createStages } from './stages.ts';
import { recordUsage } from './usage.ts';
import { createVendors } from './vendors.ts';
import type { World } from './world.ts';

export interface AppOptions {
  readonly env: Env;
  readonly config: OperatorConfig;
  readonly playbooks: readonly Playbook[];
  /** The environment as it was given; routing keys stand there under the operator's names. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  readonly now: () => Date;
  /** This process may not go on: others may run its steps. */
  readonly onLost: (reason: Error) => void;
}

export interface App {
  /** Port of the HTTP door, or null with Socket Mode. */
  readonly port: number | null;
  stop(): Promise<void>;
}

/** Milliseconds between looks for cards that nobody decided on. */
const expiryMs = 1_000;
/** Milliseconds between looks for what a process left that died while it planned or showed something. */
const resumeMs = 60_000;
/** Milliseconds between looks for what is older than the operator wants to keep. */
const tidyMs = 3_600_000;
/** Connections to Postgres for the tables; the run engine has its own. */
const poolSize = 5;

/** Builds everything, from the database up to Slack, and starts to take requests. */
export async function startApp(options: AppOptions): Promise<App> {
  const stack = new AsyncDisposableStack();
  try {
    const port = await build(options, stack);
    return { port, stop: () => stack.disposeAsync() };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

/** What was built last is stopped first: Slack's door, then the runs, then the reports, then the database. */
async function build(options: AppOptions, stack: AsyncDisposableStack): Promise<number | null> {
  const { env, config, log, now } = options;
  const ground = await openGround(options, stack);
  let runner: Runner | null = null;
  const { world, writers, judge } = createWorld(options, ground, () => started(runner), stack);
  const pipeline = createPipeline(createStages(world));
  const intake = createIntake(world, pipeline);
  ground.onDead = onDeadParcel(world, intake.voiceOf);

  const repeat = (ms: number, work: () => Promise<void>): void => {
    const loop = every(ms, work, log);
    stack.defer(() => loop.stop());
  };
  const witness = own(config.channels, config.audit.witness_channel ?? '');
  careForAudit(world, { folder: stateFolder(env), channel: witness?.id ?? null }, { stack, repeat });
  const { databaseUrl, engineIsMigrated, gateway } = ground;
  const { onLost } = options;
  const wiring = { databaseUrl, engineIsMigrated, tools: allTools, writers, pipeline, judge, onLost };
  const launched = await createRunner(runnerDeps(world, wiring));
  runner = launched;
  stack.defer(() => launched.stop());
  repeat(expiryMs, () => expire(world));
  stack.defer(await runSchedules(world, config, intake));

  const handlers = createSlackHandlers({ world, pipeline, intake });
  const { SLACK_BOT_TOKEN: token, SLACK_API_URL: apiUrl } = env;
  const edge = createSlackEdge({ mode: modeOf(env), token, apiUrl, handlers, gateway, log, fetch, now });
  stack.defer(() => edge.stop());
  const port = await edge.start();
  repeat(resumeMs, async () => {
    await mend(world);
    await intake.resume();
  });
  repeat(tidyMs, () => removeOld(world, config.retention.days));
  return port;
}

/** What everything stands on: the database, and Slack with who we are in it. */
async function openGround({ env, log, now }: AppOptions, stack: AsyncDisposableStack) {
  const { db, url: databaseUrl, hasOwner } = await openStore(env, { max: poolSize, log }, stack);
  await warnOfRewriting(db, log);
  const { SLACK_BOT_TOKEN: token, SLACK_API_URL: apiUrl } = env;
  const gateway = createSlackGateway({ token, apiUrl, log, fetch, now });
  const { teamId } = await learnIdentity(gateway, log);
  // Replaced in the same turn in which the outbox is opened, before anything can be sent.
  const onDead: ReportDeps['onDead'] = () => Promise.resolve();
  return { databaseUrl, engineIsMigrated: hasOwner, db, gateway, teamId, onDead };
}

/** Clients, catalogue, policy, planners and the outbox, from settings and the operator's file. */
function createWorld(
  { env, config, variables, log, now, playbooks: installed }: AppOptions,
  ground: Awaited<ReturnType<typeof openGround>>,
  runner: () => Runner,
  stack: AsyncDisposableStack,
) {
  const { db, gateway, teamId } = ground;
  const policy = buildPolicy(config);
  const budget = { spentToday: (day: Date) => usdSince(db, teamId, startOfDay(day)) };
  const { summaries, judge } = executorVoice(env, {
    record: (purpose, spent) => recordUsage({ db, teamId, now }, null, purpose, spent),
    left: async () => policy.caps.modelUsdPerDay - (await budget.spentToday(now())),
  });
  const { readers, writers } = createVendors({ env, config, variables, gateway, summaries, now });
  const hands = new Set(allTools.keys());
  const catalogue = buildCatalogue(config, allManifests, hands, missingSettings(env, config));
  const playbooks = () => everyPlaybook(installed, db, teamId);
  const offline = offlinePlanner(installed, playbooks);
  const { manifests } = catalogue;
  const onDead: ReportDeps['onDead'] = (parcel, error) => ground.onDead(parcel, error);
  const reporting = startReporting({ db, gateway, manifests, policy, log, now, onDead });
  stack.defer(() => reporting.stop());
  const world: World = {
    ...{ teamId, db, gateway, reporting, offline: offline.planner, readers, catalogue, policy, now, log },
    ...{ playbooks, runner, writeTools: writeTools(), catalogueDigest: catalogueDigest(catalogue) },
    planner: composedPlanner(env, offline.planner, offline.examples, budget, (why) =>
      log.warn(why, 'The model gave no plan'),
    ),
  };
  return { world, writers, judge };
}

function modeOf(env: Env): EdgeMode {
  if (env.SLACK_APP_TOKEN) return { kind: 'socket', appToken: env.SLACK_APP_TOKEN };
  return { kind: 'http', signingSecret: env.SLACK_SIGNING_SECRET ?? '', port: env.PORT ?? 0 };
}

/** 00:00 UTC of a day. */
function startOfDay(day: Date): Date {
  return new Date(day.toISOString().slice(0, 10));
}

function started(runner: Runner | null): Runner {
  if (runner === null) throw new TypeError('the runner is not up yet');
  return runner;
}

function writeTools(): ReadonlyMap<string, WriteTool> {
  const found = new Map<string, WriteTool>();
  for (const [name, tool] of allTools) if (tool.effect === 'write') found.set(name, tool.tool);
  return found;
}
