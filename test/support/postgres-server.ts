import { mkdtemp, rm } from 'node:fs/promises';
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

/** Starts one Postgres for the whole test run, in a temporary folder, and removes both at its end. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'countersign-test-'));
  const server = await startEmbeddedPostgres({ dataDir, log: { info() {}, warn() {}, error() {} } });
  project.provide('postgresUrl', server.ownerUrl);
  return async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
