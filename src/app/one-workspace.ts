import { plainFetch } from '../vendors/http/plain-fetch.ts';
import { createSlackGateway } from '../vendors/slack/gateway.ts';
import { learnIdentity } from './identity.ts';
import type { Served } from './listen.ts';
import type { ProcessParts } from './process-parts.ts';
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
    fetch: plainFetch,
    now,
    watch: ops.watch('slack'),
  });
  const { teamId } = await learnIdentity(gateway, log);
  await teams.open({ teamId, gateway, options }, roles);
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
