import { describe, expect, test } from 'vitest';
import { planSchema, type Step } from '../../src/core/plan.ts';
import { withChecksOf } from '../../src/core/verify.ts';
import { reviewDraft } from '../../src/review/review.ts';
import { testCatalogue, testPolicy } from '../support/catalogue.ts';
import { countStep, slaPlan } from '../support/plans.ts';

const catalogue = testCatalogue();
const against = { catalogue, policy: testPolicy };
const move: Step = {
  ...{ id: 'move', tool: 'jira.transition', why: 'close it', args: { key: 'OPS-1', status: 'Done' } },
  ...{ needs: [], onError: 'stop', onSkip: 'skip' },
};
const verify = {
  ...{ within: 600, tool: 'jira.count', args: { project: 'OPS' } },
  holds: 'after.total < count.total',
};

const findingsOf = (...steps: readonly unknown[]) =>
  reviewDraft(slaPlan(steps as Step[]), against).findings.map(
    ({ step, field, rule }) => `${step} ${field} ${rule}`,
  );

describe('a check of a write', () => {
  test('may use what the plan read before, without waiting for it', () => {
    expect(findingsOf(countStep, { ...move, verify })).toEqual([]);
  });

  test.each<[string, unknown, string]>([
    ['a tool that is not there', { ...verify, tool: 'jira.cnt' }, 'move verify.tool unknown_tool'],
    [
      'a tool that writes',
      { ...verify, tool: 'slack.post', args: { channel: '#ops', text: 'x' } },
      'move verify.tool verify_writes',
    ],
    ['a bad argument', { ...verify, args: { priority: 'urgent' } }, 'move verify.args.priority bad_argument'],
    ['an unknown target', { ...verify, args: { project: 'NO' } }, 'move verify.args.project unknown_target'],
    [
      'a condition on no step',
      { ...verify, holds: 'after.total < x.total' },
      'move verify.holds condition_invalid',
    ],
    [
      'a condition on nothing new',
      { ...verify, holds: 'count.total > 1' },
      'move verify.holds verify_condition',
    ],
    ['words', { ...verify, holds: 'words: it is quiet' }, 'move verify.holds verify_condition'],
    ['text that decides', { ...verify, holds: 'after.jql == "x"' }, 'move verify.holds condition_free_text'],
  ])('is refused for %s', (_name, wrong, found) => {
    expect(findingsOf(countStep, { ...move, verify: wrong })).toContain(found);
  });

  test('is refused on a read, and where a step has the name of its result', () => {
    expect(findingsOf({ ...countStep, verify })).toEqual(['count verify verify_read']);
    const named = { ...verify, holds: 'after.total > 0' };
    expect(findingsOf({ ...countStep, id: 'after' }, { ...move, verify: named })).toEqual([
      'move verify verify_name',
    ]);
  });
});

describe('a check that a manifest declares', () => {
  const declared = {
    within: 300,
    plan: 'before = jira.get key={key}\nafter = jira.get key={key}\n  expect: after.done && !before.done',
  };
  const manifest = catalogue.manifests.get('jira.transition');
  const manifests = new Map(catalogue.manifests);
  if (manifest !== undefined) manifests.set('jira.transition', { ...manifest, verify: declared });
  const review = (...steps: Step[]) =>
    reviewDraft(slaPlan(steps), { ...against, catalogue: testCatalogue({ manifests }) });

  test('is added with the reads it needs, once, and its evidence never stops the write', () => {
    const { plan, findings } = review(move);
    expect(findings).toEqual([]);
    expect(plan?.steps.map(({ id, tool, onError }) => [id, tool, onError])).toEqual([
      ['before', 'jira.get', 'continue'],
      ['move', 'jira.transition', 'stop'],
    ]);
    expect(plan?.steps[1]?.verify).toEqual({
      ...{ within: 300, tool: 'jira.get', args: { key: 'OPS-1' } },
      holds: 'after.done && !before.done',
    });
    expect(review(...(plan?.steps ?? [])).plan?.steps).toEqual(plan?.steps);
  });

  test('gets names that the plan does not have, and gives way to a check of the plan', () => {
    const two = review(move, { ...move, id: 'other', args: { key: 'OPS-2', status: 'Done' } }).plan;
    expect(two?.steps.map(({ id }) => id)).toEqual(['before', 'move', 'before2', 'other']);
    expect(two?.steps[3]?.verify?.holds).toBe('after.done && !before2.done');
    expect(review(countStep as Step, { ...move, verify }).plan?.steps[1]?.verify).toEqual(verify);
  });
});

test('a check and its evidence follow the write to another target, and go with their evidence', () => {
  const before: Step = { ...move, id: 'before', tool: 'jira.get', args: { key: 'OPS-1' } };
  const check = {
    within: 60,
    tool: 'jira.get',
    args: { key: 'OPS-1' },
    holds: 'after.done != before.done',
  };
  const plan = planSchema.parse(slaPlan([before, { ...move, verify: check }]));
  const elsewhere = { ...move, args: { key: 'OPS-2', status: 'Done' } };
  const changed = withChecksOf(plan, { ...plan, steps: [before, elsewhere] });
  expect(changed.steps[0]?.args).toEqual({ key: 'OPS-2' });
  expect(changed.steps[1]?.verify?.args).toEqual({ key: 'OPS-2' });
  expect(withChecksOf(plan, { ...plan, steps: [elsewhere] }).steps[0]?.verify).toBeUndefined();
});
