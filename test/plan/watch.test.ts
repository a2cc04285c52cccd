/** Why: whoever asks for a watch hears what it will do when nobody is there to ask. */
import { expect, test } from 'vitest';
import { cadenceWords } from '../../src/core/cadence.ts';
import { createOfflinePlanner } from '../../src/plan/offline/planner.ts';
import { watchFirst } from '../../src/plan/watch.ts';
import { planningInput } from '../support/planning.ts';

const planner = watchFirst(createOfflinePlanner({ playbooks: [] }));

async function answerTo(goal: string, onCallFor: readonly string[] = []) {
  const { answer } = await planner.plan(planningInput(goal, { onCallFor }));
  return answer;
}

test('"page me" in a watch is asked about: who is on call may change, so a service is named, one’s own first', async () => {
  const goal = 'watch OPS P1 every 10 minutes and page me over 30';
  const nobody = await answerTo(goal);
  expect(nobody).toMatchObject({ kind: 'clarify', question: expect.stringContaining('not you by name') });
  const own = await answerTo(goal, ['payments-api']);
  expect(own).toMatchObject({
    kind: 'clarify',
    question:
      'You are on call for payments-api now, but when the watch finds something it may be somebody else. Which service should it page?',
    missing: ['service', 'me'],
  });
  if (own.kind !== 'clarify') throw new Error('it was not asked about');
  expect(own.options[0]).toMatch(/^Page the on-call of payments-api /);
  expect(own.offers?.[0]?.option).toBe(own.options[0]);
  expect(own.options).toHaveLength(3);
});

test.each([
  'watch OPS P1 every 10 seconds and page ops over 30',
  'watch OPS P1 every 90s and page ops over 30',
])('what is no whole number of minutes is refused and not rounded: %s', async (goal) => {
  expect(await answerTo(goal)).toMatchObject({
    kind: 'refuse',
    explanation: expect.stringContaining('whole minutes'),
  });
});

test('what comes about later is looked at again and again for whoever asks; a write under “when” says that it is looked at once', async () => {
  expect(await answerTo('let me know when PAY-12 is done')).toMatchObject({
    plan: { watch: { every: { minutes: 10 } }, success: ['get.done != true'] },
  });
  const once = await answerTo('page ops when PAY-12 is done');
  expect(once).toMatchObject({ plan: { assumptions: [expect.stringContaining('I check this once, now')] } });
  expect(once).not.toHaveProperty('plan.watch');
});

test('one ticket is asked about as such, and a number alone is an answer', async () => {
  const planned = async (goal: string, answer: string) => {
    const asked = await answerTo(goal);
    if (asked.kind !== 'clarify') throw new Error('it was not asked about');
    const answers = [{ question: asked.question, missing: asked.missing, answer }];
    const next = (await planner.plan({ ...planningInput(goal), answers })).answer;
    return next.kind === 'plan' ? next.plan.success.join() : next.kind;
  };
  expect(await answerTo('watch PAY-12')).toMatchObject({
    options: ['when it is done', 'when it breaches its SLA'],
  });
  expect(await planned('watch PAY-12', 'when it is done')).toBe('get.done != true');
  expect(await planned('watch OPS P1', '5')).toBe('count.total < 5');
});

test('a post of what is looked up needs no number at any of its times', async () => {
  expect(await answerTo('every hour post the P1 count of OPS to #ops')).toMatchObject({
    plan: { watch: { every: { minutes: 60 } }, steps: [{ tool: 'jira.count' }, { tool: 'slack.post' }] },
  });
  expect(await answerTo('every hour page ops')).toMatchObject({ kind: 'clarify' });
});

test.each([
  'at 17:00 post the open P1s to #ops',
  'in 30 minutes page ops if OPS-3 is still open',
  'page payments at 15:00',
])('once, later, is refused and never done now: %s', async (goal) => {
  expect(await answerTo(goal)).toMatchObject({
    kind: 'refuse',
    explanation: expect.stringContaining('once at a later time'),
  });
});

test.each(['every 5 minutes', 'run it every hour until friday', 'mondays only', 'tell me when it is done'])(
  'a card cannot become a watch, and says how to ask for one: %s',
  async (words) => {
    const goal = 'if OPS has more than 5 open P1s page ops';
    const first = await answerTo(goal);
    if (first.kind !== 'plan') throw new Error('it was not planned');
    const { answer } = await planner.plan(planningInput(goal, { change: { plan: first.plan, words } }));
    expect(answer).toMatchObject({
      kind: 'refuse',
      explanation: expect.stringContaining('can’t turn a card into a watch'),
    });
  },
);

/** The times of a watch after a change in words, with its bound; or what is asked. */
async function timesAfter(goal: string, words: string): Promise<string> {
  const first = await answerTo(goal);
  if (first.kind !== 'plan') throw new Error('it was not planned');
  const { answer } = await planner.plan(planningInput(goal, { change: { plan: first.plan, words } }));
  if (answer.kind !== 'plan') return answer.kind === 'clarify' ? answer.question : answer.explanation;
  const { watch, steps, success } = answer.plan;
  if (watch === undefined) throw new Error('it is no watch any more');
  const until = watch.until === undefined ? '' : ' until …';
  const bounds = [...success, ...steps.flatMap(({ when }) => when ?? [])].join();
  return `${cadenceWords(watch.every)}${until}; ${bounds}`;
}

const often = 'OPS P1 every 10 minutes and page ops over 30';
const daily = 'every morning at 9 post the open P1s of OPS to #ops';

test.each([
  [often, 'every hour instead', 'every hour; count.total > 30'],
  [often, 'only on weekdays', 'every 10 minutes on weekdays (UTC); count.total > 30'],
  [often, 'weekdays only, over 20', 'every 10 minutes on weekdays (UTC); count.total > 20'],
  [often, 'from 9 to 17', 'every 10 minutes from 09:00 to 17:00 (UTC); count.total > 30'],
  [often, 'not at night', 'every 10 minutes from 06:00 to 22:00 (UTC); count.total > 30'],
  [often, 'for 3 days', 'every 10 minutes until …; count.total > 30'],
  [often, 'make it 10', 'every 10 minutes; count.total > 10'],
  [often, 'make it 15', 'Is that when to look, or the limit?'],
  [daily, 'at 8:30', 'every day at 08:30 (UTC); '],
  [daily, 'make it 8', 'every day at 08:00 (UTC); '],
  [daily, 'not on weekends', 'every weekday at 09:00 (UTC); '],
  [daily, 'on mondays and thursdays', 'every Monday and Thursday at 09:00 (UTC); '],
])('a watch is changed in words: %s ~ %s', async (goal, words, expected) => {
  expect(await timesAfter(goal, words)).toContain(expected);
});

test('days and hours narrow an interval in a request as in a change', async () => {
  expect(
    await answerTo('every 10 minutes on weekdays from 9 to 17: page ops if OPS has more than 30 P1s'),
  ).toMatchObject({
    plan: { watch: { every: { cron: '*/10 9-16 * * 1-5' } } },
  });
});
