import { describe, expect, test } from 'vitest';
import type { Planner, PlanningInput } from '../../src/core/planning.ts';
import { notationFirst } from '../../src/plan/notation.ts';
import { planningInput, testCatalogue } from '../support/planning.ts';

const asked: PlanningInput[] = [];
const next: Planner = {
  plan(input) {
    asked.push(input);
    return Promise.reject(new Error('the next planner was asked'));
  },
};
const planner = notationFirst(next);

async function answerTo(goal: string, over: Partial<PlanningInput> = {}) {
  return (await planner.plan(planningInput(goal, over))).answer;
}

const twoSteps =
  'jira.count project=OPS status=open; when count > 5: pagerduty.page service=ops text="{count} open"';

describe('the notation planner', () => {
  test('plans what is typed with full confidence, and leaves words to the next planner', async () => {
    const reply = await planner.plan(planningInput(twoSteps));
    expect(reply).toMatchObject({ planner: 'person', confidence: 1, usage: null });
    expect(reply.answer.kind === 'plan' && reply.answer.plan.steps[1]).toMatchObject({
      tool: 'pagerduty.page',
      when: 'count.total > 5',
      args: { service: 'ops', text: [{ ref: 'count.total' }, ' open'] },
    });
    await expect(answerTo('count open P1 tickets in OPS')).rejects.toThrow('next planner');
  });

  test('titles a plan by its steps, whatever its summary says', async () => {
    const answer = await answerTo('summary: Only counts; pagerduty.page service=ops text=hi');
    expect(answer).toMatchObject({ plan: { summary: 'Page the on-call of ops' } });
  });

  test('asks about every error, offers a correction, and uses the answer as the plan', async () => {
    const question = await answerTo('jira.cnt project=OPS');
    expect(question).toEqual({
      kind: 'clarify',
      question:
        'This looks like plan notation, but I can’t parse it. What did you mean?\n• No tool `jira.cnt`. Did you mean `jira.count`?',
      missing: ['goal'],
      options: ['jira.count project=OPS'],
    });
    const said = (answer: string) => ({ answers: [{ question: 'q', missing: ['goal'], answer }] });
    expect(await answerTo('jira.cnt project=OPS', said('jira.count project=OPS'))).toMatchObject({
      kind: 'plan',
    });
    await expect(answerTo('jira.cnt project=OPS', said('count tickets in OPS'))).rejects.toThrow(
      'next planner',
    );
    expect(asked.at(-1)).toMatchObject({ goal: 'count tickets in OPS', answers: [] });
    const many = await answerTo(`${'jira.cnt x=1; '.repeat(9)}`);
    expect(many.kind === 'clarify' && many.question).toContain('• and 3 more');
  });

  test('names what a tool needs when it is not configured', async () => {
    const { manifests } = testCatalogue();
    const catalogue = testCatalogue({
      manifests: new Map([...manifests].filter(([name]) => name !== 'jira.count')),
      unconfigured: new Map([['jira.count', 'JIRA_API_TOKEN']]),
    });
    expect(await answerTo('jira.count project=OPS', { catalogue })).toEqual({
      kind: 'refuse',
      reason: 'not_configured',
      explanation: 'jira.count needs JIRA_API_TOKEN.',
    });
  });

  test('accepts a whole plan as a change, and keeps the original goal', async () => {
    const first = await answerTo(`goal: Page if there are many; ${twoSteps}`);
    if (first.kind !== 'plan') throw new Error(JSON.stringify(first));
    const change = { plan: first.plan, words: 'jira.count project=PAY' };
    const second = await answerTo('x', { change });
    expect(second).toMatchObject({ kind: 'plan', plan: { goal: 'Page if there are many' } });
    expect(second.kind === 'plan' && second.plan.steps).toHaveLength(1);
    const typed = await answerTo('jira.count project=OPS');
    if (typed.kind !== 'plan') throw new Error(JSON.stringify(typed));
    const third = await answerTo('x', { change: { ...change, plan: typed.plan } });
    expect(third).toMatchObject({ plan: { goal: 'jira.count project=PAY' } });
  });
});
