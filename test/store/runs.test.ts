import { expect, test } from 'vitest';
import type { StepResult } from '../../src/core/run.ts';
import * as runs from '../../src/store/runs.ts';
import * as steps from '../../src/store/steps.ts';
import { auditRows, givenRun, minutes, NOON, openTestStore, TEAM } from '../support/store.ts';

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

test('a grant serves its own run again after a restart, and nothing else: no other digest, run, dry run or later moment', async () => {
  const { runId, digest } = await givenRun(store.db(), 'grant');
  const use = { teamId: TEAM, runId, digest, now: minutes(3) };
  expect(await runs.useGrant(store.db(), { ...use, digest: 'other' })).toEqual({
    ok: false,
    why: 'digest_mismatch',
  });
  expect(await runs.useGrant(store.db(), { ...use, teamId: 'T0002' })).toEqual({
    ok: false,
    why: 'no_grant',
  });

  const first = await runs.useGrant(store.db(), use);
  expect(first).toMatchObject({ ok: true, grant: { approver: 'U0BEN', consumedAt: minutes(3) } });
  expect(await runs.useGrant(store.second(), { ...use, now: minutes(4) })).toEqual(first);

  const dry = { teamId: TEAM, runId: 'dry-1', requestId: 'grant', number: 1, startedAt: minutes(3) };
  expect(await runs.startDryRun(store.db(), dry)).toBe(true);
  expect(await runs.startDryRun(store.db(), dry)).toBe(false);
  expect(await runs.get(store.db(), { teamId: TEAM, runId: 'dry-1' })).toMatchObject({ mode: 'dry_run' });
  expect(await runs.useGrant(store.db(), { ...use, runId: 'dry-1' })).toEqual({ ok: false, why: 'no_grant' });

  await runs.finish(store.db(), { teamId: TEAM, runId, outcome: 'done', at: minutes(5) });
  expect(await runs.useGrant(store.db(), use)).toEqual({ ok: false, why: 'run_finished' });
});

test('a cancel is remembered once with who and why, seen by other processes, and comes too late for a run that is over', async () => {
  const { runId } = await givenRun(store.db(), 'cancel');
  const key = { teamId: TEAM, runId };
  expect(await runs.isCancelled(store.second(), key)).toBeNull();
  const cancel = { ...key, by: 'U0CID', at: minutes(4), reason: 'wrong service' };
  const asked = await Promise.all([
    runs.requestCancel(store.db(), cancel),
    runs.requestCancel(store.second(), { ...cancel, by: 'U0CID' }),
  ]);
  expect(asked.sort()).toEqual([false, true]);
  expect(await runs.isCancelled(store.second(), key)).toEqual({
    by: 'U0CID',
    at: minutes(4),
    reason: 'wrong service',
  });

  expect(await runs.finish(store.db(), { ...key, outcome: 'cancelled', at: minutes(5) })).toBe(true);
  expect(await runs.finish(store.db(), { ...key, outcome: 'done', at: minutes(6) })).toBe(false);
  expect(await runs.get(store.db(), key)).toMatchObject({
    state: 'finished',
    outcome: 'cancelled',
    finishedAt: minutes(5),
  });
  const lines = await auditRows(store.db(), TEAM, `run:${runId}`);
  expect(lines.map((line) => [line.kind, line.actor, line.data])).toEqual([
    ['run.finished', 'system', '{"outcome":"cancelled"}'],
    ['run.cancel_requested', 'U0CID', '{"reason":"wrong service"}'],
  ]);

  const over = await givenRun(store.db(), 'over');
  await runs.finish(store.db(), { teamId: TEAM, runId: over.runId, outcome: 'done', at: minutes(5) });
  expect(await runs.requestCancel(store.db(), { ...cancel, runId: over.runId })).toBe(false);
  expect(await runs.isCancelled(store.db(), { teamId: TEAM, runId: over.runId })).toBeNull();
});

test('runs that have not ended are found after a restart, across teams, oldest first', async () => {
  for (const run of await runs.openRuns(store.db())) {
    await runs.finish(store.db(), { teamId: run.teamId, runId: run.id, outcome: 'done', at: minutes(9) });
  }
  expect(await runs.openRuns(store.db())).toEqual([]);
  const one = await givenRun(store.db(), 'open-1');
  const two = await givenRun(store.db(), 'open-2', { teamId: 'T0002' });
  const open = await runs.openRuns(store.second());
  expect(open.map((run) => [run.teamId, run.id]).sort()).toEqual(
    [
      [TEAM, one.runId],
      ['T0002', two.runId],
    ].sort(),
  );
});

test('a step that runs again keeps its beginning and its first ending; only an unknown one may turn out otherwise', async () => {
  const { runId } = await givenRun(store.db(), 'steps');
  const key = { teamId: TEAM, runId };
  const begin = { ...key, stepId: 'count', tool: 'jira.count', at: NOON };
  expect(await steps.stepStarted(store.db(), begin)).toMatchObject({
    status: 'running',
    attempts: 1,
    startedAt: NOON,
  });
  // Killed and recovered: the same step begins again.
  expect(await steps.stepStarted(store.second(), { ...begin, at: minutes(3) })).toMatchObject({
    attempts: 2,
    startedAt: NOON,
  });
  const first = await steps.stepFinished(store.db(), { ...key, ...ended('count', { attempts: 2 }) });
  expect(first).toMatchObject({
    status: 'succeeded',
    result: { total: 31 },
    startedAt: NOON,
    finishedAt: minutes(1),
  });
  expect(
    await steps.stepFinished(store.db(), { ...key, ...ended('count', { result: { total: 99 } }) }),
  ).toEqual(first);
  expect(await steps.stepStarted(store.db(), begin)).toEqual(first);

  const doubt = ended('page', {
    tool: 'pagerduty.page',
    status: 'unknown',
    result: null,
    reason: { code: 'timeout', message: 'no answer' },
  });
  await steps.stepFinished(store.db(), { ...key, ...doubt });
  const settled = await steps.stepFinished(store.db(), {
    ...key,
    ...ended('page', { result: { dedup_key: 'k' } }),
  });
  expect(settled).toMatchObject({ status: 'succeeded', reason: null, result: { dedup_key: 'k' } });

  const skipped = ended('post', {
    tool: 'slack.post',
    status: 'skipped',
    result: null,
    startedAt: minutes(2).toISOString(),
  });
  await steps.stepFinished(store.db(), { ...key, ...skipped });
  await steps.stepStarted(store.db(), { ...begin, stepId: 'last', at: minutes(5) });
  const rows = await steps.stepResults(store.db(), TEAM, runId);
  expect(rows.map((row) => [row.stepId, row.status])).toEqual([
    ['count', 'succeeded'],
    ['page', 'succeeded'],
    ['post', 'skipped'],
    ['last', 'running'],
  ]);
  expect(rows.map(steps.toStepResult)).toEqual([
    ended('count', { attempts: 2 }),
    ended('page', { tool: 'pagerduty.page', result: { dedup_key: 'k' } }),
    { ...skipped },
    null,
  ]);
});

test('results with awkward text come back readable instead of failing the run', async () => {
  const { runId } = await givenRun(store.db(), 'awkward');
  const result = {
    text: 'NUL \u0000, half \uDC00, "quote", \\u0000 spelt out, 日本',
    list: ['\u0000'],
    deep: { a: [null, 1.5, true] },
  };
  const stored = await steps.stepFinished(store.db(), { teamId: TEAM, runId, ...ended('read', { result }) });
  expect(stored.result).toEqual({
    text: 'NUL \uFFFD, half \uFFFD, "quote", \\u0000 spelt out, 日本',
    list: ['\uFFFD'],
    deep: { a: [null, 1.5, true] },
  });
});

test('the history of a tool counts successful steps of the team only, and the newest of them', async () => {
  const teamId = 'T0HIST';
  const { runId } = await givenRun(store.db(), 'history', { teamId });
  expect(await steps.history(store.db(), teamId, 'jira.count')).toEqual({
    samples: 0,
    p50Ms: null,
    p95Ms: null,
  });
  const finish = (index: number, ms: number, changes: Partial<StepResult> = {}) =>
    steps.stepFinished(store.db(), {
      teamId,
      runId,
      ...ended(`s${index}`, {
        startedAt: minutes(index).toISOString(),
        finishedAt: new Date(minutes(index).getTime() + ms).toISOString(),
        ...changes,
      }),
    });
  for (let index = 1; index <= 101; index += 1) await finish(index, index * 10);
  await finish(200, 60_000, { status: 'failed', result: null, reason: { code: 'x', message: 'y' } });
  await finish(201, 60_000, { tool: 'jira.search' });
  expect(await steps.history(store.db(), teamId, 'jira.count')).toEqual({
    samples: 101,
    p50Ms: 510,
    p95Ms: 960,
  });
  for (let index = 300; index < 500; index += 1) await finish(index, 7);
  expect(await steps.history(store.db(), teamId, 'jira.count')).toEqual({ samples: 200, p50Ms: 7, p95Ms: 7 });
  expect(await steps.history(store.db(), TEAM, 'jira.search')).toMatchObject({ samples: 0 });
});
