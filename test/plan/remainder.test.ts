import { expect, test } from 'vitest';
import type { StepResult, StepStatus } from '../../src/core/run.ts';
import { remainder } from '../../src/plan/remainder.ts';
import { runCatalogue, slaPlan } from '../support/runs.ts';

const { manifests } = runCatalogue;
const post = {
  id: 'post',
  tool: 'slack.post',
  why: 'they ask',
  needs: ['page'],
  args: { channel: '#ops', text: 'The on-call was paged' },
};
const free = { id: 'free', tool: 'slack.post', why: 'x', args: { channel: '#incidents', text: 'Look' } };
const base = slaPlan();
const plan = slaPlan({ steps: [...base.steps, post, free] });

function ended(stepId: string, status: StepStatus, code: string | null = null): StepResult {
  const reason = code === null ? null : { code, message: code };
  const at = '2026-03-02T12:00:00.000Z';
  return { stepId, tool: 'x', status, result: null, reason, attempts: 1, startedAt: at, finishedAt: at };
}

const reads = [ended('count', 'succeeded'), ended('sla', 'succeeded')];
const left = (...results: StepResult[]) =>
  remainder(plan, [...reads, ...results], manifests)?.steps.map(({ id }) => id) ?? null;

test('failed and dependent steps remain, and the reads they use are repeated', () => {
  const skipped = ended('post', 'skipped', 'need_failed');
  const found = remainder(
    plan,
    [...reads, ended('page', 'failed', 'vendor_down'), skipped, ended('free', 'succeeded')],
    manifests,
  );
  expect(found?.steps.map(({ id }) => id)).toEqual(['count', 'sla', 'page', 'post']);
  expect(found?.steps.at(-1)?.needs).toEqual(['page']);
  expect(found?.summary).toBe(`What is left of: ${plan.summary}`);
  const none = [ended('page', 'failed', 'vendor_down'), skipped, ended('free', 'failed', 'vendor_down')];
  const again = remainder(plan, [...reads, ...none], manifests);
  expect(again?.summary).toBe(`Again: ${plan.summary}`);
  expect(again && remainder(again, [...reads, ...none], manifests)?.summary).toBe(again?.summary);
});

test('a write in doubt and its dependants do not remain, as nobody may claim that it was made', () => {
  const skipped = ended('post', 'skipped', 'need_failed');
  const stopped = ended('free', 'skipped', 'run_stopped');
  expect(left(ended('page', 'unknown', 'timeout'), skipped, stopped)).toEqual(['free']);
  expect(left(ended('page', 'unknown', 'timeout'), skipped, ended('free', 'succeeded'))).toBeNull();
});

test('a write that a look afterwards does not show remains, with the steps after it', () => {
  const results = [ended('page', 'unknown', 'not_in_effect'), ended('post', 'skipped', 'need_failed')];
  expect(left(...results, ended('free', 'succeeded'))).toEqual(['count', 'sla', 'page', 'post']);
});

test('there is no remainder when it needs the result of a write that was made', () => {
  const told = { ...post, args: { channel: '#ops', text: ['Paged as ', { ref: 'page.dedup_key' }] } };
  const later = slaPlan({ steps: [...base.steps, told] });
  const results = [...reads, ended('page', 'succeeded'), ended('post', 'failed', 'slack_down')];
  expect(remainder(later, results, manifests)).toBeNull();
});

test('a step skipped by its condition does not remain', () => {
  const no = ended('page', 'skipped', 'condition_false');
  expect(left(no, ended('post', 'skipped', 'need_skipped'), ended('free', 'failed', 'over_cap'))).toEqual([
    'free',
  ]);
  expect(left(no, ended('post', 'skipped', 'need_skipped'), ended('free', 'succeeded'))).toBeNull();
});
