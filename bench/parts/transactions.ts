import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/store/embedded/supervisor.ts';
import type { PartResult } from '../measure.ts';
import type { GivenPlan } from '../peers/plan.ts';
import { openRuns, type Runs } from '../peers/runs.ts';
import { harnessTools } from '../peers/tools.ts';

const read = { kind: 'read' as const, args: { queue: 'P1' }, deps: [] };
/** Two reads, a comparison and a write: what most people start with. */
const plan: GivenPlan = {
  title: 'If open P1 tickets exceed the threshold, notify on-call',
  steps: [
    { ...read, id: 's1', tool: 'ticket_count' },
    { ...read, id: 's2', tool: 'sla_threshold' },
    { id: 's3', kind: 'compare', left: ['s1'], right: 's2', deps: ['s1', 's2'] },
    { id: 's4', kind: 'write', tool: 'notify_oncall', when: 's3', args: { team: 'ops' }, deps: ['s3'] },
  ],
};
/** A connection of Postgres that went idle tells within ten seconds what it has committed. */
const countedMs = 11_000;

/** What Postgres has to commit from a yes to the stored end of its run, reading included. */
export async function transactions({ runs: count }: { runs: number }): Promise<PartResult> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-commits-'));
  const log = { info() {}, warn() {}, error() {} };
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log });
  const admin = new pg.Client({ connectionString: postgres.ownerUrl });
  await admin.connect();
  try {
    const none = { readMs: 0, writeMs: 0, jitterMs: 0 };
    const runs = await openRuns(postgres.ownerUrl, folder, harnessTools(none, join(folder, 'effects.txt')));
    const perRun = await commitsOf(runs, count, () => commits(admin)).finally(() => runs.close());
    const what = 'transactions from a yes to the end of its run';
    return { measures: [{ id: 'run.transactions', what, unit: '', value: perRun, budget: 8 }], checks: [] };
  } finally {
    await admin.end();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function commitsOf(runs: Runs, count: number, commitsSoFar: () => Promise<number>): Promise<number> {
  const ids = Array.from({ length: count }, (_, index) => `run-${index}`);
  for (const id of ids) await runs.suspend(id, plan);
  const before = await commitsSoFar();
  const from = performance.now();
  for (const id of ids) await runs.approve(id);
  const ms = performance.now() - from;
  const after = await commitsSoFar();
  // What the upkeep asks all the time, whether or not there are runs.
  await pause(ms);
  const idle = (await commitsSoFar()) - after;
  return (after - before - idle) / count;
}

async function commits(admin: pg.Client): Promise<number> {
  await pause(countedMs);
  const { rows } = await admin.query<{ n: string }>(
    "select sum(xact_commit) as n from pg_stat_database where datname like 'bench\\_%'",
  );
  return Number(rows[0]?.n ?? 0);
}
