import { refuseStrangeKeys } from '../audit/other-keys.ts';
import type { Env } from '../config/env.ts';
import type { Log } from '../core/log.ts';
import { ask } from '../store/backlog.ts';
import type { SlackGateway } from '../vendors/slack/gateway.ts';
import { openStore, warnOfRewriting } from './database.ts';
import { type Room, watchRoom } from './disk-space.ts';
import type { Ops } from './ops.ts';
import type { Books, SoundBooks } from './stored-requests.ts';

/** The database shared by all workspaces. */
export interface Base {
  readonly db: Books['db'];
  readonly databaseUrl: string;
  readonly room: Room;
}

/** The basis of one workspace: the database, and Slack with our identity in it. */
export interface Ground extends Base, SoundBooks {
  readonly gateway: SlackGateway;
}

/** Connections to Postgres. */
const poolSize = 5;

export async function openBase(
  { env, log, now }: { readonly env: Env; readonly log: Log; readonly now: () => Date },
  { readiness }: Pick<Ops, 'readiness'>,
  stack: AsyncDisposableStack,
): Promise<Base> {
  const { db, url: databaseUrl } = await openStore(env, { max: poolSize, log }, stack);
  await refuseStrangeKeys(db);
  const room = watchRoom(db, now);
  readiness.set('database', async () => {
    await ask(db);
    return room.lacking();
  });
  await warnOfRewriting(db, log);
  return { databaseUrl, db, room };
}
