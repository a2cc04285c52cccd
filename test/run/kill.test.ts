import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import * as audit from '../../src/audit/chain.ts';
import * as runs from '../../src/store/runs.ts';
import { approvedRun, planOf } from '../support/runs.ts';
import { endOpenRuns, openTestStore, TEAM } from '../support/store.ts';
import { type StandIn, startStandIn } from '../support/vendor-stand-in.ts';

const store = openTestStore();
const script = fileURLToPath(new URL('../support/run-child.ts', import.meta.url));
const children = new Set<ChildProcess>();
const standIns = new Set<StandIn>();
const patience = { timeout: 60_000, interval: 100 };

async function child(vendor: StandIn): Promise<ChildProcess> {
  const process = fork(script, [store.url(), vendor.url], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  children.add(process);
  let said = '';
  process.stderr?.on('data', (data) => {
    said += String(data);
  });
  const [message] = await Promise.race([once(process, 'message'), once(process, 'exit')]);
  if (message !== 'ready') throw new Error(`the child did not start: ${said}`);
  return process;
}

async function kill(process: ChildProcess): Promise<void> {
  const exit = once(process, 'exit');
  process.kill('SIGKILL');
  await exit;
}

async function vendor(): Promise<StandIn> {
  const standIn = await startStandIn();
  standIns.add(standIn);
  return standIn;
}

/** Two reads, a page and a post on them, a read after the page, and a second page after that. */
const plan = planOf([
  { id: 'count', tool: 'jira.count', why: 'x', args: { project: 'OPS' } },
  { id: 'other', tool: 'jira.count', why: 'x', args: { project: 'PAY' } },
  {
    id: 'page',
    tool: 'pagerduty.page',
    why: 'x',
    needs: ['count'],
    when: 'count.total > 20',
    args: { service: 'ops', text: ['There are ', { ref: 'count.total' }] },
  },
  { id: 'post', tool: 'slack.post', why: 'x', needs: ['other'], args: { channel: '#ops', text: 'Look' } },
  { id: 'again', tool: 'jira.count', why: 'x', needs: ['page'], args: { project: 'OPS' } },
  {
    id: 'second',
    tool: 'pagerduty.page',
    why: 'x',
    needs: ['again'],
    args: { service: 'payments-api', text: ['Now ', { ref: 'again.total' }] },
  },
]);
const writesOf = ({ runId }: { runId: string }) =>
  ['page', 'post', 'second'].map((id) => `cs-${runId}-${id}`);

async function approved(prefix: string, count: number) {
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const changes = { expiresAt };
  const ids = Array.from({ length: count }, (_, at) => `${prefix}${at}`);
  return Promise.all(ids.map((id) => approvedRun(store.db(), id, plan, changes)));
}

async function outcomes(keys: readonly { teamId: string; runId: string }[]) {
  const rows = await Promise.all(keys.map((key) => runs.get(store.db(), key)));
  return rows.map((row) => row?.outcome ?? null);
}

afterEach(async () => {
  for (const process of children)
    if (process.exitCode === null && process.signalCode === null) await kill(process);
  for (const standIn of standIns) await standIn.close();
  await endOpenRuns(store.db());
  children.clear();
  standIns.clear();
});

test('killed at many points, between steps and during writes, every run ends and every write is made once', async () => {
  const standIn = await vendor();
  const keys = await approved('kill', 5);
  const left = [3, 11, 14, 19, 24, 31];
  let current = await child(standIn);
  let restarted = Promise.resolve();
  // At these requests the process dies after the vendor accepted the request and before it answered.
  standIn.onRequest = async ({ count }) => {
    const next = left[0];
    if (next === undefined || count < next) return;
    left.shift();
    // Two at nearly the same time: the second kills the process's successor.
    restarted = restarted.then(async () => {
      await kill(current);
      current = await child(standIn);
    });
    await restarted;
  };
  for (const { teamId, runId } of keys) current.send({ start: [teamId, runId] });
  await expect.poll(() => outcomes(keys), patience).toEqual(keys.map(() => 'done'));
  expect(left).toEqual([]);
  const expected = keys.flatMap(writesOf).sort();
  expect([...standIn.writes.keys()].sort()).toEqual(expected);
  expect([...standIn.writes.values()]).toEqual(expected.map(() => 1));
  expect(await audit.verify(store.db(), TEAM)).toMatchObject({ ok: true });
}, 120_000);

test('two processes with the same starts make each run once, and one takes over when the other dies', async () => {
  const standIn = await vendor();
  const keys = await approved('both', 6);
  const [first, second] = await Promise.all([child(standIn), child(standIn)]);
  let killed: Promise<void> | undefined;
  standIn.onRequest = async ({ count }) => {
    if (count < 15) return;
    killed ??= kill(first);
    await killed;
  };
  for (const { teamId, runId } of keys) {
    first.send({ start: [teamId, runId] });
    second.send({ start: [teamId, runId] });
  }
  await expect.poll(() => outcomes(keys), patience).toEqual(keys.map(() => 'done'));
  expect(killed).toBeDefined();
  const expected = keys.flatMap(writesOf).sort();
  expect([...standIn.writes.keys()].sort()).toEqual(expected);
  expect([...standIn.writes.values()]).toEqual(expected.map(() => 1));
}, 120_000);

test('a stored run that never started is started by a living process', async () => {
  const standIn = await vendor();
  const keys = await approved('orphan', 1);
  await child(standIn);
  await expect.poll(() => outcomes(keys), patience).toEqual(['done']);
  expect([...standIn.writes.values()]).toEqual([1, 1, 1]);
}, 120_000);

test('a process that loses its lock exits at once, and another continues its runs', async () => {
  const standIn = await vendor();
  const keys = await approved('lock', 1);
  const first = await child(standIn);
  const ended = once(first, 'exit');
  let second: Promise<ChildProcess> | undefined;
  standIn.onRequest = async ({ method }) => {
    if (method !== 'POST' || second !== undefined) return;
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'countersign-executor' and datname = current_database()`.execute(store.db());
    expect(await ended).toEqual([70, null]);
    second = child(standIn);
  };
  first.send({ start: [TEAM, 'run-lock0-1'] });
  await expect.poll(() => outcomes(keys), patience).toEqual(['done']);
  await second;
  expect([...standIn.writes.values()]).toEqual([1, 1, 1]);
}, 120_000);
