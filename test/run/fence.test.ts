import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { take } from '../../src/store/load-run.ts';
import * as runs from '../../src/store/runs.ts';
import * as steps from '../../src/store/steps.ts';
import * as writes from '../../src/store/writes.ts';
import { openTestRunner } from '../support/runner.ts';
import { approvedRun, planOf, slaPlan } from '../support/runs.ts';
import { auditRows, givenIntent, minutes, TEAM, writeRows } from '../support/store.ts';

const use = openTestRunner();

beforeEach(async () => {
  await use.db().deleteFrom('writes').execute();
});

const anaIsTarget = {
  ...{ step: 'page', arg: 'service', kind: 'service' as const, value: 'ops' },
  ...{ label: 'pages Ana Ruiz, on call for ops', identity: 'PANA01' },
};
const page = { id: 'page', tool: 'pagerduty.page', why: 'x', args: { service: 'ops', text: 'x' } };

function takenBy(executor: string | null, runId: string) {
  return use.second().updateTable('runs').set({ executor }).where('id', '=', runId).execute();
}

test('a process that lost its run during the reads writes, stores, reports and ends nothing', async () => {
  const key = await approvedRun(use.db(), 'overtaken', slaPlan());
  use.vendors().behaviour.count = async () => {
    await takenBy('another', key.runId);
    return 24;
  };
  expect(await use.runner().run(key)).toBeNull();
  expect(use.vendors().pages).toEqual([]);
  expect(use.events).toEqual([]);
  expect(use.warnings.join()).not.toMatch(/broke/i);
  expect(await writeRows(use.db(), key.runId)).toEqual([]);
  expect(await steps.stepResults(use.db(), TEAM, key.runId)).toEqual([]);
  expect(await auditRows(use.db(), TEAM, `run:${key.runId}`)).toEqual([]);
  expect(await runs.get(use.db(), key)).toMatchObject({ state: 'running', outcome: null });
});

test('a run that its own process entered again is not worked on twice', async () => {
  const key = await approvedRun(use.db(), 'twice', slaPlan());
  use.vendors().behaviour.count = async () => {
    await take(use.second(), { ...key, entered: 1 }, use.runner().executorId);
    return 24;
  };
  expect(await use.runner().run(key)).toBeNull();
  expect(use.vendors().pages).toEqual([]);
});

test('a process that lost its run during a write still stores the made write, and nothing else', async () => {
  const key = await approvedRun(use.db(), 'late', planOf([page]));
  use.vendors().behaviour.afterPage = () => takenBy('another', key.runId).then(() => undefined);
  expect(await use.runner().run(key)).toBeNull();
  expect((await writeRows(use.db(), key.runId)).map(({ state }) => state)).toEqual(['made']);
  const lines = await auditRows(use.db(), TEAM, `run:${key.runId}`);
  expect(lines.map(({ kind }) => kind)).toEqual(['write.made', 'write.intended', 'run.started']);
  expect(await runs.get(use.db(), key)).toMatchObject({ state: 'running' });
});

test('a write that another process settled meanwhile keeps that result', async () => {
  for (const [state, status] of [
    ['unknown', 'unknown'],
    ['failed', 'failed'],
  ] as const) {
    const key = await approvedRun(use.db(), `ended-${state}`, planOf([page]), { targets: [anaIsTarget] });
    const { behaviour } = use.vendors();
    const asked = behaviour.oncall;
    behaviour.oncall = async () => {
      const about = { teamId: TEAM, runId: key.runId, stepId: 'page', tool: 'pagerduty.page' };
      const dedupKey = `cs-${key.runId}-page`;
      await givenIntent(use.second(), { ...about, key: dedupKey, targets: ['service:ops'], at: minutes(2) });
      const evidence = { reason: { code: 'why', message: 'That is why.' } };
      await writes.endWrite(use.second(), { key: dedupKey, state, evidence, at: minutes(2) });
      return asked();
    };
    const { results } = await use.run(key);
    expect(results.get('page')).toMatchObject({ status, reason: { message: 'That is why.' } });
    expect(use.vendors().pages).toEqual([]);
    behaviour.oncall = asked;
  }
});

test("a write's result and its audit line are stored together or not at all", async () => {
  await sql`alter table audit add constraint full_disk check (kind <> 'write.made') not valid`.execute(
    use.db(),
  );
  const key = await approvedRun(use.db(), 'together', planOf([page]));
  const { outcome } = await use.run(key);
  // Read while there is no room: later it may be stored after all.
  const states = (await writeRows(use.db(), key.runId)).map(({ state }) => state);
  await sql`alter table audit drop constraint full_disk`.execute(use.db());
  expect(outcome).toBe('unknown');
  expect(states).toEqual(['intended']);
});

test("a step's notes are reported after a restart, too", async () => {
  const key = await approvedRun(use.db(), 'noted', slaPlan());
  const at = minutes(2).toISOString();
  const count = { stepId: 'count', tool: 'jira.count', startedAt: at };
  const result = {
    ...{ ...count, status: 'succeeded' as const, result: { total: 24 }, reason: null },
    ...{ attempts: 2, notes: ['it was tried twice'], finishedAt: at },
  };
  await steps.keep(use.db(), key, [{ ...count, result }]);
  const { results } = await use.run(key);
  expect(results.get('count')).toEqual(result);
  const lines = await auditRows(use.db(), TEAM, `run:${key.runId}`);
  // It began before the restart.
  expect(lines.map(({ kind }) => kind)).not.toContain('run.started');
});

test("a dead process's run is taken over at once, an unclaimed one at the second look", async () => {
  const key = await approvedRun(use.db(), 'left', slaPlan());
  await take(use.db(), { ...key, entered: 0 }, 'long-gone');
  const untaken = await approvedRun(use.db(), 'untaken', slaPlan());
  await use.look();
  await expect.poll(async () => (await runs.get(use.db(), key))?.outcome).toBe('done');
  expect(use.vendors().pages).toHaveLength(1);
  expect(await runs.get(use.db(), untaken)).toMatchObject({ entered: 0 });
  await use.look();
  await expect.poll(async () => (await runs.get(use.db(), untaken))?.outcome).toBe('done');
});

test('a slow run stores and reports its progress', async () => {
  const slow = Promise.withResolvers<number>();
  use.vendors().behaviour.count = () => slow.promise;
  const key = await approvedRun(use.db(), 'slow', slaPlan());
  const ended = use.run(key);
  const now = async () => {
    const rows = await steps.stepResults(use.db(), TEAM, key.runId);
    return rows.map(({ stepId, status }) => `${stepId} ${status}`).toSorted();
  };
  await expect.poll(now).toEqual(['count running', 'sla succeeded']);
  expect(use.events.map(({ type }) => type)).toContain('started');
  slow.resolve(24);
  expect((await ended).outcome).toBe('done');
  expect(await now()).toEqual(['count succeeded', 'page succeeded', 'sla succeeded']);
});
