/**
 * Connects our runner to the line protocol of a harness that compares runners of plans: one JSON request per line on
 * stdin, answers on stdout in any order. BENCH_PG_URL is the Postgres server to use.
 */
import { createInterface } from 'node:readline';
import { getHeapStatistics } from 'node:v8';
import { z } from 'zod';
import { describeError } from '../src/core/errors.ts';
import { givenPlanSchema } from './peers/plan.ts';
import { openRuns, type Runs } from './peers/runs.ts';
import { harnessTools } from './peers/tools.ts';

const seq = z.number();
const id = z.string();
const milliseconds = z.number().default(0);
const latency = z.object({ readMs: milliseconds, writeMs: milliseconds, jitterMs: milliseconds });
const requestSchema = z.discriminatedUnion('op', [
  z.object({
    seq,
    op: z.literal('open'),
    dir: z.string(),
    latency: latency.prefault({}),
    effectFile: z.string(),
  }),
  z.object({ seq, op: z.literal('suspend'), id, plan: givenPlanSchema }),
  z.object({ seq, op: z.literal('approve'), id }),
  z.object({ seq, op: z.literal('result'), id }),
  z.object({ seq, op: z.enum(['recover', 'stats', 'close']) }),
]);
type Request = z.infer<typeof requestSchema>;

let runs: Runs | null = null;

function opened(): Runs {
  if (runs === null) throw new TypeError('nothing is open');
  return runs;
}

async function answer(request: Request): Promise<unknown> {
  switch (request.op) {
    case 'open': {
      const server = process.env.BENCH_PG_URL;
      if (!server) throw new TypeError('BENCH_PG_URL is not set');
      runs = await openRuns(server, request.dir, harnessTools(request.latency, request.effectFile));
      return null;
    }
    case 'suspend':
      return opened().suspend(request.id, request.plan);
    case 'approve':
      return opened().approve(request.id);
    case 'result':
      return opened().result(request.id);
    case 'recover':
      return opened().recover();
    case 'stats':
      return stats();
    case 'close':
      return opened().close();
  }
}

/** Only of this process; Postgres has its own memory and CPU. */
function stats(): { rssMB: number; heapMB: number; cpuMs: number } {
  globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const megabyte = 2 ** 20;
  return {
    rssMB: process.memoryUsage.rss() / megabyte,
    heapMB: getHeapStatistics().used_heap_size / megabyte,
    cpuMs: (user + system) / 1_000,
  };
}

async function serve(line: string): Promise<void> {
  const request = requestSchema.parse(JSON.parse(line));
  const reply = await answer(request).then(
    (value) => ({ seq: request.seq, value: value ?? null }),
    (error: unknown) => ({ seq: request.seq, error: describeError(error).message }),
  );
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => void serve(line));
lines.on('close', () => process.exit(0));
