import type { Env } from '../config/env.ts';
import type { Route } from '../vendors/http/door.ts';
import { plainFetch } from '../vendors/http/plain-fetch.ts';
import type { Installations } from '../vendors/slack/listeners.ts';
import { createSlackEdge, type EdgeMode } from '../vendors/slack/receiver.ts';
import type { ProcessParts } from './process-parts.ts';
import { type IncidentFollower, openSideDoor, webhookRoutes } from './webhooks.ts';

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

/** Opens the entrances shared by all workspaces: from here on requests arrive. */
export async function openDoors(
  { options: { env, log, now }, stack }: ProcessParts,
  { installations, routes: installing }: Served,
  followers: () => readonly IncidentFollower[],
): Promise<Doors> {
  const routes = [...webhookRoutes({ env, log }, followers), ...installing];
  const { SLACK_API_URL: apiUrl } = env;
  const edge = createSlackEdge({
    mode: modeOf(env, routes),
    apiUrl,
    installations,
    log,
    fetch: plainFetch,
    now,
  });
  stack.defer(() => edge.stop());
  const sidePort = await openSideDoor({ env, log }, routes, stack);
  return { port: (await edge.start()) ?? sidePort, isConnected: () => edge.isConnected() };
}

function modeOf(env: Env, routes: readonly Route[]): EdgeMode {
  if (env.SLACK_APP_TOKEN) return { kind: 'socket', appToken: env.SLACK_APP_TOKEN };
  const { SLACK_SIGNING_SECRET: signingSecret = '', PORT: port = 0, HOST: host } = env;
  return { kind: 'http', signingSecret, port, ...(host === undefined ? {} : { host }), routes };
}
