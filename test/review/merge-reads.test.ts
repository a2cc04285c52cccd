import { describe, expect, test } from 'vitest';
import { estimate, planKeyOf } from '../../src/approval/seal-plan.ts';
import { planSchema } from '../../src/core/plan.ts';
import { slotChanges } from '../../src/core/slot-change.ts';
import { mergeReads } from '../../src/review/merge-reads.ts';
import { resolveTargets } from '../../src/review/resolve-targets.ts';
import { reviewDraft } from '../../src/review/review.ts';
import { testCatalogue, testPolicy } from '../support/catalogue.ts';
import { countStep, pageStep, slaPlan, slaStep } from '../support/plans.ts';

const { manifests } = testCatalogue();
const again = { ...countStep, id: 'again' };
const post = {
  id: 'post',
  tool: 'slack.post',
  why: 'tell them',
  when: 'again.total > 20 && "again.total" != "x"',
  args: { channel: '#ops', text: [{ ref: 'again.total' }, ' open; again.total'] },
  needs: ['again'],
};

describe('the optimiser', () => {
  test('merges equal reads, follows them through references and conditions, and puts reads first', () => {
    const plan = planSchema.parse(slaPlan([pageStep, countStep, post, again, slaStep]));
    const better = mergeReads(plan, manifests);
    expect(better.steps.map((step) => step.id)).toEqual(['count', 'sla', 'page', 'post']);
    const merged = better.steps.find((step) => step.id === 'post');
    expect(merged).toMatchObject({ needs: ['count'], when: 'count.total > 20 && "again.total" != "x"' });
    expect(merged?.args.text).toEqual([{ ref: 'count.total' }, ' open; again.total']);
    expect(reviewDraft(better, { catalogue: testCatalogue(), policy: testPolicy }).findings).toEqual([]);
  });

  test('keeps reads apart whose conditions or orders differ', () => {
    const later = { ...again, needs: ['sla'] };
    const plan = planSchema.parse(slaPlan([countStep, slaStep, later]));
    expect(mergeReads(plan, manifests).steps).toHaveLength(3);
  });

  test('merges steps of the same code only, and a source counts for what a plan does', () => {
    const code = (id: string, source: string) => ({
      ...{ id, tool: 'code', why: 'to know', args: { n: { ref: 'count.total' } } },
      code: { source, result: { twice: 'count' as const } },
    });
    const planOf = (source: string) =>
      planSchema.parse(slaPlan([countStep, code('one', 'return { twice: n * 2 };'), code('two', source)]));
    const [same, other] = [planOf('return { twice: n * 2 };'), planOf('return { twice: n * 3 };')];
    expect(mergeReads(same, manifests).steps.map(({ id }) => id)).toEqual(['count', 'one']);
    expect(mergeReads(other, manifests).steps.map(({ id }) => id)).toEqual(['count', 'one', 'two']);
    expect(planKeyOf(same)).not.toBe(planKeyOf(other));
    expect(slotChanges(same, other)).toMatchObject([{ tool: 'code', slot: 'code' }]);
  });
});

test('the estimate is the critical path, and unknown where a tool has no history', () => {
  const plan = planSchema.parse(slaPlan());
  const times = new Map([
    ['jira.count', { p50Ms: 300, p95Ms: 900 }],
    ['sla.threshold', { p50Ms: 1, p95Ms: 2 }],
    ['pagerduty.page', { p50Ms: 200, p95Ms: 400 }],
  ]);
  expect(estimate(plan, times, 0.002)).toEqual({ p50Ms: 500, p95Ms: 1300, usd: 0.002 });
  times.delete('jira.count');
  expect(estimate(plan, times, 0)).toEqual({ p50Ms: null, p95Ms: null, usd: 0 });
});

test('a target that cannot be looked up is shown as such and not left out', async () => {
  const plan = planSchema.parse(slaPlan());
  const page = manifests.get('pagerduty.page');
  if (!page) throw new Error('pagerduty.page is declared');
  const broken = {
    manifest: page,
    run: () => Promise.reject(new Error('not in this test')),
    find: () => Promise.reject(new Error('not in this test')),
    preview: () => '',
    resolve: () => Promise.reject(new Error('PagerDuty did not answer')),
  };
  const context = {
    readers: {} as never,
    now: () => new Date(0),
    asker: 'U0ANA',
    signal: AbortSignal.timeout(1000),
  };
  const { targets } = await resolveTargets(plan, [], new Map([['pagerduty.page', broken]]), context);
  expect(targets).toEqual([
    {
      step: 'page',
      arg: 'service',
      kind: 'service',
      value: 'ops',
      label: 'ops (could not be looked up: PagerDuty did not answer)',
      identity: '',
    },
  ]);
});
