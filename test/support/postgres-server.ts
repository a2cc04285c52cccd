import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../src/store/embedded/supervisor.ts';
import { roomyFolder } from './roomy-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the run's one server; the databases on it belong to the test files. */
    postgresUrl: string;
  }
}

/** The data on this server need not survive it, so nobody waits for a disk. */
const forgetful = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };
/** A database lives for seconds here, and a visit to each would take longer than it saves. */
const unvisited = { autovacuum: 'off' };
/** Nobody guesses its password, and the tests connect thousands of times: clients repeat a hash 4,096 times by default. */
const quickPasswords = { scram_iterations: '1' };

/** Starts one Postgres for the whole test run, in a temporary folder, and removes both at its end. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(path.join(await roomyFolder(), 'countersign-test-'));
  const log = { info() {}, warn() {}, error() {} };
  const server = await startEmbeddedPostgres({
    dataDir,
    log,
    settings: { ...forgetful, ...unvisited, ...quickPasswords },
  });
  await rehashPassword(server.ownerUrl);
  project.provide('postgresUrl', server.ownerUrl);
  return async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

/** The server stored it before it had its settings. */
async function rehashPassword(url: string): Promise<void> {
  const { username, password } = new URL(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`alter role ${username} password '${password}'`);
  await client.end();
}
