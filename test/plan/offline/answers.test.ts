import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Catalogue } from '../../../src/core/catalogue.ts';
import { parseCases } from '../../../src/eval/cases.ts';
import { createOfflinePlanner } from '../../../src/plan/offline/planner.ts';
import { planningInput, testCatalogue } from '../../support/planning.ts';

const planner = createOfflinePlanner({ playbooks: [] });
const workspace = testCatalogue({
  defaults: { project: 'OPS', priority: 'P1', service: 'ops', channel: 'ops' },
});
const open = testCatalogue({ open: true });

async function answerTo(goal: string, catalogue: Catalogue) {
  return (await planner.plan(planningInput(goal, { catalogue }))).answer;
}

async function answered(goal: string, words: string, catalogue = workspace) {
  const first = await answerTo(goal, catalogue);
  if (first.kind !== 'clarify') throw new Error(`${goal}: ${JSON.stringify(first)}`);
  const { question, missing } = first;
  const answers = [{ question, missing, answer: words }];
  return (await planner.plan(planningInput(goal, { catalogue, answers }))).answer;
}

const cases = readFileSync(new URL('../../eval/cases/work.jsonl', import.meta.url), 'utf8');
const asked = parseCases(cases)
  .filter((entry) => entry.class === 'clarify')
  .map((entry) => entry.text);

test('an answer that was offered never brings the same question again', async () => {
  expect(asked.length).toBeGreaterThan(200);
  let offered = 0;
  for (const catalogue of [open, workspace]) {
    for (const goal of new Set(asked)) {
      const first = await answerTo(goal, catalogue);
      if (first.kind !== 'clarify') continue;
      for (const option of first.options) {
        offered += 1;
        const next = await answered(goal, option, catalogue);
        expect([goal, option, next.kind === 'clarify' && next.question === first.question]).toEqual([
          goal,
          option,
          false,
        ]);
      }
    }
  }
  expect(offered).toBeGreaterThan(200);
});

test('answers are read for what they are: a person, a channel, another order, another bound', async () => {
  expect(await answered('tell payments team we have an outage', 'status')).toMatchObject({
    plan: { steps: [{ tool: 'slack.post', args: { channel: '#status', text: 'we have an outage' } }] },
  });
  expect(await answered('send him the list of open bugs in PAY', 'ben')).toMatchObject({
    plan: { steps: [{ tool: 'jira.search' }, { tool: 'slack.post', args: { user: '@ben' } }] },
  });
  expect(await answered('escalate PAY-12', 'page payments-api')).toMatchObject({
    plan: { steps: [{ tool: 'pagerduty.page', args: { service: 'payments-api' } }] },
  });
  expect(await answered('resolve 4411', 'Incident 4411')).toMatchObject({
    plan: { steps: [{ tool: 'pagerduty.resolve', args: { incident: '4411' } }] },
  });
  expect(await answered('resolve 4411', 'OPS-4411')).toMatchObject({
    plan: { steps: [{ tool: 'jira.transition', args: { key: 'OPS-4411' } }] },
  });
  expect(
    await answered('page ops if OPS has more than 10 and fewer than 5 P1', 'more than 10'),
  ).toMatchObject({
    plan: { steps: [{ tool: 'jira.count' }, { tool: 'pagerduty.page', when: 'count.total > 10' }] },
  });
});

test('what is both asked for and taken back is done or left, as the answer says', async () => {
  const goal = 'set OPS-3 to Done and keep it In Progress, and tell #ops';
  expect(await answered(goal, 'Do it')).toMatchObject({ plan: { steps: [{ tool: 'jira.transition' }, {}] } });
  const left = await answered(goal, 'Leave it');
  if (left.kind !== 'plan') throw new Error(JSON.stringify(left));
  expect(left.plan.steps.map(({ tool }) => tool)).toEqual(['slack.post']);
});
