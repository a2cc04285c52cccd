import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from '../../src/store/embedded/supervisor.ts';
import type { PartResult } from '../measure.ts';

const adapter = fileURLToPath(new URL('../peers-adapter.ts', import.meta.url));

/**
 * Lets a harness compare our runner with others: it is started in its folder as `node run.js --peer …`, and its output
 * is passed on. All runners that need a Postgres get the same embedded one, as BENCH_PG_URL.
 */
export async function peers({
  folder,
  args,
}: {
  folder: string;
  args: readonly string[];
}): Promise<PartResult> {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-peers-'));
  const postgres = await startEmbeddedPostgres({ dataDir, log: { info() {}, warn() {}, error() {} } });
  try {
    const peer = `countersign=cmd:"${process.execPath}" --expose-gc "${adapter}"`;
    const child = spawn(process.execPath, ['run.js', '--peer', peer, ...args], {
      cwd: folder,
      env: { ...process.env, BENCH_PG_URL: postgres.ownerUrl },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (chunk) => (text += String(chunk)));
    const [code] = await once(child, 'exit');
    return { measures: [], checks: [{ what: `the harness in ${folder} ended well`, ok: code === 0 }], text };
  } finally {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
