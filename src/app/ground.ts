import type { Env } from '../config/env.ts';
import type { Log } from '../core/log.ts';
import { openDatabase } from '../store/database.ts';
import { startEmbeddedPostgres } from '../store/embedded/supervisor.ts';
import { createSlackGateway, type SlackGateway } from '../vendors/slack/gateway.ts';
import type { Books } from './books.ts';
import { learnIdentity } from './identity.ts';

/** What everything stands on: the database, and Slack with who we are in it. */
export interface Ground extends Books {
  readonly databaseUrl: string;
  readonly gateway: SlackGateway;
}

/** Connections to Postgres for the tables; the run engine has its own. */
const poolSize = 5;

export async function openGround(
  { env, log, now }: { readonly env: Env; readonly log: Log; readonly now: () => Date },
  stack: AsyncDisposableStack,
): Promise<Ground> {
  const databaseUrl = env.DATABASE_URL ?? (await embeddedUrl(env, log, stack));
  const db = await openDatabase({ url: databaseUrl, max: poolSize, log });
  stack.defer(() => db.destroy());
  const { SLACK_BOT_TOKEN: token, SLACK_API_URL: apiUrl } = env;
  const gateway = createSlackGateway({ token, apiUrl, log, fetch, now });
  const { teamId } = await learnIdentity(gateway, log);
  return { databaseUrl, db, gateway, teamId };
}

async function embeddedUrl(env: Env, log: Log, stack: AsyncDisposableStack): Promise<string> {
  const { url, stop } = await startEmbeddedPostgres({ dataDir: env.DATA_DIR, log });
  stack.defer(stop);
  return url;
}
