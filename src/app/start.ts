import { randomUUID } from 'node:crypto';
import type { Role } from '../config/process-role.ts';
import { weekly } from '../history/statistics.ts';
import { careForSystems } from '../ops/systems.ts';
import { sharedTime, startClock } from '../process/clock.ts';
import { holdExecutorLock } from '../process/lock.ts';
import { isExecutorUp } from '../process/other-processes.ts';
import { every } from '../process/repeat.ts';
import { backlogOfAll } from '../store/backlog.ts';
import { connectAside } from '../store/database.ts';
import { isAlive } from '../store/processes.ts';
import { boundedFetch } from '../vendors/http/bounded-fetch.ts';
import { watchClock } from '../vendors/slack/clock-skew.ts';
import { createSlackGateway } from '../vendors/slack/gateway.ts';
import { learnIdentity } from '../vendors/slack/identity.ts';
import { refusedBy, watchTokens } from '../vendors/slack/token-check.ts';
import { type Doors, openDoors, type Served } from './listen.ts';
import {
  type AppOptions,
  type Ops,
  openBase,
  openOps,
  type ProcessParts,
  type Repeat,
} from './process-context.ts';
import { systemsIn } from './vendors.ts';
import { createTeams, type Roles, slackCaches, type Teams } from './workspaces.ts';

/** The settings that may change while a process runs. */
export type Changeable = Pick<AppOptions, 'config' | 'workspaces' | 'playbooks' | 'inDoubt'>;

export interface App {
  /** Port of the HTTP server, or null if there is none. */
  readonly port: number | null;
  /** Identifies this process among those that share the database. */
  readonly id: string;
  /** Works by these settings from now on; what is under way ends as it began. Throws if it cannot, and goes on. */
  renew(settings: Changeable): Promise<void>;
  /** Tells health checks why a change of the settings was refused; null when the last one was taken over. */
  refused(why: string | null): void;
  stop(): Promise<void>;
}

/** Builds everything for this process's role, from the database up to Slack, and starts working. */
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

/** Milliseconds between comparisons with the database's clock. */
const compareMs = 10_000;

/** Stopped in reverse order: Slack's entrance, accepted events, the runs, the reports, the database. */
async function build(given: AppOptions, ops: Ops, stack: AsyncDisposableStack): Promise<Omit<App, 'stop'>> {
  const { env, log } = given;
  const repeat: Repeat = (ms, round) => {
    const loop = every(ms, round, log);
    stack.defer(() => loop.stop());
  };
  const base = await openBase(given, ops, stack);
  const time = await sharedTime(base.db, given.now);
  repeat(compareMs, time.compare);
  const options = { ...given, now: time.now };
  const clock = startClock({ db: base.db, now: options.now, log });
  stack.defer(() => clock.stop());
  const parts: ProcessParts = { options, ops, base, clock, repeat, stack };
  const teams = createTeams(parts);
  stack.defer(() => each(teams, (team) => team.close()));
  stack.defer(() => teams.ended());
  const roles = await openRoles(parts, env.COUNTERSIGN_ROLE, teams);
  stack.defer(() => each(teams, (team) => team.leave()));
  const token = env.SLACK_BOT_TOKEN;
  const served = token ? await serveOne(parts, teams, roles, token) : await serveMany(parts, teams, roles);
  watchTokens(teams.all, { log, repeat });
  const skew = watchClock(() => teams.all()[0]?.gateway.aheadMs() ?? 0, { log, repeat });
  ops.readiness.set('clock', skew);
  const fronts = () => teams.all().flatMap(({ front }) => front ?? []);
  const followers = () => fronts().map(({ incidents }) => incidents);
  const takers = () => fronts().flatMap(({ alerts }) => alerts);
  const callers = () => fronts().flatMap(({ agents }) => agents);
  const doors = roles.door === null ? null : await openDoors(parts, served, { followers, takers, callers });
  await careForSystems(systemsIn(options), { readiness: ops.readiness, repeat, log });
  showReadiness(parts, { teams, served }, roles, doors);
  return {
    ...{ port: doors?.port ?? null, id: roles.executor },
    renew: (settings) => teams.renew({ ...options, ...settings }),
    refused: (why) =>
      ops.readiness.set('settings', () => why && { but: `a change of them was refused: ${why}` }),
  };
}

async function each(
  teams: Teams,
  act: (team: ReturnType<Teams['all']>[number]) => Promise<void>,
): Promise<void> {
  await Promise.all(teams.all().map(act));
}

/** The process's work by role, in every workspace. */
async function openRoles(parts: ProcessParts, role: Role, { workOf }: Teams): Promise<Roles> {
  if (role === 'front') {
    return { executor: await appear(parts), runner: null, door: await openStoring(parts) };
  }
  const { openRunner } = await import('./executor.ts');
  const runner = await openRunner(parts, workOf);
  return { executor: runner.executorId, runner, door: role === 'executor' ? null : await openStoring(parts) };
}

/** Holds the lock that shows that a process without a runner is alive; resolves with its id. */
async function appear({ options, base, stack }: ProcessParts): Promise<string> {
  const id = randomUUID();
  const lock = await holdExecutorLock(base.databaseUrl, id, options.onLost);
  stack.defer(() => lock.release());
  return id;
}

/** A dedicated connection: in a burst all others are busy, and an acknowledgement would wait for one. */
async function openStoring({ base, options, stack }: ProcessParts): Promise<Roles['door']> {
  const door = await connectAside(base.databaseUrl, options.log);
  stack.defer(() => door.destroy());
  return door;
}

/** Serves the single workspace of a token. */
async function serveOne(
  { options, ops }: ProcessParts,
  teams: Teams,
  roles: Roles,
  token: string,
): Promise<Served> {
  const { env, log, now } = options;
  const apiUrl = env.SLACK_API_URL;
  const gateway = createSlackGateway({
    token,
    apiUrl,
    log,
    fetch: boundedFetch,
    now,
    meter: ops.meter('slack'),
    keepMs: slackCaches(teams),
  });
  const { teamId } = await learnIdentity(gateway, log);
  await teams.open({ teamId, gateway }, roles);
  return {
    installations: {
      of: async () => teams.get(teamId)?.front ?? 'unnamed',
      async removed() {
        log.error({ teamId }, 'Slack revoked SLACK_BOT_TOKEN: install the app again and set the new token');
        // From now on `/readyz` reports it.
        await gateway.isInstalled();
      },
    },
    routes: [],
    broken: () => [],
  };
}

/** Loaded on demand: a single workspace with a token needs no OAuth. */
async function serveMany(...of: [ProcessParts, Teams, Roles]): Promise<Served> {
  const { serveInstalled } = await import('./oauth-workspaces.ts');
  return serveInstalled(...of);
}

/** Everything is up: from now on each part reports its readiness. */
function showReadiness(
  parts: ProcessParts,
  { teams, served }: { readonly teams: Teams; readonly served: Served },
  { executor, runner }: Roles,
  doors: Doors | null,
): void {
  const { ops, base, options } = parts;
  const { readiness } = ops;
  const teamIds = () => teams.all().map(({ teamId }) => teamId);
  const { now, log } = options;
  const week = weekly({ db: base.db, teamIds, now, log });
  ops.showCurrent(async () => ({
    ...(await backlogOfAll(base.db, teamIds(), now())),
    week: week(),
  }));
  readiness.set('slack', () => {
    if (doors?.isConnected() === false) return 'not connected';
    const refused = [refusedBy(teams.all()) ?? [], served.broken()].flat(2).join(' ') || null;
    // With several workspaces the others are still served, and the bot can be installed again in all of them.
    return refused === null || options.env.SLACK_BOT_TOKEN ? refused : { but: refused };
  });
  readiness.set('executor_lock', async () => ((await isAlive(base.db, executor)) ? null : 'not held'));
  if (runner !== null) return;
  // A front runs nothing: without an executor it still accepts and stores requests, and reports that one is missing.
  readiness.set('executors', async () => {
    if (teams.all().length === 0 || (await isExecutorUp(base.db))) return null;
    return { lacks: 'none is up' };
  });
}
