import { expect, test } from 'vitest';
import { allManifests } from '../../../manifests/all.ts';
import { print } from '../../../src/core/notation/print.ts';
import { createOfflinePlanner } from '../../../src/plan/offline/planner.ts';
import { watchFirst } from '../../../src/plan/watch.ts';
import { planningInput, testCatalogue } from '../../support/planning.ts';

const planner = watchFirst(createOfflinePlanner({ playbooks: [] }));
const catalogue = testCatalogue({
  defaults: { project: 'OPS', priority: 'P1', service: 'ops', channel: 'ops' },
});
const manifests = new Map(allManifests.map((one) => [one.name, one]));

/** The steps in plan notation, without what they are for; `ask …` or `refuse …` where there is no plan. */
async function notationOf(goal: string): Promise<string[]> {
  const { answer } = await planner.plan(planningInput(goal, { catalogue }));
  if (answer.kind === 'clarify') return [`ask ${answer.missing[0]}`];
  if (answer.kind === 'refuse') return [`refuse ${answer.reason}`];
  const isStep = (line: string): boolean => !/^(?:goal|input|default|assuming|\s+why):|^$/u.test(line);
  return print(answer.plan, manifests)
    .split('\n')
    .filter(isStep)
    .map((line) => line.trim());
}

test.each([
  ['page ops: backup fails every night', ['pagerduty.page service=ops text="backup fails every night"']],
  [
    'comment on OPS-3: duplicates OPS-14, close when OPS-14 is done',
    ['jira.comment key=OPS-3 text="duplicates OPS-14, close when OPS-14 is done"'],
  ],
  [
    'tell #status: payouts are paused, do not page anyone',
    ['slack.post channel=#status text="payouts are paused, do not page anyone"'],
  ],
  ['post to #ops: is OPS-14 done?', ['slack.post channel=#ops text="is OPS-14 done?"']],
  [
    'comment on PAY-12: we restart search at 5 and delete the old logs',
    ['jira.comment key=PAY-12 text="we restart search at 5 and delete the old logs"'],
  ],
  [
    'create a bug in PAY: refund fails when amount > 100',
    ['jira.create type=bug project=PAY summary="refund fails when amount > 100"'],
  ],
  [
    'page ops because backups fail every night',
    ['pagerduty.page service=ops text="backups fail every night"'],
  ],
  ['tell #ops we deploy every day at 9', ['slack.post channel=#ops text="we deploy every day at 9"']],
])('what is said to somebody orders, asks and rules out nothing: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'page ops: backups failing (low urgency)',
    ['pagerduty.page service=ops text="backups failing" urgency=low'],
  ],
  [
    'log a defect: checkout button greyed out (PAY, p3)',
    ['jira.create type=bug summary="checkout button greyed out" project=PAY priority=P3'],
  ],
  [
    'page ops: cards declined, page search',
    [
      'pagerduty.page service=ops text="cards declined"',
      'page_2 = pagerduty.page service=search text="cards declined"',
    ],
  ],
  [
    'page ops: db-03 down. Also tell @ana.',
    ['pagerduty.page service=ops text="db-03 down"', 'slack.post user=@ana text="db-03 down"'],
  ],
  ['comment on PAY-3: done. Do not page anyone', ['jira.comment key=PAY-3 text=done']],
])('a text ends where the order goes on: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'post the p1 count of OPS to #ops and if it is over 20 page ops',
    [
      'count = jira.count priority=P1 project=OPS status=open',
      'slack.post channel=#ops text="Open P1 tickets in OPS: {count.total}"',
      'when count.total > 20: pagerduty.page service=ops text="Open P1 tickets in OPS: {count.total}"',
    ],
  ],
  [
    'tell #status search is back and if PAY-12 is still open comment "check again" on it',
    [
      'get = jira.get key=PAY-12',
      'slack.post channel=#status text="search is back"',
      'when get.done == false: jira.comment text="check again" key=PAY-12',
    ],
  ],
  ['page ops and if nobody is on call tell #ops', ['ask condition']],
  [
    'check if PAY-3 is Done and when it is not Done tell @ana',
    ['get = jira.get key=PAY-3', 'when get.status != "Done": slack.post user=@ana text="{get.lines}"'],
  ],
])(
  'a condition behind “and if” holds for what follows, and is never passed over: %s',
  async (goal, steps) => {
    expect(await notationOf(goal)).toEqual(steps);
  },
);

test.each([
  [
    'comment "done" on PAY-3 and PAY-4 and close them',
    [
      'jira.comment text=done key=PAY-3',
      'comment_2 = jira.comment text=done key=PAY-4',
      'jira.transition status=Closed key=PAY-3',
      'transition_2 = jira.transition status=Closed key=PAY-4',
    ],
  ],
  ['comment "done" on PAY-3 and PAY-4 and close it', ['ask key']],
  [
    'close PAY-3 and PAY-4 and tell #ops both are closed',
    [
      'jira.transition status=Closed key=PAY-3',
      'transition_2 = jira.transition status=Closed key=PAY-4',
      'slack.post channel=#ops text="both are closed"',
    ],
  ],
  ['tell #ops we are on it', ['slack.post channel=#ops text="we are on it"']],
  ['last week’s open bugs in PAY', ['jira.search during="last week" status=open type=bug project=PAY']],
])('“both”, “them” and “yesterday’s” mean what they say: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  'who approved the last page',
  'has ana seen the page',
  'what did ben comment on PAY-12',
  'who can ack incident 42',
  'the page to ops failed',
  'the comment on PAY-12 is wrong',
])('a question writes nothing: %s', async (goal) => {
  expect((await notationOf(goal))[0]).toMatch(/^(?:ask|refuse) /u);
});

test('buttons that read the same are one, and those that differ in what they say show it', async () => {
  const { answer } = await planner.plan(
    planningInput('resolve incident 88, it was a false alarm', { catalogue }),
  );
  const options = answer.kind === 'clarify' ? answer.options : [];
  expect(options.filter((one) => /^\d\. /u.test(one))).toEqual([]);
  expect(new Set(options).size).toBe(options.length);
});

test.each([
  [
    'check errors on search in splunk and tell #ops the top error',
    ['spl = logs.spl about=errors service=search', 'slack.post channel=#ops text="{spl.top_code}"'],
  ],
  [
    'list open P1 in PAY and post the link to #ops',
    [
      'search = jira.search status=open priority=P1 project=PAY',
      'slack.post channel=#ops text="{search.link}"',
    ],
  ],
  ['ack 12 and 13', ['pagerduty.ack incident=12', 'ack_2 = pagerduty.ack incident=13']],
])('a part of a result goes by its name, and an incident by its number: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test('words that may be what is wrong stand on the button of a page', async () => {
  const goal = 'page ops replication lag 20 min and growing';
  const { answer } = await planner.plan(planningInput(goal, { catalogue }));
  expect(answer).toMatchObject({
    kind: 'clarify',
    question: 'Is that what it should say?',
    options: ['Page the on-call of ops: “replication lag 20 min and growing”', expect.anything()],
  });
});

test.each([
  [
    'any incidents on search? none tell #ops all good',
    [
      'incidents = pagerduty.incidents service=search status=open',
      'when incidents.total == 0: slack.post channel=#ops text="all good"',
    ],
  ],
  [
    'count open P1 in PAY, if there are none tell #ops',
    [
      'count = jira.count status=open priority=P1 project=PAY',
      'when count.total == 0: slack.post channel=#ops text="Open P1 tickets in PAY: {count.total}"',
    ],
  ],
  [
    'page ops unless there is already an open incident',
    [
      'incidents = pagerduty.incidents status=open service=ops',
      'when incidents.total == 0: pagerduty.page service=ops text="Please take a look at ops."',
    ],
  ],
])('“none” in front of an order says when: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});
