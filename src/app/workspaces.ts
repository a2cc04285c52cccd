import { version } from '../config/version.ts';
import { describeError } from '../core/errors.ts';
import { own } from '../core/own-property.ts';
import { announce } from '../process/announce.ts';
import type { Clock } from '../process/clock.ts';
import { rulesDigest, watchOtherProcesses } from '../process/other-processes.ts';
import { every } from '../process/repeat.ts';
import type { WorkDeps } from '../run/context.ts';
import type { Runner } from '../run/runner.ts';
import type { Starter } from '../run/start.ts';
import type { AlertTaker } from '../vendors/alerts/route.ts';
import type { Caller } from '../vendors/http/agent-door.ts';
import type { SlackGateway } from '../vendors/slack/gateway.ts';
import type { Installation } from '../vendors/slack/listeners.ts';
import { openTeamParts } from './build-workspace.ts';
import type { IncidentFollower } from './listen.ts';
import {
  type AppOptions,
  type Base,
  createReplies,
  type ProcessParts,
  type Replies,
  type TeamParts,
} from './process-context.ts';

/** A workspace served by this process, with its own rules, people and messages. */
export interface Team {
  readonly teamId: string;
  readonly botId: string;
  readonly gateway: SlackGateway;
  /** Dependencies of its runs; null in a process without a runner. */
  readonly work: WorkDeps | null;
  /** Null in a process that does not talk to people. */
  readonly front:
    | (Installation & {
        readonly incidents: IncidentFollower;
        readonly alerts: readonly AlertTaker[];
        readonly agents: readonly Caller[];
      })
    | null;
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
}

export interface Teams {
  all(): readonly Team[];
  get(teamId: string): Team | null;
  workOf(teamId: string): WorkDeps | null;
  open(found: Found, roles: Roles): Promise<void>;
  /** The settings that workspaces are opened with. */
  settings(): AppOptions;
  /**
   * Serves every workspace by these settings from now on. What was accepted, and runs under way, end as they began; if
   * one of them cannot be opened, it goes on as it is, and this throws.
   */
  renew(settings: AppOptions): Promise<void>;
  /** Stops talking to its people; its runs continue. */
  leave(teamId: string): void;
  /** Stops serving it. */
  shut(teamId: string): Promise<void>;
  /** Resolves when what began under earlier settings has ended. */
  ended(): Promise<void>;
}

/** A workspace with what it takes to open it again. */
interface Serving extends Team {
  readonly roles: Roles;
  readonly replies: Replies;
}

export function createTeams(process: Pick<ProcessParts, 'base' | 'ops' | 'clock' | 'options'>): Teams {
  const teams = new Map<string, Serving>();
  const ending = new Set<Promise<void>>();
  let settings = process.options;

  /** Takes the place of the one that is served, if any, once all of it is open. */
  async function renewOne(before: Serving): Promise<void> {
    const { teamId, roles } = before;
    const team = await openTeam(process, { ...before, options: settings }, () => undefined);
    // It was removed meanwhile.
    if (teams.get(teamId) !== before) return close(team);
    teams.set(teamId, team);
    const ended = before
      .leave()
      .then(() => before.work && roles.runner?.endedWith(before.work))
      .then(() => before.close())
      .catch((error: unknown) => settings.log.warn(describeError(error), 'Old settings could not be left'))
      .finally(() => ending.delete(ended));
    ending.add(ended);
  }

  return {
    all: () => [...teams.values()],
    get: (teamId) => teams.get(teamId) ?? null,
    workOf: (teamId) => teams.get(teamId)?.work ?? null,
    settings: () => settings,
    async open({ teamId, gateway }, roles) {
      const found = { teamId, gateway, roles, replies: createReplies(), options: settings };
      // Its runs must be executable before anybody starts one.
      const team = await openTeam(process, found, (rear) => teams.set(teamId, rear));
      teams.set(teamId, team);
    },
    async renew(next) {
      settings = next;
      const isServed = ({ teamId }: Team) => isNamed(settings, teamId);
      for (const team of [...teams.values()].filter(isServed)) await renewOne(team);
    },
    ended: async () => void (await Promise.all(ending)),
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

/** Milliseconds for which a gateway reuses answers, under the settings of the moment: it outlives a change of them. */
export function slackCaches(teams: Pick<Teams, 'settings'>) {
  return () => {
    const { people, channels } = teams.settings().config.caches;
    return { people: people * 1_000, channels: channels * 1_000 };
  };
}

/** With several workspaces, only those in the operator's file are served. */
function isNamed({ workspaces }: AppOptions, teamId: string): boolean {
  return Object.keys(workspaces).length === 0 || own(workspaces, teamId) !== undefined;
}

async function close(team: Team): Promise<void> {
  await team.leave();
  await team.close();
}

type ToOpen = Pick<Serving, 'teamId' | 'gateway' | 'roles' | 'replies'> & { readonly options: AppOptions };

/** Opens a workspace; `runnable` is called when its runs can be executed, before people are served. */
async function openTeam(
  { base, ops, clock }: Pick<ProcessParts, 'base' | 'ops' | 'clock'>,
  { teamId, gateway, roles, replies, options: given }: ToOpen,
  runnable: (team: Serving) => void,
): Promise<Serving> {
  const options = { ...given, config: own(given.workspaces, teamId) ?? given.config };
  const [rear, fore] = [openStack(teamId, clock, options), openStack(teamId, clock, options)];
  let left: Promise<void> | undefined;
  const leave = () => {
    left ??= fore.stack.disposeAsync();
    return left;
  };
  const ends = { leave, close: () => rear.stack.disposeAsync() };
  try {
    const about = { teamId, gateway, replies };
    const parts = openTeamParts({ base, ops, options, ...rear }, about, roles.executor);
    await register({ ...parts, repeat: fore.repeat });
    const work = await openWork(parts, roles.runner);
    const { botId } = await gateway.identity();
    const team = { ...about, botId, work, roles, ...ends };
    runnable({ ...team, front: null });
    const front = await openFront({ ...parts, ...fore }, roles);
    return { ...team, front: front && { ...front, gateway } };
  } catch (error) {
    await ends.leave();
    await ends.close();
    throw error;
  }
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

/** Registers this process in the workspace. */
function register({ options, teamBase, workspace, executor: id, repeat }: TeamParts): Promise<void> {
  const { env, log, now } = options;
  const { db, teamId } = teamBase;
  const about = { role: env.COUNTERSIGN_ROLE, version: version(), rules: rulesDigest(workspace) };
  return watchOtherProcesses({ db, log, repeat }, { id, teamId, ...about, startedAt: now() });
}

/** A role loads only what it needs: a front no runner, an executor neither planner nor Slack's entrance. */
async function openWork(parts: TeamParts, runner: Runner | null): Promise<WorkDeps | null> {
  if (runner === null) return null;
  const executor = await import('./executor.ts');
  return executor.openWork(parts);
}

async function openFront(parts: TeamParts, { runner, door }: Roles) {
  if (door === null) return null;
  const { db, teamId } = parts.teamBase;
  const starter: Starter =
    runner === null
      ? {
          isRemote: true,
          startBehind: async () => undefined,
          start: (runId) => announce(db, { teamId, runId }),
        }
      : {
          isRemote: false,
          startBehind: (connection, runId) => runner.takeBehind(connection, { teamId, runId }),
          // It is stored, so it continues whatever happens: nobody waits for its end here.
          start: async (runId) => void runner.run({ teamId, runId }),
        };
  const front = await import('./front.ts');
  return front.openFront(parts, door, starter);
}
