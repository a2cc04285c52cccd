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
/** Two reads, a comparison and a write: the typical first plan. */
const plan: GivenPlan = {
  title: 'If open P1 tickets exceed the threshold, notify on-call',
  steps: [
    { ...read, id: 's1', tool: 'ticket_count' },
    { ...read, id: 's2', tool: 'sla_threshold' },
    { id: 's3', kind: 'compare', left: ['s1'], right: 's2', deps: ['s1', 's2'] },
    { id: 's4', kind: 'write', tool: 'notify_oncall', when: 's3', args: { team: 'ops' }, deps: ['s3'] },
  ],
};
/** Postgres commits from an approval to the stored end of its run, including reads. */
export async function transactions({ runs: count }: { runs: number }): Promise<PartResult> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-commits-'));
  const log = { info() {}, warn() {}, error() {} };
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log });
  const admin = new pg.Client({ connectionString: postgres.ownerUrl });
  await admin.connect();
  try {
    const none = { readMs: 0, writeMs: 0, jitterMs: 0 };
    const tools = harnessTools(none, join(folder, 'effects.txt'));
    const during = async (work: (runs: Runs) => Promise<void>): Promise<number> => {
      const before = await commits(admin);
      const runs = await openRuns(postgres.ownerUrl, folder, tools);
      await work(runs).finally(() => runs.close());
      return (await commits(admin)) - before;
    };
    const perRun = await commitsOf(count, during);
    const what = 'transactions from an approval to the end of its run';
    return { measures: [{ id: 'run.transactions', what, unit: '', value: perRun, budget: 8 }], checks: [] };
  } finally {
    await admin.end();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

type During = (work: (runs: Runs) => Promise<void>) => Promise<number>;

async function commitsOf(count: number, during: During): Promise<number> {
  const ids = Array.from({ length: count }, (_, index) => `run-${index}`);
  await during(async (runs) => {
    for (const id of ids) await runs.suspend(id, plan);
  });
  const withRuns = await during(async (runs) => {
    for (const id of ids) await runs.approve(id);
  });
  // A start and a stop, which belong to no run.
  return (withRuns - (await during(async () => {}))) / count;
}

/** A connection has reported all its commits once it is closed. */
async function commits(admin: pg.Client): Promise<number> {
  for (;;) {
    const { rows } = await admin.query<{ open: string; n: string }>(`
      select (select count(*) from pg_stat_activity where datname like 'bench\\_%') as open,
        (select sum(xact_commit) from pg_stat_database where datname like 'bench\\_%') as n`);
    if (Number(rows[0]?.open) === 0) return Number(rows[0]?.n ?? 0);
    await pause(20);
  }
}
