import type { Env } from '../config/env.ts';
import type { Log } from '../core/log.ts';
import { ask } from '../store/standing.ts';
import { createSlackGateway, type SlackGateway } from '../vendors/slack/gateway.ts';
import type { Books } from './books.ts';
import { openStore, warnOfRewriting } from './database.ts';
import { learnIdentity } from './identity.ts';
import type { Ops } from './ops.ts';

/** What everything stands on: the database, and Slack with who we are in it. */
export interface Ground extends Books {
  readonly databaseUrl: string;
  /** True when the run engine's tables were brought up to date by the role that owns them. */
  readonly engineIsMigrated: boolean;
  readonly gateway: SlackGateway;
}

/** Connections to Postgres for the tables; the run engine has its own. */
const poolSize = 5;

export async function openGround(
  { env, log, now }: { readonly env: Env; readonly log: Log; readonly now: () => Date },
  { readiness, watch }: Pick<Ops, 'readiness' | 'watch'>,
  stack: AsyncDisposableStack,
): Promise<Ground> {
  const { db, url: databaseUrl, hasOwner } = await openStore(env, { max: poolSize, log }, stack);
  readiness.set('database', async () => {
    await ask(db);
    return null;
  });
  await warnOfRewriting(db, log);
  const { SLACK_BOT_TOKEN: token, SLACK_API_URL: apiUrl } = env;
  const gateway = createSlackGateway({ token, apiUrl, log, fetch, now, watch: watch('slack') });
  const { teamId } = await learnIdentity(gateway, log);
  return { databaseUrl, engineIsMigrated: hasOwner, db, gateway, teamId };
}
