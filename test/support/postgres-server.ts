import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../src/store/embedded/supervisor.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the run's one server; the databases on it belong to the test files. */
    postgresUrl: string;
  }
}

/** What is on this server need not survive it, so nobody waits for a disk. */
const forgetful = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };

/** Where Linux keeps files in memory. */
const memory = '/dev/shm';
/** A whole run needs less than half of this. A container often has 64 MB there. */
const bytesNeeded = 1024 ** 3;

/** Starts one Postgres for the whole test run, in a temporary folder, and removes both at its end. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(path.join(await roomyFolder(), 'countersign-test-'));
  const log = { info() {}, warn() {}, error() {} };
  const server = await startEmbeddedPostgres({ dataDir, log, settings: forgetful });
  project.provide('postgresUrl', server.ownerUrl);
  return async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

/** Each database is some 450 small files: on a disk, making and removing them costs ten times what it does in memory. */
async function roomyFolder(): Promise<string> {
  const found = await statfs(memory).catch(() => null);
  return found !== null && found.bavail * found.bsize >= bytesNeeded ? memory : tmpdir();
}
