import { expect, test } from 'vitest';
import { createOfflinePlanner } from '../../../src/plan/offline/planner.ts';
import { planningInput, testCatalogue } from '../../support/planning.ts';

const planner = createOfflinePlanner({ playbooks: [] });
const catalogue = testCatalogue({
  defaults: { project: 'OPS', priority: 'P1', service: 'ops', channel: 'ops' },
});

async function answerTo(goal: string) {
  return (await planner.plan(planningInput(goal, { catalogue }))).answer;
}

/** Tools with their targets, in order. */
async function stepsOf(goal: string): Promise<string[]> {
  const answer = await answerTo(goal);
  if (answer.kind !== 'plan') throw new Error(`${goal}: ${JSON.stringify(answer)}`);
  return answer.plan.steps.map(({ tool, args }) =>
    [tool, args.channel ?? args.user ?? args.service ?? args.project].filter(Boolean).join(' '),
  );
}

test('only who is meant is paged: not who is left out, not what the reason speaks of', async () => {
  expect(await stepsOf('page payments-api, not search, about failing webhooks')).toEqual([
    'pagerduty.page payments-api',
  ]);
  const answer = await answerTo("page the payments-api on-call, ops is down and we're losing orders");
  expect(answer).toMatchObject({
    plan: { steps: [{ args: { service: 'payments-api', text: "ops is down and we're losing orders" } }] },
  });
  expect(await stepsOf('search is on fire, page someone')).toEqual(['pagerduty.page search']);
  expect(await answerTo('page ops on-call: DB primary failover needed, ETA 30 min')).toMatchObject({
    plan: { steps: [{ args: { service: 'ops', text: 'DB primary failover needed, ETA 30 min' } }] },
  });
  expect(await answerTo('page ben')).toMatchObject({
    kind: 'clarify',
    question: expect.stringMatching(
      /^A page goes to whoever is on call .* “ben” here\. Which one do you mean\?$/,
    ),
  });
});

test('channels and people are known without their signs, and a ticket for an outage is a ticket', async () => {
  expect(await stepsOf('post to status: maintenance done')).toEqual(['slack.post #status']);
  expect(await answerTo('tickets assigned to ben in PAY')).toMatchObject({
    plan: { steps: [{ tool: 'jira.search', args: { project: 'PAY', assignee: '@ben' } }] },
  });
  expect(await stepsOf('open a P1 for the outage and page ops')).toEqual([
    'jira.create OPS',
    'pagerduty.page ops',
  ]);
  expect((await answerTo('tell payments team we have an outage')).kind).toBe('clarify');
});

test('tickets of a service are those of its project, and "every" is every one', async () => {
  expect(await stepsOf('page ops if payments-api has open P1s')).toEqual([
    'jira.count PAY',
    'pagerduty.page ops',
  ]);
  expect(await stepsOf('P1 count for every project')).toEqual(['jira.count OPS', 'jira.count PAY']);
  expect(await stepsOf('who is on call for each service')).toHaveLength(3);
  expect(await stepsOf('open P1 OPS payments')).toEqual(['jira.search OPS', 'jira.search PAY']);
  const answer = await answerTo('check the sla for OPS and PAY and page if breached');
  expect(answer).toMatchObject({ kind: 'plan' });
  if (answer.kind !== 'plan') throw new Error('a plan');
  expect(answer.plan.steps.at(-1)?.when).toMatch(/ \|\| /);
});

test.each([
  ['every 30 min check open P1 in OPS and page if breached', /`schedules:`/],
  ['page ops and wait 10 minutes, then page payments-api', /does not wait/],
  ['delete OPS-3', /^What this bot can do here/],
])('what a plan cannot do is refused with the way to it: %s', async (goal, said) => {
  expect(await answerTo(goal)).toMatchObject({ kind: 'refuse', explanation: expect.stringMatching(said) });
});

test('a time that is not now is asked about, and no page is ever left out without a word', async () => {
  expect((await answerTo('at 6am post the P1 count to #ops')).kind).toBe('clarify');
  expect(await stepsOf('count the P1s in OPS, and past 20 page payments-api too')).toEqual([
    'jira.count OPS',
    'pagerduty.page payments-api',
  ]);
});

test('an audience that is named is the one that is told, never the usual channel', async () => {
  expect(await stepsOf('tell status: maintenance is over')).toEqual(['slack.post #status']);
  expect(await stepsOf('let ana and ben know that search is back')).toEqual([
    'slack.post @ana',
    'slack.post @ben',
  ]);
  expect(await stepsOf('post to status, ops: deploy freeze')).toEqual([
    'slack.post #status',
    'slack.post #ops',
  ]);
  expect(await stepsOf('post in payments war room how many p1s pay has')).toEqual([
    'jira.count PAY',
    'slack.post #payments-war-room',
  ]);
  for (const goal of ['tell bob deploy done', 'tell marketing', 'escalate PAY-12', 'share it with sales'])
    expect([goal, (await answerTo(goal)).kind]).toEqual([goal, 'clarify']);
  const either = await answerTo('tell ana if PAY has p1s, otherwise ben');
  if (either.kind !== 'plan') throw new Error('a plan');
  expect(either.plan.steps.map(({ args, when }) => [args.user, when]).slice(1)).toEqual([
    ['@ana', 'count.total > 0'],
    ['@ben', 'count.total == 0'],
  ]);
});

test('a reason, a nickname and a list keep their meaning in pages and conditions', async () => {
  expect(await stepsOf('page ops because payments-api is failing')).toEqual(['pagerduty.page ops']);
  expect(await stepsOf('page ops and payments-api about the disks')).toEqual([
    'pagerduty.page ops',
    'pagerduty.page payments-api',
  ]);
  expect((await answerTo('page prod')).kind).toBe('clarify');
  const nickname = await answerTo('page payments if more than 5 p1s open');
  expect(nickname).toMatchObject({
    plan: { steps: [{ args: { project: 'PAY' } }, { args: { service: 'payments-api' } }] },
  });
  const both = await answerTo('if both PAY and OPS are breached page ops');
  if (both.kind !== 'plan') throw new Error('a plan');
  expect(both.plan.steps.at(-1)?.when).toMatch(/ && /);
  expect((await answerTo('page ops if p1s > 5 for 10 minutes')).kind).toBe('clarify');
  expect((await answerTo('if ops oncall is ben, page payments')).kind).toBe('clarify');
});

test('only open tickets decide about a change, and the card says so', async () => {
  expect(await answerTo('page ops if PAY has more than 3 P1')).toMatchObject({
    plan: { steps: [{ args: { status: 'open' } }, {}], assumptions: ['Only open tickets are counted.'] },
  });
});

test('what a new ticket is about is found wherever it stands', async () => {
  const title = async (goal: string) => {
    const answer = await answerTo(goal);
    return answer.kind === 'plan' ? answer.plan.steps[0]?.args.summary : answer.kind;
  };
  expect(await title('create a ticket for payments, p2, refunds stuck')).toBe('refunds stuck');
  expect(await title('create ticket PAY: tell ben to rotate keys')).toBe('tell ben to rotate keys');
  expect(await answerTo('make PAY-12 a p2')).toMatchObject({ kind: 'refuse' });
});

test('a statement is said as it is, whatever its words could look up, and nothing is told where there is nothing', async () => {
  const text = async (goal: string) => {
    const answer = await answerTo(goal);
    return answer.kind === 'plan' ? answer.plan.steps.map(({ args }) => args.text) : answer.kind;
  };
  expect(await text('tell status the db is down')).toEqual(['the db is down']);
  expect(await text('tell status PAY-12 is not fixed')).toEqual(['PAY-12 is not fixed']);
  expect(await text('comment on PAY-12 the db is down')).toEqual(['the db is down']);
  const none = await answerTo('dm ana the P1s in PAY, nothing if there are none');
  if (none.kind !== 'plan') throw new Error('a plan');
  expect(none.plan.steps.at(-1)?.when).toBe('tickets.total > 0');
});

test('two orders with a condition each keep their own, and "any project" looks at every one', async () => {
  const writes = async (goal: string) => {
    const answer = await answerTo(goal);
    if (answer.kind !== 'plan') throw new Error(`${goal}: ${JSON.stringify(answer)}`);
    return answer.plan.steps.filter(({ when }) => when !== undefined);
  };
  const pages = await writes('page ops if OPS is breached and payments if PAY is breached');
  expect(pages.map(({ args, when }) => [args.service, when])).toEqual([
    ['ops', 'sla_state.state == "breached"'],
    ['payments-api', 'sla_state_2.state == "breached"'],
  ]);
  const moves = await writes('close PAY-12 if it is Done and PAY-13 if it is Done');
  expect(moves.map(({ args, when }) => [args.key, when])).toEqual([
    ['PAY-12', 'ticket.status == "Done"'],
    ['PAY-13', 'ticket_2.status == "Done"'],
  ]);
  const [any] = await writes('page ops if any project is breached');
  expect(any?.when).toMatch(/ \|\| /);
  const [all] = await writes('tell status if every project has fewer than 3 P1s');
  expect(all?.when).toBe('count.total < 3 && count_2.total < 3');
});
