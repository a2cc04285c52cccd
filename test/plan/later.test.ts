/** Why: an approved write runs at once, so “in 5 minutes” must neither be dropped nor become its text. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { offlinePlanner } from '../../src/app/planner.ts';
import type { PlannerAnswer } from '../../src/core/answer.ts';
import { parseCases } from '../../tools/eval/cases.ts';
import { planningInput, testCatalogue } from '../support/planning.ts';

const { planner } = offlinePlanner([]);
const catalogue = testCatalogue();
const answerTo = async (goal: string): Promise<PlannerAnswer> =>
  (await planner.plan(planningInput(goal, { catalogue }))).answer;

test.each([
  'add a note to incident 2 in 5 minutes: looked at it',
  'comment on OPS-1 tomorrow: done',
  'page ops in 5 minutes: disk is full',
  'page ops tomorrow',
  'page ops at 18:00: disk is full',
  'page ops tomorrow at 8',
  'page ops at 18:00',
  'page me in 10 min',
  'open a ticket in 10 min',
  'close OPS-3 in 10 min',
  'ack incident 2 in 10 minutes',
  'in an hour resolve incident 2',
  'tomorrow at 9:00 close OPS-3',
  'Kommentiere OPS-1 morgen: fertig',
  'acquitte l’incident 2 demain',
])('refuses to write later, and says why: %s', async (goal) => {
  const answer = await answerTo(goal);
  expect(answer).toMatchObject({ kind: 'refuse', reason: 'out_of_scope' });
  expect(answer.kind === 'refuse' && answer.explanation).toMatch(/runs at once\. Ask again when it is due/);
});

test.each([
  'errors of payments-api at 18:00',
  'check errors of payments-api at 18:00',
  'in 30 minutes tell me the errors of payments-api',
])('a look-up for later is not made now: %s', async (goal) => {
  const answer = await answerTo(goal);
  const said =
    answer.kind === 'refuse' ? answer.explanation : answer.kind === 'clarify' ? answer.question : '';
  expect(said).toMatch(/I can’t wait and look .*“every …”.*\/remind me "[^"]*errors of payments-api"/);
});

test('a length of time without “last” is asked about: it may be to come', async () => {
  const answer = await answerTo('check errors of payments-api in 10 min');
  expect(answer).toMatchObject({
    kind: 'clarify',
    question: expect.stringContaining('type “/remind me "check errors of payments-api" in 10 min”'),
    offers: [{ plan: { steps: [{ args: { service: 'payments-api', window: 'PT10M' } }] } }],
  });
  expect(await answerTo('errors of payments-api in the last 10 min')).toMatchObject({ kind: 'plan' });
});

test.each(['remind me in 20 minutes to check errors', 'please remind us to close OPS-3 tomorrow'])(
  'a reminder is Slack’s to keep: %s',
  async (goal) => {
    const answer = await answerTo(goal);
    expect(answer.kind === 'refuse' && answer.explanation).toMatch(
      /Slack does: type “\/remind me (?:in 20|to close)/,
    );
  },
);

describe('a time that belongs to something else is no time to act', () => {
  test.each([
    'page ops: the maintenance starts in 5 minutes',
    'post "deploy tomorrow" to #ops',
    'page ops if payments-api has more than 5 errors in 10 minutes',
    'every day at 9:00 post the open P1s of OPS to #ops',
    'comment on OPS-1: we continue tomorrow',
  ])('%s', async (goal) => {
    const answer = await answerTo(goal);
    expect(answer.kind === 'refuse' ? answer.explanation : '').not.toMatch(/runs at once/);
  });

  test('no planned case is refused for its time', async () => {
    const cases = parseCases(
      readFileSync(new URL('../../planner/cases/train/work.jsonl', import.meta.url), 'utf8'),
    ).filter(
      (one) =>
        one.class === 'plan' &&
        /\b(?:in|at|on|tomorrow|tonight|later|next|morgen|demain|mañana|amanhã)\b/u.test(one.text),
    );
    const asked = cases.filter((_one, at) => at % 20 === 0);
    const refused: string[] = [];
    for (const { text } of asked) {
      const answer = await answerTo(text);
      if (answer.kind === 'refuse' && answer.explanation.includes('runs at once')) refused.push(text);
    }
    expect(refused).toEqual([]);
  });
});

test.each([
  ['who is on call for ops in 3 days', 'in 3 days'],
  ['wer hat in zwei Tagen Bereitschaft für ops?', 'in 2 days'],
  ['who has the pager for payments-api in an hour', 'in 1 hour'],
])('looks up who will be on call: %s', async (goal, at) => {
  expect(await answerTo(goal)).toMatchObject({
    kind: 'plan',
    plan: { steps: [{ tool: 'pagerduty.oncall', args: { at } }] },
  });
});
