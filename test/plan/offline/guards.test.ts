import { expect, test } from 'vitest';
import { createOfflinePlanner } from '../../../src/plan/offline/planner.ts';
import type { Playbook } from '../../../src/plan/playbooks/playbook.ts';
import { planningInput, testCatalogue } from '../../support/planning.ts';

const none: readonly Playbook[] = [];
const planner = createOfflinePlanner({ playbooks: none });
const open = testCatalogue({ open: true });

async function answerTo(goal: string) {
  return (await planner.plan(planningInput(goal, { catalogue: open }))).answer;
}

async function stepsFor(goal: string) {
  const answer = await answerTo(goal);
  if (answer.kind !== 'plan') throw new Error(`${goal}: ${JSON.stringify(answer)}`);
  return answer.plan.steps;
}

const writes = /^(slack\.post|jira\.(comment|transition|create)|pagerduty\.(page|note|ack|resolve))$/;

test.each([
  ['a choice', ['page auth or checkout', 'tell #a or #b that we are done', 'close PAY-3 or PAY-4']],
  ['a time that is not now', ['page auth at 15:00', 'ping @ana in an hour', 'page auth tomorrow']],
  ['a repetition', ['page auth twice', 'post "hi" to #ops several times']],
  ['a condition that nothing can look up', ['page auth until PAY-3 is Done', 'close PAY-3 after the deploy']],
  ['a condition without an order', ['page auth if needed', 'close PAY-3 once the fix is live']],
  [
    'an impossible range',
    [
      'if BUS has more than 10 and fewer than 5 open tickets, page bus-core',
      'tell #x if BUS has over 9 and under 2 P1s',
    ],
  ],
  ['somebody who is not on call', ["page auth's manager"]],
  ['a status that is not said', ['change the status of PAY-3', 'set the state of PAY-3']],
  ['a pronoun with nothing behind it', ['tell #yard about it', 'tell #ops about this']],
  ['a status that is none', ['move PAY-3 to the next status', 'set PAY-3 to Done or In Review']],
  [
    'two statuses at once',
    ['set REL-360 to Done and keep it In Progress', 'TST-4 has to go to Done and must stay In Progress'],
  ],
  [
    'both a page and that nobody is paged',
    [
      'page fraud-core about the scoring job, but nobody may be paged',
      'tell #core how many P1s CORE has, but nothing may be posted',
    ],
  ],
  ['"too many" without a number', ['too many open P1s in WEB? tell #web-ops']],
  [
    'a ticket that is only pointed at',
    ['that ticket should be Done', 'show me that ticket again', 'the other ticket should go to Done as well'],
  ],
  [
    'somebody who was not named',
    ['send him the list of open bugs in GEO', 'give @ana an update', 'forward what we discussed to @ana'],
  ],
  ['a bare number', ['resolve 4411']],
  ['a condition on what nothing tells', ['if nobody has worked on PAY-12 page payments']],
  ['a question about an order', ['should I page auth?', 'did anyone page auth?', 'how would I page auth?']],
  ['a report', ['I already told #ops, only ack 88123', 'I will page auth myself']],
  ['scattered tickets', ['close PAY-1 as duplicate of PAY-2', 'move PAY-1, not PAY-2, to Done']],
])('an order that holds %s is asked about and never planned as it stands', async (_, goals) => {
  for (const goal of goals) expect([goal, (await answerTo(goal)).kind]).toEqual([goal, 'clarify']);
});

test('every branch keeps its condition, also behind yes and no, then, after and but not', async () => {
  const goals = [
    'is PAY-3 blocked? yes → page pay-api; no → close it',
    'any sev1 on INFR? if none dont bother, if yes wake infra-core',
    'any open incident on cart? page cart-api; if there is none write "healthy" to #daily',
    'look at PAY-8: if it is Resolved please tell #pay, if it is still In Progress comment "eta?" on it',
    'close CRM-5 only after CRM-4 is Done',
    'close PAY-3 but not if it is blocked',
    'I need to know whether DX-90 is Done, and if it is then please set DX-91 to In Progress',
    'if both PAY-1 and PAY-2 are Done, close PAY-3',
    'PAY, BIL and LED combined: with 100 open tickets or more #ops has to hear about it',
    'check the SLA on SUP-3: breached, page sup-core; only at risk, DM @ana',
    'four or more open incidents on cdn-edge is when #cdn must hear about it',
    'add up the open P1s of EUR and USA, and with 15 or more wake region-core',
    'write "go" to #release, but only with no open P1 in REL',
    'if nobody has touched PAY-12 for 3 days, nudge @tom about it',
    'more than 50 401 responses of auth-api in splunk -> page auth-api',
  ];
  for (const goal of goals) {
    const steps = await stepsFor(goal);
    const loose = steps.filter((step) => writes.test(step.tool) && step.when === undefined);
    expect([goal, loose.map((step) => step.tool)]).toEqual([goal, []]);
  }
  const opposite = await stepsFor('any sev1 on INFR? if none dont bother, if yes wake infra-core');
  expect(opposite.at(-1)?.when).toMatch(/> 0$/);
  const unless = await stepsFor('close PAY-3 but not if it is blocked');
  expect(unless.at(-1)?.when).toMatch(/!=/);
});

test('who speaks, who is left out and what a text speaks of are no targets', async () => {
  const targets = async (goal: string) =>
    (await stepsFor(goal))
      .filter((step) => writes.test(step.tool))
      .map((step) => step.args.channel ?? step.args.user ?? step.args.key);
  expect(await targets('@tom asked me to count bugs in PAY')).toEqual([]);
  expect(await targets('tell #crm nothing, just count the bugs in CRM')).toEqual([]);
  expect(await targets('tell @bo that the deploy is done, but not #ops')).toEqual(['@bo']);
  expect(await targets('tell #ops that @bo is on it')).toEqual(['#ops']);
  expect(await targets('comment on PAY-1 that it duplicates PAY-2')).toEqual(['PAY-1']);
});

test('a condition between commas is about what comes after it', async () => {
  const [page, , tell] = await stepsFor('page auth and, if PAY has P1s, tell #ops');
  expect(page).toMatchObject({ tool: 'pagerduty.page' });
  expect(page?.when).toBeUndefined();
  expect(tell?.when).toBe('count.total > 0');
});

test('a topic is no reason to refuse where it is the name of a ticket or what a database holds', async () => {
  expect((await stepsFor('summarize TAX-560')).map((step) => step.tool)).toEqual([
    'jira.get',
    'llm.summarize',
  ]);
  expect((await stepsFor('how many gift cards expired this week, according to the database')).length).toBe(1);
  for (const goal of ['buy a gift card for my boss', 'write a poem about our jira tickets']) {
    expect(await answerTo(goal)).toMatchObject({ kind: 'refuse', reason: 'out_of_scope' });
  }
});
