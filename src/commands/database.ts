import { once } from 'node:events';
import { type DatabaseEnv, readDatabaseEnv } from '../config/env.ts';
import { startEmbeddedPostgres } from '../store/embedded/supervisor.ts';
import { openStore, stateFolder } from '../store/open.ts';
import type { Db } from '../store/tables.ts';
import { type Command, type CommandContext, UsageError } from './command.ts';

/** For commands, which report through their output. */
export const silent = { info() {}, warn() {}, error() {} };

/** Opens the bot's database, starting or joining the embedded one if no other is configured. */
export async function withDatabase(
  variables: CommandContext['variables'],
  work: (db: Db, env: DatabaseEnv, url: string) => Promise<number>,
): Promise<number> {
  const env = readDatabaseEnv(variables);
  const stack = new AsyncDisposableStack();
  try {
    const { db, url } = await openStore(env, { max: 2, log: silent }, stack);
    return await work(db, env, url);
  } finally {
    await stack.disposeAsync();
  }
}

/**
 * `database hold`: starts the embedded database, or joins a running one, prints the owner's connection string for psql
 * and the like, and keeps it up until the input ends.
 */
export const databaseCommand: Command = async ([what], { variables, out }) => {
  if (what !== 'hold') throw new UsageError();
  const dataDir = stateFolder(readDatabaseEnv({ DATA_DIR: variables.DATA_DIR })) ?? 'data';
  const server = await startEmbeddedPostgres({ dataDir, log: silent });
  out(server.ownerUrl);
  process.stdin.resume();
  await once(process.stdin, 'end');
  await server.stop();
  return 0;
};
