import { setTimeout as pause } from 'node:timers/promises';
import { VendorError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { boundedFetch } from '../vendors/http/bounded-fetch.ts';
import { createSlackGateway, type SlackGateway } from '../vendors/slack/gateway.ts';
import type { Identity } from '../vendors/slack/identity.ts';
import type { Served } from './listen.ts';
import type { ProcessParts } from './process-context.ts';
import type { Roles, Teams } from './workspaces.ts';

/** Serves the single workspace of a token. */
export async function serveOne(
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
    watch: ops.watch('slack'),
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

const maxPauseMs = 30_000;

/** Our identity in Slack. Throws for a wrong token; waits while Slack is down. */
export async function learnIdentity(gateway: SlackGateway, log: Log): Promise<Identity> {
  for (let wait = 1_000; ; wait = Math.min(wait * 2, maxPauseMs)) {
    try {
      return await gateway.identity();
    } catch (error) {
      if (!(error instanceof VendorError && error.retryable)) throw error;
      log.warn({ code: error.code, waitMs: wait }, 'Slack cannot be reached yet');
      await pause(wait);
    }
  }
}
