import { type WitnessContext, witnessLog } from '../audit/witness.ts';
import { version } from '../config/version.ts';
import { own } from '../core/own-property.ts';
import { announce } from '../process/announce.ts';
import type { Clock } from '../process/clock.ts';
import { meetNeighbours, rulesDigest } from '../process/neighbours.ts';
import { every } from '../process/repeat.ts';
import { damageReports } from '../report/operator-notices.ts';
import type { WorkDeps } from '../run/ports.ts';
import type { Runner } from '../run/runner.ts';
import type { Starter } from '../run/start.ts';
import type { SlackGateway } from '../vendors/slack/gateway.ts';
import type { Installation } from '../vendors/slack/listeners.ts';
import { buildWorkspace } from './build-workspace.ts';
import { stateFolder } from './database.ts';
import type { IncidentFollower } from './listen.ts';
import {
  type AppOptions,
  type Base,
  createReplies,
  type Ground,
  type ProcessParts,
  type TeamParts,
} from './process-context.ts';
import { operatorPlaces, startReporting } from './reporting.ts';
import { tracedPosts } from './tracing.ts';

/** A workspace served by this process, with its own rules, people and messages. */
export interface Team {
  readonly teamId: string;
  readonly botId: string;
  readonly gateway: SlackGateway;
  /** Dependencies of its runs; null in a process without a runner. */
  readonly work: WorkDeps | null;
  /** Null in a process that does not talk to people. */
  readonly front: (Installation & { readonly incidents: IncidentFollower }) | null;
  /** Accepts nothing more, and waits for what was accepted. */
  leave(): Promise<void>;
  /** Call after `leave`, when its runs have stopped, too. */
  close(): Promise<void>;
}

/** This process's work in every workspace, by its role. */
export interface Roles {
  readonly executor: string;
  /** Null in a front. */
  readonly runner: Runner | null;
  /** Null in an executor. */
  readonly door: Base['db'] | null;
}

/** A workspace to serve. */
export interface Found {
  readonly teamId: string;
  readonly gateway: SlackGateway;
  /** The process's options; the workspace's settings are among them. */
  readonly options: AppOptions;
}

export interface Teams {
  all(): readonly Team[];
  get(teamId: string): Team | null;
  workOf(teamId: string): WorkDeps | null;
  open(found: Found, roles: Roles): Promise<void>;
  /** Stops talking to its people; its runs continue. */
  leave(teamId: string): void;
  /** Stops serving it. */
  shut(teamId: string): Promise<void>;
}

export function createTeams({ base, ops, clock }: Pick<ProcessParts, 'base' | 'ops' | 'clock'>): Teams {
  const teams = new Map<string, Team>();
  return {
    all: () => [...teams.values()],
    get: (teamId) => teams.get(teamId) ?? null,
    workOf: (teamId) => teams.get(teamId)?.work ?? null,
    async open({ teamId, gateway, options: given }, roles) {
      const options = { ...given, config: own(given.workspaces, teamId) ?? given.config };
      const openOwn = () => openStack(teamId, clock, options);
      const rear = openOwn();
      const parts = openRear({ base, ops, options, ...rear }, { teamId, gateway }, roles.executor);
      await register(parts);
      const work = await openWork(parts, roles.runner);
      const fore = openOwn();
      let left: Promise<void> | undefined;
      const leave = () => {
        left ??= fore.stack.disposeAsync();
        return left;
      };
      const close = () => rear.stack.disposeAsync();
      const { botId } = await gateway.identity();
      const team = { teamId, botId, gateway, work, leave, close };
      // Its runs must be executable before anybody starts one.
      teams.set(teamId, { ...team, front: null });
      const front = await openFront({ ...parts, ...fore }, roles);
      teams.set(teamId, { ...team, front: front && { ...front, gateway } });
    },
    leave(teamId) {
      const team = teams.get(teamId);
      if (team === undefined || team.front === null) return;
      teams.set(teamId, { ...team, front: null });
      // It may wait for a run; `shut` waits for it and reports errors.
      team.leave().catch(() => undefined);
    },
    async shut(teamId) {
      const team = teams.get(teamId);
      teams.delete(teamId);
      await team?.leave();
      await team?.close();
    },
  };
}

function openStack(
  teamId: string,
  clock: Clock,
  { log }: AppOptions,
): Pick<TeamParts, 'stack' | 'repeat' | 'whenDue'> {
  const stack = new AsyncDisposableStack();
  const until = (loop: { stop(): Promise<void> }) => stack.defer(() => loop.stop());
  return {
    stack,
    repeat: (ms, round) => until(every(ms, round, log)),
    whenDue: (cause, round) => until(clock.on(teamId, cause, round)),
  };
}

/** Builds the parts every role needs: the bot's knowledge of the workspace, and its way to post there. */
function openRear(
  {
    base,
    ops,
    options,
    stack,
    ...more
  }: Pick<TeamParts, 'ops' | 'options' | 'stack' | 'repeat' | 'whenDue'> & Pick<ProcessParts, 'base'>,
  { teamId, gateway }: Pick<Team, 'teamId' | 'gateway'>,
  executor: string,
): TeamParts {
  const { log, now, tracing } = options;
  const { figures } = ops;
  const operators = () => operatorPlaces(options.config, gateway);
  const damage = damageReports({ db: base.db, teamId, operators, counted: figures.damaged, log, now });
  stack.defer(() => damage.idle());
  const ground: Ground = { ...base, teamId, gateway, damaged: damage.tell };
  const workspace = buildWorkspace(options, ground, ops);
  stack.defer(() => workspace.mcp.close());
  stack.defer(() => workspace.databases.close());
  const { catalogue, policy, hosts } = workspace;
  const replies = createReplies();
  const reporting = startReporting({
    ...{ ...ground, slack: tracedPosts(gateway, tracing, teamId), operators },
    ...{ manifests: catalogue.manifests, services: catalogue.services, hosts, policy, log, now },
    replyTo: (requestId) => replies.get(requestId),
    botUserId: async () => (await gateway.identity()).botUserId,
  });
  stack.defer(() => reporting.stop());
  more.whenDue('messages', async () => reporting.kick());
  const post: WitnessContext['post'] = (channel, key, message) =>
    reporting.send(teamId, { kind: 'channel', channel, threadTs: null }, key, message);
  witnessLog({ ...ground, post, log, now }, witnessPlaces(options), { stack, ...more });
  return { options, ops, executor, ground, workspace, reporting, replies, stack, ...more };
}

/** Registers this process in the workspace. */
function register({ options, ground, workspace, executor: id, repeat }: TeamParts): Promise<void> {
  const { env, log, now } = options;
  const { db, teamId } = ground;
  const about = { role: env.COUNTERSIGN_ROLE, version: version(), rules: rulesDigest(workspace) };
  return meetNeighbours({ db, log, repeat }, { id, teamId, ...about, startedAt: now() });
}

function witnessPlaces({ env, config }: AppOptions) {
  const channel = own(config.channels, config.audit.witness_channel ?? '')?.id ?? null;
  return { folder: stateFolder(env), channel };
}

/** A role loads only what it needs: a front no runner, an executor neither planner nor Slack's entrance. */
async function openWork(parts: TeamParts, runner: Runner | null): Promise<WorkDeps | null> {
  if (runner === null) return null;
  const executor = await import('./executor.ts');
  return executor.openWork(parts);
}

async function openFront(parts: TeamParts, { runner, door }: Roles) {
  if (door === null) return null;
  const { db, teamId } = parts.ground;
  const starter: Starter =
    runner === null
      ? { isRemote: true, start: (runId) => announce(db, { teamId, runId }) }
      : // It is stored, so it continues whatever happens: nobody waits for its end here.
        { isRemote: false, start: async (runId) => void runner.run({ teamId, runId }) };
  const front = await import('./front.ts');
  return front.openFront(parts, door, starter);
}
