import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../core/log.ts';
import { serverAccount } from './account.ts';
import { type Binaries, findBinaries, readableBinaries } from './binaries.ts';
import {
  BOT_ROLE,
  botPassword,
  chooseBase,
  createHome,
  existingHome,
  homeLink,
  readPassword,
  SERVER_NAME,
  type ServerHome,
} from './data-folder.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { type Guard, type Logins, serverUrl, standGuard } from './guard.ts';
import { findOrStart, type RunningServer, type ServerSettings, stopServer } from './server.ts';

/** Root's data folder when DATA_DIR lies in a folder that only root may enter. */
const OUTSIDE = '/var/lib/countersign';
/** A server killed together with its bot goes down within this time; a healthy one answers at once. */
const RETRY_MS = 2_000;
const POLL_MS = 50;

export interface EmbeddedPostgresOptions {
  /** DATA_DIR. The database is kept in `postgres` below it. */
  readonly dataDir: string;
  readonly log: Log;
  /** Replaces `/var/lib/countersign`, see `chooseBase`. */
  readonly outside?: string;
  /** Overrides server settings when it is started here, for data that need not survive. */
  readonly settings?: ServerSettings;
}

export interface EmbeddedPostgres {
  /** Connection string of the bot's role, including the password: not for logs. */
  readonly url: string;
  /** Connection string of the role that owns the tables. */
  readonly ownerUrl: string;
  /** True when the server was already running: left by a killed bot, or shared with another one. */
  readonly adopted: boolean;
  /** Stops the server, unless another bot still uses it. Close the pools first. */
  stop(): Promise<void>;
}

/**
 * Starts the Postgres of this DATA_DIR, or adopts a running one. Bots with the same DATA_DIR share the server, and the
 * last one stops it. Throws EmbeddedPostgresError.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log } = options;
  const dataDir = path.resolve(options.dataDir);
  const found = await findBinaries();
  const account = await serverAccount(path.join(homeLink(dataDir), 'data'));
  const base = await chooseBase(dataDir, account, options.outside ?? OUTSIDE);
  const binaries = await readableBinaries(found, account, base);
  const home =
    (await existingHome(dataDir, binaries.major)) ?? (await createHome(dataDir, base, binaries, account));
  if (base !== dataDir) log.warn({ folder: home.folder }, 'the database is kept outside of DATA_DIR');
  const owner = { role: SERVER_NAME, password: await readPassword(home) };
  const logins = { owner, bot: { role: BOT_ROLE, password: await botPassword(home) } };
  const startOrFind = () => findOrStart(home, binaries, account, options.settings);
  const { server, guard } = await reach(home, startOrFind, logins, log);
  log.info({ port: server.port, adopted: server.adopted, folder: home.folder }, 'embedded database is up');
  let stopped: Promise<void> | null = null;
  return {
    url: serverUrl(server.port, logins.bot, SERVER_NAME),
    ownerUrl: serverUrl(server.port, logins.owner, SERVER_NAME),
    adopted: server.adopted,
    stop() {
      stopped ??= leave(guard, home, binaries, log);
      return stopped;
    },
  };
}

async function reach(
  home: ServerHome,
  startOrFind: () => Promise<RunningServer>,
  logins: Logins,
  log: Log,
): Promise<{ server: RunningServer; guard: Guard }> {
  const deadline = Date.now() + RETRY_MS;
  for (;;) {
    const server = await startOrFind();
    try {
      return { server, guard: await standGuard(home, server.port, logins, log) };
    } catch (error) {
      if (error instanceof EmbeddedPostgresError) throw error;
      if (Date.now() > deadline) throw unreachable(home, error);
      await sleep(POLL_MS);
    }
  }
}

async function leave(guard: Guard, home: ServerHome, binaries: Binaries, log: Log): Promise<void> {
  try {
    if (await guard.leave()) await stopServer(home, binaries);
    else log.info({ folder: home.folder }, 'another bot uses the embedded database, so it stays up');
  } finally {
    await guard.close();
  }
}

function unreachable(home: ServerHome, cause: unknown): EmbeddedPostgresError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new EmbeddedPostgresError(
    'server_failed',
    `The embedded Postgres runs but does not answer: ${reason}`,
    { folder: home.folder },
    cause,
  );
}
