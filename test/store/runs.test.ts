import { expect, test } from 'vitest';
import { sha256 } from '../../src/core/canonical.ts';
import type { StepResult } from '../../src/core/run.ts';
import { holdExecutorLock } from '../../src/process/lock.ts';
import { load, take } from '../../src/store/load-run.ts';
import * as runs from '../../src/store/runs.ts';
import * as steps from '../../src/store/steps.ts';
import { factsOf } from '../../src/store/write-facts.ts';
import { auditRows, endRun, givenRun, minutes, NOON, openTestStore, TEAM } from '../support/store.ts';

const store = openTestStore();

function ended(stepId: string, changes: Partial<StepResult> = {}): StepResult {
  return {
    stepId,
    tool: 'jira.count',
    status: 'succeeded',
    result: { total: 31 },
    reason: null,
    attempts: 1,
    startedAt: NOON.toISOString(),
    finishedAt: minutes(1).toISOString(),
    ...changes,
  };
}

function keepEnded(key: { teamId: string; runId: string }, results: readonly StepResult[]): Promise<void> {
  const now = results.map((result) => ({ ...result, result }));
  return steps.keep(store.db(), key, now);
}

test("the facts for a write are read together: the run's own grant, the current bytes, and the run's owner", async () => {
  const { runId, digest } = await givenRun(store.db(), 'facts');
  const of = { teamId: TEAM, runId, stepId: 'page', executor: 'us:1' };
  expect(await factsOf(store.db(), of)).toMatchObject({ held: false });
  await take(store.db(), { teamId: TEAM, runId, entered: 0 }, 'us');
  const facts = await factsOf(store.db(), of);
  expect(facts).toMatchObject({ held: true, cancel: null, kill: null, write: null });
  expect(facts?.grant).toEqual({ digest, approver: 'U0BEN', createdAt: minutes(2) });
  expect(facts?.revision).toEqual({ digest, bytesDigest: sha256('{"request":"facts"}') });
  expect(await factsOf(store.db(), { ...of, teamId: 'T0002' })).toBeNull();

  const dry = { teamId: TEAM, runId: 'dry-1', requestId: 'facts', number: 1, startedAt: minutes(3) };
  expect(await runs.startDryRun(store.db(), dry)).toBe(true);
  expect(await runs.startDryRun(store.db(), dry)).toBe(false);
  expect(await runs.get(store.db(), { teamId: TEAM, runId: 'dry-1' })).toMatchObject({ mode: 'dry_run' });
  await take(store.db(), { teamId: TEAM, runId: 'dry-1', entered: 0 }, 'us');
  expect(await factsOf(store.db(), { ...of, runId: 'dry-1' })).toMatchObject({ held: true, grant: null });

  const end = { teamId: TEAM, runId, executor: 'us:1', outcome: 'done', at: minutes(5) } as const;
  expect(await runs.end(store.db(), end)).toBe(true);
  expect(await factsOf(store.db(), of)).toMatchObject({ held: false });
});

test('of many processes taking over a run one wins, and no other can act in it or end it', async () => {
  const { runId } = await givenRun(store.db(), 'taken');
  const claims = await Promise.all(
    ['one', 'two', 'three'].map((process) =>
      take(store.second(), { teamId: TEAM, runId, entered: 0 }, process),
    ),
  );
  const [winner] = claims.filter((taken) => taken !== null);
  expect(claims.filter((taken) => taken !== null)).toHaveLength(1);
  expect(winner).toMatchObject({ entered: 1, stored: { state: 'running', begun: false } });
  const { executor } = (await runs.get(store.db(), { teamId: TEAM, runId })) ?? {};
  const held = (by: string) => runs.isHeld(store.db(), { teamId: TEAM, runId, executor: by });
  expect(await held(executor ?? '')).toBe(true);
  expect(await held('somebody else')).toBe(false);
  const end = { teamId: TEAM, runId, outcome: 'done', at: minutes(4) } as const;
  expect(await endRun(store.db(), end)).toBe(false);
  expect(await runs.end(store.db(), { ...end, executor: executor ?? '' })).toBe(true);
  expect(await take(store.db(), { teamId: TEAM, runId, entered: 1 }, 'late')).toBeNull();
});

test('a run counts as left only once its process is gone', async () => {
  const { runId } = await givenRun(store.db(), 'left');
  const lock = await holdExecutorLock(store.url(), 'p-living', () => expect.unreachable('lost'));
  const listed = async () => (await runs.openRuns(store.db())).find((run) => run.runId === runId);
  expect(await listed()).toMatchObject({ holder: null, isLeft: false, entered: 0 });
  await take(store.db(), { teamId: TEAM, runId, entered: 0 }, 'p-living');
  expect(await listed()).toMatchObject({ holder: 'p-living', isLeft: false, entered: 1 });
  await lock.release();
  // The server takes its time to end the session.
  await expect.poll(async () => (await listed())?.isLeft).toBe(true);
});

test('a cancel is stored once with who and why, is visible to other processes, and is too late for an ended run', async () => {
  const { runId } = await givenRun(store.db(), 'cancel');
  const key = { teamId: TEAM, runId };
  expect(await runs.cancelOf(store.second(), key)).toBeNull();
  const cancel = { ...key, by: 'U0CID', at: minutes(4), reason: 'wrong service' };
  const asked = await Promise.all([
    runs.requestCancel(store.db(), cancel),
    runs.requestCancel(store.second(), { ...cancel, by: 'U0CID' }),
  ]);
  expect(asked.sort()).toEqual([false, true]);
  expect(await runs.cancelOf(store.second(), key)).toEqual({
    by: 'U0CID',
    at: minutes(4),
    reason: 'wrong service',
  });

  expect(await endRun(store.db(), { ...key, outcome: 'cancelled', at: minutes(5) })).toBe(true);
  expect(await endRun(store.db(), { ...key, outcome: 'done', at: minutes(6) })).toBe(false);
  expect(await runs.get(store.db(), key)).toMatchObject({
    state: 'finished',
    outcome: 'cancelled',
    finishedAt: minutes(5),
  });
  const lines = await auditRows(store.db(), TEAM, `run:${runId}`);
  expect(lines.map((line) => [line.kind, line.actor, line.data])).toEqual([
    ['run.cancel_requested', 'U0CID', '{"reason":"wrong service"}'],
  ]);

  const over = await givenRun(store.db(), 'over');
  await endRun(store.db(), { teamId: TEAM, runId: over.runId, outcome: 'done', at: minutes(5) });
  expect(await runs.requestCancel(store.db(), { ...cancel, runId: over.runId })).toBe(false);
  expect(await runs.cancelOf(store.db(), { teamId: TEAM, runId: over.runId })).toBeNull();
});

test('unfinished runs are found after a restart, across teams', async () => {
  await store.db().updateTable('runs').set({ state: 'finished' }).execute();
  expect(await runs.openRuns(store.db())).toEqual([]);
  const one = await givenRun(store.db(), 'open-1');
  const two = await givenRun(store.db(), 'open-2', { teamId: 'T0002' });
  const open = await runs.openRuns(store.second());
  expect(open.map((run) => [run.teamId, run.runId]).sort()).toEqual(
    [
      [TEAM, one.runId],
      ['T0002', two.runId],
    ].sort(),
  );
});

test('a repeated step keeps its start and its first end; only an unknown end may change', async () => {
  const { runId } = await givenRun(store.db(), 'steps');
  const key = { teamId: TEAM, runId };
  const now = (stepId: string, at: Date, tool = 'jira.count') =>
    steps.keep(store.db(), key, [{ stepId, tool, startedAt: at.toISOString(), result: null }]);
  const end = (result: StepResult) => keepEnded(key, [result]);
  await now('count', NOON);
  // Killed and taken over: the same step starts again.
  await now('count', minutes(3));
  await end(ended('count', { attempts: 2, notes: ['tried twice'] }));
  await end(ended('count', { result: { total: 99 } }));
  await now('count', minutes(4));

  const doubt = {
    status: 'unknown',
    result: null,
    reason: { code: 'timeout', message: 'no answer' },
  } as const;
  await end(ended('page', { tool: 'pagerduty.page', ...doubt }));
  await end(ended('page', { tool: 'pagerduty.page', result: { dedup_key: 'k' } }));

  const skipped = ended('post', {
    tool: 'slack.post',
    status: 'skipped',
    result: null,
    startedAt: minutes(2).toISOString(),
  });
  await end(skipped);
  await now('last', minutes(5));
  const rows = await steps.stepResults(store.db(), TEAM, runId);
  expect(rows.map((row) => [row.stepId, row.status])).toEqual([
    ['count', 'succeeded'],
    ['page', 'succeeded'],
    ['post', 'skipped'],
    ['last', 'running'],
  ]);
  const expected = [
    ended('count', { attempts: 2, notes: ['tried twice'] }),
    ended('page', { tool: 'pagerduty.page', result: { dedup_key: 'k' } }),
    skipped,
  ];
  expect(rows.map(steps.toStepResult)).toEqual([...expected, null]);
  expect(await load(store.db(), key)).toMatchObject({ begun: true, results: expected, outcome: null });
});

test('results with awkward text come back readable instead of failing the run', async () => {
  const { runId } = await givenRun(store.db(), 'awkward');
  const result = {
    text: 'NUL \u0000, half \uDC00, "quote", \\u0000 spelt out, 日本',
    list: ['\u0000'],
    deep: { a: [null, 1.5, true] },
  };
  await keepEnded({ teamId: TEAM, runId }, [ended('read', { result })]);
  const [stored] = await steps.stepResults(store.db(), TEAM, runId);
  expect(stored?.result).toEqual({
    text: 'NUL \uFFFD, half \uFFFD, "quote", \\u0000 spelt out, 日本',
    list: ['\uFFFD'],
    deep: { a: [null, 1.5, true] },
  });
});

test("a tool's history counts only the team's newest successful steps", async () => {
  const teamId = 'T0HIST';
  const { runId } = await givenRun(store.db(), 'history', { teamId });
  expect((await steps.history(store.db(), teamId, ['jira.count'])).get('jira.count')).toEqual({
    samples: 0,
    p50Ms: null,
    p95Ms: null,
  });
  const finish = (index: number, ms: number, changes: Partial<StepResult> = {}) =>
    keepEnded({ teamId, runId }, [
      ended(`s${index}`, {
        startedAt: minutes(index).toISOString(),
        finishedAt: new Date(minutes(index).getTime() + ms).toISOString(),
        ...changes,
      }),
    ]);
  for (let index = 1; index <= 101; index += 1) await finish(index, index * 10);
  await finish(200, 60_000, { status: 'failed', result: null, reason: { code: 'x', message: 'y' } });
  await finish(201, 60_000, { tool: 'jira.search' });
  expect((await steps.history(store.db(), teamId, ['jira.count'])).get('jira.count')).toEqual({
    samples: 101,
    p50Ms: 510,
    p95Ms: 960,
  });
  for (let index = 300; index < 500; index += 1) await finish(index, 7);
  expect((await steps.history(store.db(), teamId, ['jira.count'])).get('jira.count')).toEqual({
    samples: 200,
    p50Ms: 7,
    p95Ms: 7,
  });
  expect((await steps.history(store.db(), TEAM, ['jira.search'])).get('jira.search')).toMatchObject({
    samples: 0,
  });
});
