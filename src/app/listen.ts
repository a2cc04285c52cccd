import type { Env } from '../config/env.ts';
import { version } from '../config/version.ts';
import type { Alert, AlertsEvent } from '../core/alert.ts';
import type { Log } from '../core/log.ts';
import { followersOf } from '../store/followed-incidents.ts';
import type { Db } from '../store/tables.ts';
import { type AlertTaker, alertRoute } from '../vendors/alerts/route.ts';
import type { Caller } from '../vendors/http/agent-door.ts';
import { boundedFetch } from '../vendors/http/bounded-fetch.ts';
import { createDoor, type Route } from '../vendors/http/door.ts';
import { proxyDispatcher } from '../vendors/http/proxy.ts';
import { type IncidentEvent, webhookRoute } from '../vendors/pagerduty/webhook.ts';
import type { Installations } from '../vendors/slack/listeners.ts';
import { createSlackEdge, type EdgeMode } from '../vendors/slack/receiver.ts';
import type { ProcessParts } from './process-context.ts';

export interface Doors {
  /** Port of the HTTP server, or null if there is none. */
  readonly port: number | null;
  /** Whether Slack can reach us. */
  isConnected(): boolean;
}

/** The served workspaces, and the addresses for installing the bot in more of them. */
export interface Served {
  readonly installations: Installations;
  readonly routes: readonly Route[];
  /** Why other installations cannot be served, a sentence each. */
  broken(): readonly string[];
}

/** Receivers of other products' deliveries, in all workspaces. */
interface Receivers {
  readonly followers: () => readonly IncidentFollower[];
  readonly takers: () => readonly AlertTaker[];
  readonly callers: () => readonly Caller[];
}

/** Opens the entrances shared by all workspaces: from here on requests arrive. */
export async function openDoors(
  { options: { env, config, workspaces, log, now }, ops: { figures }, base: { db }, stack }: ProcessParts,
  { installations, routes: installing }: Served,
  { followers, takers, callers }: Receivers,
): Promise<Doors> {
  const served = [config, ...Object.values(workspaces)];
  const hasDoors = served.some((one) => Object.keys(one.alerts.doors).length > 0);
  const hasAgents = served.some((one) => Object.keys(one.agents).length > 0);
  const alerts = hasDoors ? [alertRoute({ takers, sns: { fetch: boundedFetch }, now, log })] : [];
  const agents = hasAgents ? await agentRoutes({ env, log }, callers) : [];
  const routes = [...webhookRoutes({ env, log, db }, followers), ...alerts, ...agents, ...installing];
  const { SLACK_API_URL: apiUrl } = env;
  const edge = createSlackEdge({
    mode: modeOf(env, routes),
    apiUrl,
    installations,
    log,
    fetch: boundedFetch,
    dispatcher: proxyDispatcher(env),
    now,
    acknowledged: figures.acknowledged,
  });
  stack.defer(() => edge.stop());
  const sidePort = await openSideDoor({ env, log }, routes, stack);
  return { port: (await edge.start()) ?? sidePort, isConnected: () => edge.isConnected() };
}

/** Loaded on demand: most have no agents. */
async function agentRoutes(
  { env, log }: { readonly env: Env; readonly log: Log },
  callers: Receivers['callers'],
): Promise<Route[]> {
  const { mcpRoute } = await import('../vendors/mcp/door.ts');
  const { a2aRoutes } = await import('../vendors/a2a/door.ts');
  const hosts = (env.AGENT_HOSTS ?? '').toLowerCase().split(',');
  const options = { callers, hosts: hosts.map((one) => one.trim()), version: version(), log };
  return [mcpRoute(options), ...a2aRoutes(options)];
}

function modeOf(env: Env, routes: readonly Route[]): EdgeMode {
  if (env.SLACK_APP_TOKEN) return { kind: 'socket', appToken: env.SLACK_APP_TOKEN };
  const { SLACK_SIGNING_SECRET: signingSecret = '', PORT: port = 0, HOST: host } = env;
  return { kind: 'http', signingSecret, port, ...(host === undefined ? {} : { host }), routes };
}

/** Secrets that PagerDuty may sign with; during a rotation the new and the old one are both valid. */
export function webhookSecrets({ PAGERDUTY_WEBHOOK_SECRET: secrets }: Env): string[] {
  return (secrets ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

/** A workspace's rules about PagerDuty's incidents. */
export interface IncidentAlerts {
  accept(alert: Alert, key: string): Promise<AlertsEvent | null>;
  work(event: AlertsEvent): Promise<void>;
}

/** A workspace whose threads follow incidents. */
export interface IncidentFollower {
  readonly teamId: string;
  /** Stores PagerDuty's event; false for a repeated one. */
  accept(event: IncidentEvent): Promise<boolean>;
  work(event: IncidentEvent): Promise<void>;
  /** Its rules about incidents as alerts; null where it has none. */
  readonly alerts: IncidentAlerts | null;
}

/**
 * The entrance for PagerDuty, if configured: its events are stored before they are acknowledged, like all others, once in
 * each workspace that follows their incident.
 */
function webhookRoutes(
  { env, log, db }: { readonly env: Env; readonly log: Log; readonly db: Db },
  followers: () => readonly IncidentFollower[],
): Route[] {
  const secrets = webhookSecrets(env);
  if (secrets.length === 0) return [];
  // The work that accepting a delivery leaves to do, in each workspace.
  const left = new WeakMap<IncidentEvent, readonly (() => Promise<void>)[]>();
  return [
    webhookRoute({
      secrets,
      async accept(event, alert) {
        const served = followers();
        const teams = served.map(({ teamId }) => teamId);
        const ids = await followersOf(db, event.incident, teams);
        const followed = served
          .filter(({ teamId }) => ids.includes(teamId))
          .map(async (one) => ((await one.accept(event)) ? () => one.work(event) : null));
        const shown = served.map(async ({ alerts }) => {
          const taken = alert && (await alerts?.accept(alert, event.key));
          return taken ? async () => alerts?.work(taken) : null;
        });
        const work = (await Promise.all([...followed, ...shown])).flatMap((one) => one ?? []);
        left.set(event, work);
        return work.length > 0;
      },
      async work(event) {
        await Promise.all((left.get(event) ?? []).map((one) => one()));
      },
      log,
    }),
  ];
}

/** Opens a port for these routes alone if Slack needs none; null if Slack's own port serves them, or there are none. */
async function openSideDoor(
  { env, log }: { readonly env: Env; readonly log: Log },
  routes: readonly Route[],
  stack: AsyncDisposableStack,
): Promise<number | null> {
  const { SLACK_APP_TOKEN: socket, PORT: port, HOST: host } = env;
  if (socket === undefined || port === undefined || routes.length === 0) return null;
  const door = createDoor({ port, ...(host === undefined ? {} : { host }), routes, log });
  stack.defer(() => door.close());
  return door.open();
}
