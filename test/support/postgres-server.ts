import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../src/store/embedded/supervisor.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the run's one server; the databases on it belong to the test files. */
    postgresUrl: string;
  }
}

/** Starts one Postgres for the whole test run, in a temporary folder, and removes both at its end. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'countersign-test-'));
  const server = await startEmbeddedPostgres({ dataDir, log: { info() {}, warn() {}, error() {} } });
  await trustMemory(server.ownerUrl);
  project.provide('postgresUrl', server.ownerUrl);
  return async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

/** What is on this server need not survive it, so nobody waits for the disk. */
async function trustMemory(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('alter role current_user set synchronous_commit = off');
    for (const setting of ['fsync', 'full_page_writes'])
      await client.query(`alter system set ${setting} = off`);
    await client.query('select pg_reload_conf()');
  } finally {
    await client.end();
  }
}
