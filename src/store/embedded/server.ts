import { readFile, rename, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProgramResult } from '../../child.ts';
import type { Account } from './account.ts';
import { type Binaries, programPath } from './binaries.ts';
import { runPostgres } from './command.ts';
import type { ServerHome } from './data-folder.ts';
import { EmbeddedPostgresError, systemCode } from './errors.ts';
import { disownPid, isProcessAlive, isServerAlive, readPostmaster, removeEmptyLock } from './postmaster.ts';

/** Time a server may stay neither up nor down before that is an error. */
const SETTLE_MS = 30_000;
/** A fast shutdown flushes memory and exits; with our small buffers that takes a fraction of this. */
const STOP_MS = 20_000;
const POLL_MS = 50;
const LOG_LIMIT = 1024 * 1024;

/**
 * Sized for one bot with few connections: small buffers, no parallel or I/O workers, no replication. Durability is
 * untouched: fsync and synchronous_commit stay on, because an audit line must be on disk before the act.
 */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '16MB',
  work_mem: '2MB',
  maintenance_work_mem: '16MB',
  autovacuum_max_workers: '1',
  max_parallel_workers_per_gather: '0',
  max_worker_processes: '2',
  max_logical_replication_workers: '0',
  max_wal_senders: '0',
  wal_level: 'minimal',
  min_wal_size: '32MB',
  max_wal_size: '128MB',
  io_method: 'sync',
  jit: 'off',
  huge_pages: 'off',
  fsync: 'on',
  synchronous_commit: 'on',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
} as const;

export interface RunningServer {
  readonly port: number;
  /** True when it was already running. */
  readonly adopted: boolean;
}

/** Server settings by name, as `postgres -c` takes them. */
export type ServerSettings = Readonly<Record<string, string>>;

/**
 * Finds the running server of `home`, or starts it. Waits while another process starts or stops it, and retries a start
 * that failed because of that process or because the port was taken meanwhile.
 */
export async function findOrStart(
  home: ServerHome,
  binaries: Binaries,
  account: Account | null,
  settings: ServerSettings = {},
): Promise<RunningServer> {
  const deadline = Date.now() + SETTLE_MS;
  let started = false;
  let lastLine = '';
  while (Date.now() < deadline) {
    const found = await readPostmaster(home.data);
    if (found !== null && (await isServerAlive(found.pid))) {
      if (found.status === 'ready' && found.port !== null) return { port: found.port, adopted: !started };
      await sleep(POLL_MS);
      continue;
    }
    if (found !== null && isProcessAlive(found.pid)) await disownPid(home.data);
    if (found === null) await removeEmptyLock(home.data);
    await rotateLog(home.data);
    const before = await logSize(home.data);
    const result = await start(home, binaries, account, {
      ...SETTINGS,
      ...settings,
      port: String(await freePort()),
    });
    started = result.exitCode === 0;
    if (started) continue;
    lastLine = (await lastLogLine(home.data, before)) || result.output.trim();
    if (lastLine.includes('No space left on device')) throw diskFull(home);
    if (!mayPass(lastLine)) break;
    await sleep(POLL_MS);
  }
  const facts = { folder: home.folder, log: lastLine };
  throw new EmbeddedPostgresError(
    'server_failed',
    `The embedded Postgres did not start: ${lastLine || 'no answer'}`,
    facts,
  );
}

/**
 * Stops the server and waits for it: open transactions are rolled back, everything committed is on disk. Waits for this
 * process only, since `pg_ctl stop` would also wait for a server that the next bot starts meanwhile.
 */
export async function stopServer(home: ServerHome, binaries: Binaries): Promise<void> {
  const found = await readPostmaster(home.data);
  if (found === null) return;
  await interrupt(found.pid, home, binaries);
  const deadline = Date.now() + STOP_MS;
  while (await isServerAlive(found.pid)) {
    if (Date.now() > deadline) throw wontStop(home);
    await sleep(POLL_MS / 2);
  }
}

async function start(
  home: ServerHome,
  binaries: Binaries,
  account: Account | null,
  settings: ServerSettings,
): Promise<ProgramResult> {
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const args = [
    'start',
    '-D',
    home.data,
    '-l',
    logFile(home.data),
    '-w',
    '-t',
    '60',
    '-s',
    '-o',
    options.join(' '),
  ];
  // pg_ctl gives the server its own session: Ctrl-C in a terminal reaches only the bot, which can shut down cleanly.
  return runPostgres(programPath(binaries, 'pg_ctl'), args, { account, cwd: home.folder });
}

/** SIGINT requests a fast shutdown; on Windows, which has no signals, pg_ctl relays it. */
async function interrupt(pid: number, home: ServerHome, binaries: Binaries): Promise<void> {
  if (process.platform === 'win32') {
    const args = ['kill', 'INT', String(pid)];
    await runPostgres(programPath(binaries, 'pg_ctl'), args, { account: null, cwd: home.folder });
  } else if (await isServerAlive(pid)) {
    process.kill(pid, 'SIGINT');
  }
}

/** A free loopback port. Another process may take it before Postgres does; then the start is retried. */
async function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const probe = createServer();
  probe.on('error', reject);
  probe.listen(0, '127.0.0.1', () => {
    const address = probe.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    probe.close(() => resolve(port));
  });
  return promise;
}

/** Temporary failures: a rival starting or stopping, survivors of a crash, a taken port. */
function mayPass(line: string): boolean {
  return /lock file|PID file|pre-existing shared memory|Is another postmaster|could not create any TCP|could not bind/.test(
    line,
  );
}

function logFile(data: string): string {
  return path.join(data, 'server.log');
}

async function rotateLog(data: string): Promise<void> {
  if ((await logSize(data)) > LOG_LIMIT) await rename(logFile(data), `${logFile(data)}.1`);
}

async function logSize(data: string): Promise<number> {
  try {
    return (await stat(logFile(data))).size;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return 0;
    throw error;
  }
}

/** The last FATAL or PANIC line written after byte `from`, without its timestamp; else the last line. */
async function lastLogLine(data: string, from: number): Promise<string> {
  if ((await logSize(data)) <= from) return '';
  const text = (await readFile(logFile(data))).subarray(from).toString('utf8');
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const line = lines.findLast((each) => /FATAL|PANIC/.test(each)) ?? lines.at(-1) ?? '';
  return line.replace(/^.*?(FATAL|PANIC):\s*/, '');
}

function wontStop(home: ServerHome): EmbeddedPostgresError {
  return new EmbeddedPostgresError('server_failed', `The embedded Postgres in ${home.folder} did not stop.`, {
    folder: home.folder,
  });
}

function diskFull(home: ServerHome): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'disk_full',
    `There is no room left for the database in ${home.folder}. Make room there and start again.`,
    {
      folder: home.folder,
    },
  );
}
