/** Runs the benchmark with small numbers: does it measure what it claims and notice errors? It checks no times. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { bench } from '../../bench/bench.ts';
import { median, quantile } from '../../bench/numbers.ts';
import { readOptions } from '../../bench/options.ts';
import { table } from '../../bench/report.ts';
import { inRounds } from '../../bench/rounds.ts';
import { freshDatabase } from '../support/postgres.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-bench-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const resultSchema = z.object({
  machine: z.object({ node: z.string(), cores: z.number().positive(), calibrationMs: z.number().positive() }),
  measures: z.array(z.object({ id: z.string(), what: z.string(), unit: z.string(), value: z.number() })),
  checks: z.array(z.object({ what: z.string(), ok: z.boolean() })),
});

/** As a separate process, the way `npm run bench` starts it. */
async function runProcess(args: readonly string[]): Promise<{ code: number; out: string }> {
  const child = spawn(process.execPath, ['bench/run.ts', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (out += String(chunk)));
  const [code] = await once(child, 'exit');
  return { code: Number(code), out };
}

async function run(args: readonly string[]): Promise<{ code: number; out: string }> {
  let out = '';
  const say = (text: string) => {
    out += `${text}\n`;
  };
  const code = await bench(args, say, say);
  return { code, out };
}

test('every part works on a real bot and reports what it measured', { timeout: 120_000 }, async () => {
  const file = join(folder, 'result.json');
  const { code, out } = await runProcess(['--quick', '--json', file]);
  // 1: everything went well but something was over its budget, which may happen on a busy machine.
  expect([0, 1], out).toContain(code);
  const { measures, checks } = resultSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  expect(checks.map(({ what, ok }) => `${ok} ${what}`)).toEqual([
    'true 5 goals, 5 cards',
    'true 3 approvals, 3 pages',
    'true 8 reads in each of 2 runs',
    'true 20 commands, 20 cards',
    expect.stringMatching(/^true (20 plans wait|memory is measured on Linux only)$/),
  ]);
  const ids = measures.map(({ id }) => id);
  const expected = [
    'start.first',
    'start.again',
    'card.p50',
    'click.p99',
    'click.page.p50',
    'graph.over',
    'ack.p99',
  ];
  expect(ids).toEqual(expect.arrayContaining(expected));
  expect(new Set(ids).size).toBe(ids.length);
  const value = (id: string) => measures.find((one) => one.id === id)?.value ?? Number.NaN;
  expect(value('click.page.p50')).toBeGreaterThan(value('click.p50'));
  expect(value('graph.span')).toBeGreaterThanOrEqual(100);
  for (const { what } of measures) expect(out).toContain(what);
});

test('the cost of tools besides their vendors is measured on request', async () => {
  const { code, out } = await run(['--quick', '--only', 'tools']);
  expect([0, 1], out).toContain(code);
  expect(out).toContain('runbook.search in 100 files, CPU beside the vendor');
  expect(out).not.toContain('WRONG');
});

test('an unknown option stops it with the list of the known ones', async () => {
  const { code, out } = await run(['--only', 'weather']);
  expect(code).toBe(2);
  expect(out).toContain('there is no part weather; there are start, idle, card, click, graph, ack, memory');
  expect(() => readOptions(['--rounds', '0'])).toThrow('--rounds must be a whole number from 1');
  expect(() => readOptions(['stray'])).toThrow('what is stray?');
  expect(readOptions(['--peers', 'there', '--', '--only', 'W1'])).toMatchObject({
    parts: [],
    peers: { folder: 'there', args: ['--only', 'W1'] },
  });
});

test('computes quantiles, rounds and the table', async () => {
  expect([quantile([5, 1, 3, 2, 4], 0.5), quantile([1, 2], 0.99), median([4, 1, 3, 2])]).toEqual([3, 2, 2.5]);
  let round = 0;
  const results = await inRounds(3, async () => {
    round += 1;
    const measure = {
      id: 'x',
      what: 'how long',
      unit: 'ms',
      value: [10, 60, 20][round - 1] ?? 0,
      budget: 20,
    } as const;
    return [{ measures: [measure], checks: [{ what: 'all there', ok: round !== 2 }] }];
  });
  expect(results[0]?.measures[0]).toMatchObject({ value: 20, runs: [10, 60, 20] });
  expect(table(results).split('\n')).toEqual([
    expect.stringMatching(/^what +measured +budget +runs$/),
    expect.stringMatching(/^[- ]+$/),
    expect.stringMatching(/^how long +20\.0 ms +< 20 ms +OVER +10\.0 60\.0 20\.0$/),
    '',
    'ok     all there',
    'WRONG  all there',
  ]);
});

/** One request per line, one answer per line, matched by their number. */
function adapter(url: string) {
  const child = spawn(process.execPath, ['bench/peers-adapter.ts'], {
    env: { ...process.env, BENCH_PG_URL: url },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = new Map<number, (answer: unknown) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = z.looseObject({ seq: z.number() }).parse(JSON.parse(line));
    waiting.get(answer.seq)?.(answer);
  });
  let seq = 0;
  const call = (op: string, more: object = {}) => {
    seq += 1;
    const answer = new Promise<unknown>((resolve) => waiting.set(seq, resolve));
    child.stdin.write(`${JSON.stringify({ seq, op, ...more })}\n`);
    return answer;
  };
  const kill = async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return { call, kill };
}

const plan = {
  title: 'If there are too many, notify',
  steps: [
    { id: 'a', kind: 'read', tool: 'ticket_count', args: { queue: 'P1' }, deps: [] },
    { id: 'b', kind: 'read', tool: 'sla_threshold', args: { queue: 'P1' }, deps: [] },
    { id: 'c', kind: 'compare', left: ['a'], right: 'b', deps: ['a', 'b'] },
    { id: 'd', kind: 'write', tool: 'notify_oncall', when: 'c', args: { team: 'ops' }, deps: ['c'] },
  ],
};

test('the adapter runs a harness plan once, even if its process is killed', {
  timeout: 60_000,
}, async () => {
  const database = await freshDatabase();
  const effectFile = join(folder, 'effects.txt');
  const open = { dir: folder, effectFile, latency: { readMs: 300, writeMs: 0, jitterMs: 0 } };
  const done = { a: { value: 42 }, b: { value: 30 }, d: { said: 'notified' } };
  const effects = async () => (await readFile(effectFile, 'utf8')).split('\n').filter(Boolean).sort();
  const before = adapter(database.url);
  try {
    expect(await before.call('open', open)).toMatchObject({ value: null });
    for (const id of ['one', 'two', 'three']) await before.call('suspend', { id, plan });
    expect(await before.call('result', { id: 'one' })).toMatchObject({ value: null });
    expect(await before.call('approve', { id: 'one' })).toMatchObject({ value: done });
    expect(await before.call('approve', { id: 'one' })).toMatchObject({
      error: 'not approved: already_decided',
    });
    void before.call('approve', { id: 'two' });
    // The second plan is approved in its own transaction, before anything of it runs.
    while (!JSON.stringify(await before.call('approve', { id: 'two' })).includes('already_decided'));
  } finally {
    await before.kill();
  }
  const after = adapter(database.url);
  try {
    await after.call('open', open);
    expect(await after.call('recover')).toMatchObject({ value: { awaiting: ['three'], inDoubt: 0 } });
    expect(await after.call('result', { id: 'two' })).toMatchObject({ value: done });
    expect(await after.call('stats')).toMatchObject({ value: { rssMB: expect.any(Number) } });
    expect(await effects()).toEqual(['one', 'two']);
  } finally {
    await after.kill();
    await database.drop();
  }
});
