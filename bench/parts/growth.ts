import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/store/database.ts';
import { startEmbeddedPostgres } from '../../src/store/embedded/supervisor.ts';
import type { Db } from '../../src/store/tables.ts';
import { fill } from '../growth/fill.ts';
import { type GrowthQuery, queries } from '../growth/queries.ts';
import type { Measure, PartResult } from '../measure.ts';
import { quantile } from '../numbers.ts';

const log = { info() {}, warn() {}, error() {} };
const asks = 200;
/** Queries run before measuring: the first ones load the tables' descriptions and a cold cache. */
const warmUp = 20;
const budgetMs = 5;

/** The duration of each query with a long history, on a separate embedded Postgres. */
export async function growth({ past }: { past: number }): Promise<PartResult> {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-growth-'));
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  try {
    const db = await openDatabase({ url: postgres.ownerUrl, max: 2, log });
    try {
      const from = performance.now();
      await fill(db, past);
      const seconds = (performance.now() - from) / 1_000;
      const measures: Measure[] = [];
      for (const query of queries(past)) measures.push(...(await timed(db, query)));
      const what = `${past} runs in the past, filled in ${seconds.toFixed(0)} s`;
      return { measures, checks: [{ what, ok: true }] };
    } finally {
      await db.destroy();
    }
  } finally {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function timed(db: Db, { name, ask }: GrowthQuery): Promise<Measure[]> {
  const times: number[] = [];
  for (let nth = 0; nth < warmUp + asks; nth += 1) {
    const from = performance.now();
    await ask(db, nth);
    if (nth >= warmUp) times.push(performance.now() - from);
  }
  const id = `growth.${name.replaceAll(/[^a-z]+/gi, '_').toLowerCase()}`;
  return [
    { id: `${id}.p50`, what: `${name}, p50`, unit: 'ms', value: quantile(times, 0.5) },
    { id: `${id}.p99`, what: `${name}, p99`, unit: 'ms', value: quantile(times, 0.99), budget: budgetMs },
  ];
}
