import { openStore } from '../app/database.ts';
import { type DatabaseEnv, readDatabaseEnv } from '../config/env.ts';
import type { Db } from '../store/tables.ts';
import type { CommandContext } from './command.ts';

/** For commands, whose words are their output. */
export const silent = { info() {}, warn() {}, error() {} };

/** Opens the bot's database, starting or joining the embedded one when there is no other. */
export async function withDatabase(
  variables: CommandContext['variables'],
  work: (db: Db, env: DatabaseEnv) => Promise<number>,
): Promise<number> {
  const env = readDatabaseEnv(variables);
  const stack = new AsyncDisposableStack();
  try {
    const { db } = await openStore(env, { max: 2, log: silent }, stack);
    return await work(db, env);
  } finally {
    await stack.disposeAsync();
  }
}
