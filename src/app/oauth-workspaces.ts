import { sha256 } from '../core/canonical.ts';
import { CountersignError, describeError } from '../core/errors.ts';
import { own } from '../core/own-property.ts';
import { endEverything } from '../request/uninstall.ts';
import { StoreError } from '../store/errors.ts';
import * as inbox from '../store/inbox.ts';
import * as installations from '../store/installations.ts';
import type { InstallationRow } from '../store/tables.ts';
import { type TokenKeys, tokenKeys } from '../store/token-keys.ts';
import { boundedFetch } from '../vendors/http/bounded-fetch.ts';
import { createSlackGateway, type SlackGateway } from '../vendors/slack/gateway.ts';
import { addressed } from '../vendors/slack/known-payloads.ts';
import type { Absence } from '../vendors/slack/not-installed.ts';
import { installRoutes } from '../vendors/slack/oauth.ts';
import type { Served } from './listen.ts';
import type { ProcessParts } from './process-context.ts';
import { type Roles, slackCaches, type Team, type Teams } from './workspaces.ts';

/** Milliseconds between checks for added and removed workspaces. */
const lookMs = 1_000;

/** Serves every workspace that is named in the operator's file and has the bot installed, as they come and go. */
export async function serveInstalled(parts: ProcessParts, teams: Teams, roles: Roles): Promise<Served> {
  const served = new Workspaces(parts, teams, roles);
  await served.look();
  parts.repeat(lookMs, () => served.look());
  return {
    routes: roles.door === null ? [] : routesOf(parts, served),
    installations: {
      async of(body) {
        const known = frontOf(body, teams);
        if (known !== null) return known;
        // For example right after an installation through another process.
        await served.look();
        return frontOf(body, teams) ?? served.absence(body);
      },
      removed: (body) => served.removed(body),
    },
    broken: () => served.broken(),
  };
}

function routesOf({ base: { db }, options }: ProcessParts, served: Workspaces): Served['routes'] {
  const { env, log, now } = options;
  const keys = tokenKeys(env.TOKEN_KEY ?? '');
  return installRoutes({
    clientId: env.SLACK_CLIENT_ID ?? '',
    clientSecret: env.SLACK_CLIENT_SECRET ?? '',
    ...{ apiUrl: env.SLACK_API_URL, fetch, log },
    isWanted: (teamId) => served.isNamed(teamId),
    use: (state) => inbox.first(db, { teamId: '', key: `oauth:${sha256(state)}`, at: now() }),
    async store({ token, ...installed }) {
      // Slack returned the same token, as after a scope was added: work there continues undisturbed.
      if (await served.has(installed.teamId, token)) return;
      const sealed = keys.seal(token, installed.teamId);
      await installations.store(db, { ...installed, token: sealed, installedAt: now() });
      log.info({ teamId: installed.teamId }, 'Installed in a workspace');
      await served.look();
    },
  });
}

function teamOf(body: unknown, teams: Teams): Team | null {
  const { botId, ids } = addressed(body);
  const poster = botId === null ? undefined : teams.all().find((team) => team.botId === botId);
  return poster ?? ids.map((id) => teams.get(id)).find((team) => team !== null) ?? null;
}

const frontOf = (body: unknown, teams: Teams) => teamOf(body, teams)?.front ?? null;

/** The workspaces of this process, according to the table of installations. */
class Workspaces {
  readonly #parts: ProcessParts;
  readonly #teams: Teams;
  readonly #roles: Roles;
  readonly #keys: TokenKeys;
  /** Installation time of each served workspace, by team. */
  readonly #since = new Map<string, number>();
  /** The last message logged about a workspace that is not served, by team. */
  readonly #told = new Map<string, string>();
  /** Why a workspace cannot be served although the bot is installed there, by team. */
  readonly #broken = new Map<string, string>();
  #looking: Promise<void> = Promise.resolve();

  constructor(parts: ProcessParts, teams: Teams, roles: Roles) {
    [this.#parts, this.#teams, this.#roles] = [parts, teams, roles];
    this.#keys = tokenKeys(parts.options.env.TOKEN_KEY ?? '');
  }

  /** Opens new workspaces and ends removed ones. One pass at a time. */
  look(): Promise<void> {
    const next = this.#looking.then(() => this.#lookOnce());
    this.#looking = next.catch(() => undefined);
    return next;
  }

  /** Whether exactly this token is stored. */
  async has(teamId: string, token: string): Promise<boolean> {
    const rows = await installations.open(this.#parts.base.db);
    const sealed = rows.find((row) => row.teamId === teamId)?.token ?? null;
    try {
      return sealed !== null && this.#keys.open(sealed, teamId) === token;
    } catch (error) {
      // This installation repairs one that cannot be read.
      if (error instanceof StoreError) return false;
      throw error;
    }
  }

  /** The next pass ends the open work there; from now on nothing is sent. */
  async removed(body: unknown): Promise<void> {
    const { base, options } = this.#parts;
    const team = teamOf(body, this.#teams);
    const teamId = team?.teamId ?? addressed(body).ids[0];
    // Slack may report a removal after the bot was installed again.
    const isBack = team !== null && (await team.gateway.isInstalled().catch(() => false));
    if (teamId === undefined || isBack) return;
    await installations.remove(base.db, { teamId, at: options.now() });
  }

  broken(): readonly string[] {
    return [...this.#broken.values()];
  }

  isNamed(teamId: string): boolean {
    return own(this.#teams.settings().workspaces, teamId) !== undefined;
  }

  /** Why the sender's workspace is not served. */
  absence(body: unknown): Absence {
    const { ids } = addressed(body);
    if (ids.some((id) => this.#broken.has(id))) return 'broken';
    return ids.some((id) => this.isNamed(id)) ? 'not-installed' : 'unnamed';
  }

  async #lookOnce(): Promise<void> {
    const rows = await installations.open(this.#parts.base.db);
    const since = new Map(rows.map((row) => [row.teamId, row.installedAt.getTime()]));
    for (const [teamId, at] of this.#since)
      if (since.get(teamId) !== at || !this.isNamed(teamId)) await this.#shut(teamId);
    for (const teamId of this.#broken.keys()) if (!since.has(teamId)) this.#broken.delete(teamId);
    for (const row of rows) {
      await this.#serve(row).then(
        () => this.#broken.delete(row.teamId),
        (error: unknown) => this.#breaks(row.teamId, error),
      );
    }
  }

  async #serve(row: InstallationRow): Promise<void> {
    const { base, options } = this.#parts;
    const { teamId } = row;
    if (row.token === null) {
      this.#teams.leave(teamId);
      if (await endEverything({ db: base.db, teamId }, options.now())) return this.#shut(teamId);
    }
    if (this.#since.has(teamId)) return;
    if (!this.isNamed(teamId))
      return this.#tell(teamId, {}, 'The bot is installed in a workspace that countersign.yml does not name');
    const gateway = await this.#gatewayOf(row);
    if (row.token !== null && !(await isStillInstalled(gateway))) {
      await installations.remove(base.db, { teamId, at: options.now() });
      return;
    }
    const roles = row.token === null ? { ...this.#roles, door: null } : this.#roles;
    this.#since.set(teamId, row.installedAt.getTime());
    await this.#teams.open({ teamId, gateway }, roles).catch(async (error: unknown) => {
      await this.#shut(teamId);
      throw error;
    });
    this.#told.delete(teamId);
  }

  async #shut(teamId: string): Promise<void> {
    this.#since.delete(teamId);
    await this.#teams.shut(teamId);
  }

  async #gatewayOf({ teamId, botUserId, botId, token: sealed }: InstallationRow): Promise<SlackGateway> {
    const { options, ops, base } = this.#parts;
    const token = sealed === null ? '' : this.#keys.open(sealed, teamId);
    if (sealed !== null && !this.#keys.isCurrent(sealed)) {
      await installations.reseal(base.db, { teamId, from: sealed, to: this.#keys.seal(token, teamId) });
    }
    const { env, log, now } = options;
    const identity = { teamId, botUserId, botId };
    const apiUrl = env.SLACK_API_URL;
    const meter = ops.meter('slack');
    const keepMs = slackCaches(this.#teams);
    return createSlackGateway({ token, identity, apiUrl, log, fetch: boundedFetch, now, meter, keepMs });
  }

  #breaks(teamId: string, error: unknown): void {
    const why =
      error instanceof CountersignError ? error.message : `${teamId} is not served; the log says why.`;
    this.#broken.set(teamId, why);
    this.#tell(teamId, describeError(error), 'A workspace cannot be served');
  }

  /** Logged once until it changes: each workspace is checked every second. */
  #tell(teamId: string, facts: object, words: string): void {
    if (this.#told.get(teamId) !== words) this.#parts.options.log.error({ teamId, ...facts }, words);
    this.#told.set(teamId, words);
  }
}

/** Slack may have reported a removal while no process was up. While Slack is down we cannot know. */
async function isStillInstalled(gateway: SlackGateway): Promise<boolean> {
  return gateway.isInstalled().catch(() => true);
}
