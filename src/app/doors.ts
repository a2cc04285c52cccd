import type { Env } from '../config/env.ts';
import type { Route } from '../vendors/http/door.ts';
import { plainFetch } from '../vendors/http/plain-fetch.ts';
import { createSlackEdge, type EdgeMode } from '../vendors/slack/edge.ts';
import type { Installations } from '../vendors/slack/listeners.ts';
import type { ProcessParts } from './process-parts.ts';
import { type IncidentFollower, openSideDoor, webhookRoutes } from './webhooks.ts';

export interface Doors {
  /** Port of the HTTP door, or null where there is none. */
  readonly port: number | null;
  /** Whether Slack can reach us. */
  isConnected(): boolean;
}

/** The workspaces that are served, and the addresses at which the bot is installed in more of them. */
export interface Served {
  readonly installations: Installations;
  readonly routes: readonly Route[];
  /** What keeps the bot from working in others in which it is installed, a sentence each. */
  broken(): readonly string[];
}

/** Opens the ways in, which all workspaces share: from here on requests arrive. */
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
