import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterEach } from 'vitest';
import { isServerAlive } from '../../src/store/embedded/postmaster.ts';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../../src/store/embedded/supervisor.ts';
import { roomyFolder } from './roomy-folder.ts';

const folders: string[] = [];
const servers: EmbeddedPostgres[] = [];

/** Ends what a test left running and removes its folders. */
export function cleanUpAfterEach(): void {
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop().catch(() => undefined);
    for (const folder of folders.splice(0)) {
      const pid = await postmasterPid(folder).catch(() => 0);
      if (pid > 0 && (await isServerAlive(pid))) process.kill(pid, 'SIGQUIT');
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  });
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(await roomyFolder(), 'countersign-embedded-'));
  folders.push(folder);
  // As root the server runs under another account, which has to pass through to whatever a test makes below.
  await chmod(folder, 0o711);
  return folder;
}

export async function start(
  dataDir: string,
  more: Partial<EmbeddedPostgresOptions> = {},
): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, log: { info() {}, warn() {}, error() {} }, ...more });
  servers.push(server);
  return server;
}

/** Starts the database from a process of its own, which can then be killed. */
export async function startFromOtherProcess(
  dataDir: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<{ child: ChildProcess; url: string; ownerUrl: string; adopted: boolean }> {
  const script = path.join(import.meta.dirname, 'embedded-owner.ts');
  const child = spawn(process.execPath, [script, dataDir], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const said: { url: string; ownerUrl: string; adopted: boolean } = JSON.parse(String(line));
  return { child, ...said };
}

/** Ends a process without a chance to tidy up, and waits until it is gone. */
export async function killHard(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** Pid in the lock file of a data folder's server. Rejects when there is none. */
export async function postmasterPid(dataDir: string): Promise<number> {
  return Number((await readFile(await lockFile(dataDir), 'utf8')).split('\n')[0]);
}

export async function lockFile(dataDir: string): Promise<string> {
  return path.join(await realpath(path.join(dataDir, 'postgres')), 'data', 'postmaster.pid');
}

/** Runs one statement on a connection of its own and returns its rows. */
export async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}
