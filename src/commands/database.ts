import { readDatabaseEnv } from '../config/env.ts';
import { openDatabase } from '../store/database.ts';
import { startEmbeddedPostgres } from '../store/embedded/supervisor.ts';
import type { Db } from '../store/tables.ts';
import type { CommandContext } from './command.ts';

const silent = { info() {}, warn() {}, error() {} };

/** Opens the bot's database, starting or joining the embedded one when there is no other. */
export async function withDatabase(
  variables: CommandContext['variables'],
  work: (db: Db) => Promise<number>,
): Promise<number> {
  const env = readDatabaseEnv(variables);
  const embedded = env.DATABASE_URL
    ? null
    : await startEmbeddedPostgres({ dataDir: env.DATA_DIR, log: silent });
  const db = await openDatabase({ url: env.DATABASE_URL ?? embedded?.url ?? '', max: 2, log: silent });
  try {
    return await work(db);
  } finally {
    await db.destroy();
    await embedded?.stop();
  }
}
