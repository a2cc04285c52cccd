/** Why: a draft that the review rejects must not look like a plan, whoever made it. */
import { expect, test } from 'vitest';
import type { PlannerAnswer } from '../../src/core/answer.ts';
import type { Plan, Step } from '../../src/core/plan.ts';
import { reviewed } from '../../src/plan/reviewed.ts';
import { reviewDraft } from '../../src/review/review.ts';
import { planningInput } from '../support/planning.ts';

const step = (tool: string, args: Step['args']): Step => ({
  ...{ id: 'a', tool, why: 'w', args, needs: [], onError: 'stop', onSkip: 'skip' },
});
const planOf = (...steps: Step[]): Plan => ({
  ...{ goal: 'g', summary: 's', inputs: [], assumptions: [], steps, success: [] },
});
const good = planOf(step('jira.count', { project: 'OPS' }));
const unknown = planOf(step('pagerduty.page', { service: 'serch', text: 'x' }));

async function answered(answer: PlannerAnswer): Promise<PlannerAnswer> {
  const next = {
    plan: async () => ({ answer, planner: 'offline' as const, confidence: 1, usage: null, notes: [] }),
  };
  return (await reviewed(next, reviewDraft).plan(planningInput('g'))).answer;
}

test('asks which name was meant when a draft has an unknown one, likeliest first', async () => {
  expect(await answered({ kind: 'plan', plan: unknown })).toEqual({
    kind: 'clarify',
    question: '"serch" is not a configured service. Which service do you mean?',
    missing: ['service'],
    options: ['search', 'ops', 'payments-api'],
  });
  expect(await answered({ kind: 'plan', plan: good })).toEqual({ kind: 'plan', plan: good });
});

test('refuses a draft that no answer can fix, and says why', async () => {
  const leak = planOf(
    { ...step('jira.search', { project: 'OPS' }), id: 'find' },
    { ...step('slack.post', { channel: '#status', text: [{ ref: 'find.lines' }] }), needs: ['find'] },
  );
  const answer = await answered({ kind: 'plan', plan: leak });
  expect(answer).toMatchObject({ kind: 'refuse', reason: 'no_tool' });
  expect(JSON.stringify(answer)).toMatch(/internal/);
});

test("removes a question's buttons whose plans would be rejected", async () => {
  const offers = [
    { option: 'Count', plan: good },
    { option: 'Page', plan: unknown },
  ];
  const options = ['Page', 'Count', 'something else'];
  expect(await answered({ kind: 'clarify', question: 'Which?', missing: ['goal'], options, offers })).toEqual(
    {
      ...{ kind: 'clarify', question: 'Which?', missing: ['goal'], options: ['Count', 'something else'] },
      offers: [{ option: 'Count', plan: good }],
    },
  );
});
