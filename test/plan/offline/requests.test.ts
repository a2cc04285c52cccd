import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { allManifests } from '../../../manifests/all.ts';
import { sandboxConfig } from '../../../sandbox/config.ts';
import { worldOf } from '../../../src/commands/offline-world.ts';
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
  const isStep = (line: string): boolean =>
    !/^(?:goal|input|default|assuming(?!: Not used|: From “)|\s+why):|^$/u.test(line);
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
  [
    'pls page ops, 500 errors on basket page since deploy of 14:10',
    ['pagerduty.page service=ops text="500 errors on basket page since deploy of 14:10"'],
  ],
  [
    'page ops low urgency: image service slow, can wait until morning',
    ['pagerduty.page service=ops urgency=low text="image service slow, can wait until morning"'],
  ],
  ['comment PAY-31 please send me the logs', ['jira.comment key=PAY-31 text="please send me the logs"']],
  ['ask @ana if PAY-12 is done', ['slack.post user=@ana text="asking if PAY-12 is done"']],
  [
    'reply on PAY-31 thanks, we deploy the fix at 16:00 CET',
    ['jira.comment key=PAY-31 text="thanks, we deploy the fix at 16:00 CET"'],
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
    'close PAY-3 and PAY-4 with comment "done"',
    [
      'jira.transition status=Closed key=PAY-3',
      'transition_2 = jira.transition status=Closed key=PAY-4',
      'jira.comment text=done key=PAY-3',
      'comment_2 = jira.comment text=done key=PAY-4',
    ],
  ],
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

test.each([
  ['cnt p1 ops', ['jira.count priority=P1 project=OPS status=open']],
  ['lst p1 pay', ['jira.search priority=P1 project=PAY status=open']],
  ["open inc's on opss", ['pagerduty.incidents status=open service=ops']],
  ['who is oncall for ops tmrw', ['pagerduty.oncall service=ops at=tomorrow']],
  [
    "chk if there's any p1 in pay w/o owner",
    ['jira.count priority=P1 project=PAY assignee=unassigned status=open'],
  ],
])('what is typed in a hurry never turns a request round: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  ['resolve 231', ['pagerduty.resolve incident=231']],
  ['resolv 231', ['pagerduty.resolve incident=231']],
  ['close 231', ['ask goal']],
  ['escalate 231 to ana', ['refuse no_tool']],
  ['reassign incident 231 to ben', ['refuse no_tool']],
  ['who acked incident 231', ['pagerduty.get incident=231']],
  ['incident 231?', ['pagerduty.get incident=231']],
  ['override ops on-call: ana from 18 to 22', ['refuse no_tool']],
  ['put search in maintenance till 15:00', ['refuse no_tool']],
  ['what can you do', ['refuse no_tool']],
  ['when am I on call next', ['refuse no_tool']],
  ['ack the open incident on search', ['pagerduty.ack incident=search']],
  ['close OPS-3 but leave OPS-14 open', ['jira.transition status=Closed key=OPS-3']],
  ['when was PAY-44 last touched', ['jira.get key=PAY-44']],
  ['stuck payouts what do i do', ['runbook.search query="stuck payouts"']],
  ['disk full on db-2, what now', ['runbook.search query="disk full on db-2"']],
])('an incident by its number, and what no tool does: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'incidents on search between 2 and 4 yesterday morning',
    ['pagerduty.incidents service=search during="yesterday morning 02:00 to yesterday morning 04:00"'],
  ],
  [
    'any pages friday night between 1 and 5',
    ['pagerduty.incidents during="friday night 01:00 to friday night 05:00"'],
  ],
  [
    'who was on call for ops between midnight and 6 last night',
    ['pagerduty.oncall service=ops at="last night midnight to last night 06:00"'],
  ],
  [
    'who was on call for ops the night of the 14th',
    ['pagerduty.oncall service=ops at="the night of the 14th"'],
  ],
  ['who was on call for ops saturday around 4am', ['pagerduty.oncall service=ops at="last saturday 04:00"']],
  ['ops on-call week of march 9', ['pagerduty.oncall service=ops at="week of 2026-03-09"']],
  [
    'tickets in PAY created between monday and thursday last week',
    ['jira.search project=PAY during="monday to thursday last week"'],
  ],
  [
    'tickets in PAY created tuesday to thursday two weeks ago',
    ['jira.search project=PAY during="tuesday to thursday 2 weeks ago"'],
  ],
  ['bugs in PAY fri-sun', ['jira.search type=bug project=PAY during="fri to sun"']],
  [
    'incidents on ops between 10 feb and 15 feb',
    ['pagerduty.incidents service=ops during="2026-02-10 to 2026-02-15"'],
  ],
  ['who is the 2nd level on call for ops', ['pagerduty.oncall level=2 service=ops']],
  ['how many P1s were open last friday', ['refuse no_tool']],
  ['how many P1 were open at 9 this morning in OPS', ['refuse no_tool']],
])('hours of a part of the day, and days of a week: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  ['is payments-api down?', 'List open PagerDuty incidents of payments-api'],
  ['what happened last night', 'List PagerDuty incidents since last night'],
  ["who's got search tonight", 'Look up who is on call for search (tonight)'],
  ['has anyone acked the search page?', 'List acknowledged PagerDuty incidents of search'],
  ['and for PAY?', 'List open PagerDuty incidents of payments-api'],
])('what is only named comes back as the nearest look-ups: %s', async (goal, first) => {
  const { answer } = await planner.plan(planningInput(goal, { catalogue }));
  expect(answer).toMatchObject({ kind: 'clarify', options: expect.arrayContaining([first]) });
});

test.each([
  [
    'triggered incidents on ops older than 30 minutes',
    ['pagerduty.incidents status=triggered service=ops older_than=PT30M'],
  ],
  [
    'if the search incident is older than 15 min and still not acked, page search',
    [
      'incidents = pagerduty.incidents service=search status=triggered older_than=PT15M',
      'when incidents.total > 0: pagerduty.page service=search text="{incidents.lines}"',
    ],
  ],
  [
    'what was the last incident on search',
    ['pagerduty.incidents status=all order=newest service=search limit=1'],
  ],
  ['any incidents on ops that are not resolved', ['pagerduty.incidents service=ops status=open']],
  ['are we within SLA for P2 in PAY', ['jira.sla priority=P2 project=PAY']],
  ['longest open incident?', ['pagerduty.incidents order=oldest status=open limit=1']],
  ['the last 5 incidents on ops', ['pagerduty.incidents limit=5 service=ops status=all']],
])('incidents by their age: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  ['page ops when the disk is full', []],
  ['close OPS-12 unless somebody commented today', ['Show OPS-12']],
  ['resolve the search incident once PAY-E-2201 stops showing up', []],
  ['page ops if WEB-9 has been in review for 3 days', []],
  ['tickets not updated since monday in PAY', []],
  ['tickets closed by ben this week', []],
  ['count open tickets in PAY per assignee', ['Count open tickets in PAY', 'List open tickets in PAY']],
])('no button drops a condition, a “not”, a bound, a time or a name: %s', async (goal, options) => {
  const { answer } = await planner.plan(planningInput(goal, { catalogue }));
  expect(answer.kind === 'clarify' ? answer.options : answer).toEqual(options);
});

test.each([
  [
    'frobnicate the open P1s in OPS and quuxify PAY-4',
    '“frobnicate” or “quuxify”. Did you mean one of these?',
  ],
  ['resolve the incident of zorp', '“zorp”. Could you say it another way?'],
])(
  'what was not understood is named, and buttons are offered where there are some: %s',
  async (goal, words) => {
    const { answer } = await planner.plan(planningInput(goal, { catalogue }));
    expect(answer).toMatchObject({ question: expect.stringContaining(`I didn’t understand ${words}`) });
  },
);

test('words that may be what is wrong stand on the button of a page', async () => {
  const goal = 'page ops replication lag 20 min and growing';
  const { answer } = await planner.plan(planningInput(goal, { catalogue }));
  expect(answer).toMatchObject({
    kind: 'clarify',
    question: 'Is this what it should say?',
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

test.each([
  [
    'if OPS-12 and OPS-13 are done, close OPS-11',
    [
      'get = jira.get key=OPS-12',
      'get_2 = jira.get key=OPS-13',
      'when get.done == true && get_2.done == true: jira.transition key=OPS-11 status=Closed',
    ],
  ],
  [
    'if neither OPS-12 nor OPS-13 is done tell #ops "still open"',
    [
      'get = jira.get key=OPS-12',
      'get_2 = jira.get key=OPS-13',
      'when get.done == false && get_2.done == false: slack.post channel=#ops text="still open"',
    ],
  ],
  [
    'if not both of OPS-12 and OPS-13 are done tell #ops "not yet"',
    [
      'get = jira.get key=OPS-12',
      'get_2 = jira.get key=OPS-13',
      'when get.done == false || get_2.done == false: slack.post channel=#ops text="not yet"',
    ],
  ],
  [
    "close PAY-44 unless it's still P1",
    ['get = jira.get key=PAY-44', 'when get.priority != "P1": jira.transition key=PAY-44 status=Closed'],
  ],
  [
    'if PAY-44 has less than 1 hour left tell #ops "look at it"',
    ['sla = jira.sla key=PAY-44', 'when sla.minutes_left < 60: slack.post channel=#ops text="look at it"'],
  ],
  [
    'close OPS-12 if nobody touched it for 30 days',
    ['get = jira.get key=OPS-12', 'when get.idle_minutes > 43200: jira.transition key=OPS-12 status=Closed'],
  ],
  [
    'if PAY-44 is closed and OPS-12 is closed post "all clear" in #ops',
    [
      'get = jira.get key=PAY-44',
      'get_2 = jira.get key=OPS-12',
      'when get.done == true && get_2.done == true: slack.post channel=#ops text="all clear"',
    ],
  ],
  [
    'if more than 3 P1 in OPS or more than 5 in PAY post "look" in #ops',
    [
      'count = jira.count priority=P1 project=OPS status=open',
      'count_2 = jira.count priority=P1 project=PAY status=open',
      'when count.total > 3 || count_2.total > 5: slack.post channel=#ops text=look',
    ],
  ],
])('what a condition says of tickets is what it asks of them: %s', async (goal, steps) => {
  const bare = (line: string): string => line.split(' ').sort().join(' ');
  expect((await notationOf(goal)).map(bare)).toEqual(steps.map(bare));
});

test.each([
  ['all PAY but P1', ['jira.search project=PAY priority_not=P1 status=open']],
  ['cant see any p1 in ops, how many are there', ['jira.count priority=P1 project=OPS status=open']],
  [
    'page ops with the list of breached P1s in PAY',
    [
      'sla = jira.sla state=breached priority=P1 project=PAY',
      'pagerduty.page service=ops text="{sla.lines}"',
    ],
  ],
  ['translate PAY-44 to german and send it to @ana', ['ask goal']],
  ['@ana asked me to close PAY-44', ['jira.transition status=Closed key=PAY-44']],
  [
    'how many open P1s does PAY have and how many of them are unassigned',
    [
      'jira.count status=open priority=P1 project=PAY',
      'count_2 = jira.count assignee=unassigned status=open priority=P1 project=PAY',
    ],
  ],
  ['tickets assigned to @ana', ['jira.search assignee=@ana status=open']],
  [
    'file a P3 in OPS with label toil and component backup: nightly dump takes 5h',
    ['jira.create priority=P3 project=OPS label=toil component=backup summary="nightly dump takes 5h"'],
  ],
  ['tell #ops we are fine', ['slack.post channel=#ops text="we are fine"']],
  [
    'support has 12 reports of slow pages, is anything firing for ops?',
    [
      'assuming: Not used: “support has 12 reports of slow pages”.',
      'pagerduty.incidents status=open service=ops',
    ],
  ],
  ['open a ticket for this in PAY', ['ask summary']],
  [
    'close PAY-9, it was a duplicate',
    ['assuming: Not used: “it was a duplicate”.', 'jira.transition status=Closed key=PAY-9'],
  ],
  ['let me know if OPS-40 gets a comment', ['ask goal']],
  ['in 15 minutes check again the errors of search and page ops if still over 20', ['refuse no_tool']],
  ['page ops if there are still more than 5 open P1 in OPS in 30 minutes', ['ask goal']],
  [
    'create a ticket in PAY "search is slow", assigned to me',
    ['jira.create project=PAY summary="search is slow" assignee=me'],
  ],
  ['let #ops know 30 minutes before OPS-3 breaches', ['ask goal']],
  ['PAY-7 done, WEB-4 in progress', ['ask goal']],
  ['is @ana on call right now?', ['ask service']],
])('nothing is turned round, dropped or sent in the place of being done: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

const alert = '[FIRING:1] HighErrorRate (prod) value=12.4% severity=critical';
const log = [
  'ERROR 2026-11-23T08:12:44Z web-7f9 pool=orders timeout=30s',
  'ERROR 2026-11-23T08:12:45Z web-7f9 pool=orders timeout=30s',
].join('\n');

test.each([
  [`${alert} - page ops`, [`pagerduty.page service=ops text="${alert}"`]],
  [`${alert}\nopen a P2 in PAY`, [`jira.create priority=P2 project=PAY summary="${alert}"`]],
  [
    `${alert} - is there a runbook for HighErrorRate`,
    [`assuming: Not used: “${alert}”.`, 'runbook.search query=HighErrorRate'],
  ],
  [alert, ['ask goal']],
  [`${log}\npage ops`, [`pagerduty.page service=ops text="${log.replace('\n', '\\n')}"`]],
  [`${log}\n\n${alert}`, ['ask goal']],
  ['ERROR 2026-11-23T08:12:44Z web-7f9: page ops if it waits 3001 ms for a connection', ['ask goal']],
  [
    'Alert #ops if PAY has more than 3 open P1',
    [
      'count = jira.count project=PAY status=open priority=P1',
      'when count.total > 3: slack.post channel=#ops text="Open P1 tickets in PAY: {count.total}"',
    ],
  ],
])('what a monitor wrote is passed on and orders nothing: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});
test.each([
  ['tell OPS-501 we are waiting on aws', ['jira.comment key=OPS-501 text="we are waiting on aws"']],
  ['post in #ops that im looking into it', ['slack.post channel=#ops text="im looking into it"']],
  ['let #ops know the db is down', ['slack.post channel=#ops text="the db is down"']],
  ["let @ana know we've pushed a fix", ['slack.post user=@ana text="we\'ve pushed a fix"']],
  ['ask @ana for an update on PAY-12', ['slack.post user=@ana text="asking for an update on PAY-12"']],
  [
    'page ops: for the last 5 minutes nothing works',
    ['pagerduty.page service=ops text="for the last 5 minutes nothing works"'],
  ],
])('a message begins right behind whom it is for, and is said whole: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'page payments and tell them the db is down',
    ['pagerduty.page service=payments-api text="the db is down"'],
  ],
  [
    'page payments, let them know that checkout is slow',
    ['pagerduty.page service=payments-api text="checkout is slow"'],
  ],
  [
    'who is on call for payments? tell them the db is down',
    ['oncall = pagerduty.oncall service=payments-api', 'slack.post user={oncall.user} text="the db is down"'],
  ],
  [
    'who is on call for ops, tell them that OPS-3 needs eyes',
    ['oncall = pagerduty.oncall service=ops', 'slack.post text="OPS-3 needs eyes" user={oncall.user}'],
  ],
  ['tell someone if there are more than 5 open tickets in PAY', ['ask channel']],
])('somebody who was paged or looked up is told by a pronoun: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  ['close PAY-12 and tell @ana why', ['ask goal']],
  [
    'open a ticket in OPS for the checkout latency, P2, and page payments with the ticket key',
    [
      'create = jira.create project=OPS summary="checkout latency" priority=P2',
      'pagerduty.page service=payments-api text="{create.link}"',
    ],
  ],
])('what is asked or called by name is looked up, and no text: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  ['if there are more than P1 tickets in OPS page ops', ['ask goal']],
  ['new p1s in OPS since monday', ['jira.search priority=P1 project=OPS since=monday']],
  ['new tickets in OPS', ['ask goal']],
  ['show incidents triggered today for ops', ['pagerduty.incidents since=today service=ops']],
  ['show triggered incidents for ops', ['pagerduty.incidents status=triggered service=ops']],
  [
    "tickets in PAY that haven't been touched in 2 weeks",
    ['jira.search project=PAY not_updated_for=P14D status=open'],
  ],
  ['list the open P1s in OPS which nobody touched since monday, post them to #ops', ['ask goal']],
  [
    'is there any P1 in PAY with nobody assigned? if yes page payments',
    [
      'count = jira.count priority=P1 project=PAY assignee=unassigned status=open',
      'when count.total > 0: pagerduty.page service=payments-api text="Open P1 tickets in PAY that nobody is assigned to: {count.total}"',
    ],
  ],
  [
    'raise a bug in PAY for the broken cart, tag it frontend',
    ['jira.create type=bug project=PAY summary="broken cart" label=frontend'],
  ],
])('a word belongs to its own argument: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    "if it's more than 10 P1s in OPS, page ops; in any case post the number to #ops",
    [
      'count = jira.count priority=P1 project=OPS status=open',
      'when count.total > 10: pagerduty.page service=ops text="Open P1 tickets in OPS: {count.total}"',
      'slack.post channel=#ops text="Open P1 tickets in OPS: {count.total}"',
    ],
  ],
  [
    'if there are over 10 P1s in OPS page ops, either way tell #ops the number',
    [
      'count = jira.count priority=P1 project=OPS status=open',
      'when count.total > 10: pagerduty.page service=ops text="Open P1 tickets in OPS: {count.total}"',
      'slack.post channel=#ops text="Open P1 tickets in OPS: {count.total}"',
    ],
  ],
  [
    'page ops if more than 10 P1s in OPS; post the number to #ops in any case',
    [
      'count = jira.count priority=P1 project=OPS status=open',
      'when count.total > 10: pagerduty.page service=ops text="Open P1 tickets in OPS: {count.total}"',
      'slack.post channel=#ops text="Open P1 tickets in OPS: {count.total}"',
    ],
  ],
])('what holds in any case is under no condition: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'count open P1 in PAY; if 0 post "all quiet" to #ops',
    [
      'count = jira.count status=open priority=P1 project=PAY',
      'when count.total == 0: slack.post text="all quiet" channel=#ops',
    ],
  ],
  [
    '0 open P1s in PAY? post "green" in #ops',
    [
      'count = jira.count status=open priority=P1 project=PAY',
      'when count.total == 0: slack.post text=green channel=#ops',
    ],
  ],
])('nought is a number: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'who was on call for ops last night and what incidents were there',
    ['pagerduty.oncall service=ops at="last night"', 'pagerduty.incidents during="last night" service=ops'],
  ],
  [
    'who was on call for ops yesterday and which tickets were opened',
    ['pagerduty.oncall service=ops at=yesterday', 'jira.search during=yesterday project=OPS'],
  ],
  [
    'who is on call for ops and what incidents are there',
    ['pagerduty.oncall service=ops', 'pagerduty.incidents service=ops status=open'],
  ],
])('the time of one look-up goes on in the past tense: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  ['find the runbook', ['ask query']],
  ['post the runbook to #ops', ['ask query']],
])('a look-up that says nothing to look for is asked about: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});
test.each([
  ['PAY-54: add comment waiting on vendor', ['jira.comment key=PAY-54 text="waiting on vendor"']],
  ['PAY-45: comment rollback finished', ['jira.comment key=PAY-45 text="rollback finished"']],
  ['OPS-3: comment "done"', ['jira.comment key=OPS-3 text=done']],
  [
    'tell @ana that OPS-412 is fixed, then close it',
    [
      'post = slack.post user=@ana text="OPS-412 is fixed"',
      'jira.transition status=Closed key=OPS-412',
      'after: post',
    ],
  ],
  [
    'raise a ticket in PAY, payouts are stuck since 02:40, priority P1',
    ['jira.create project=PAY summary="payouts are stuck since 02:40" priority=P1'],
  ],
])(
  'an order behind its ticket, and one behind what somebody is told, is no text: %s',
  async (goal, steps) => {
    expect(await notationOf(goal)).toEqual(steps);
  },
);

test.each([
  ['page payments, nobody can pay', ['pagerduty.page service=payments-api text="nobody can pay"']],
  [
    'wake up whoever is on call for payments, nobody can pay',
    ['pagerduty.page service=payments-api text="nobody can pay"'],
  ],
  ['say hi to the team in #ops', ['ask text']],
])('what is wrong is said, whoever it is said to: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'send the open P1s in PAY to the on-call of payments',
    [
      'oncall = pagerduty.oncall service=payments-api',
      'search = jira.search status=open priority=P1 project=PAY',
      'slack.post user={oncall.user} text="{search.lines}"',
    ],
  ],
  [
    'find the runbook for stuck payouts and send it to whoever is on call for payments',
    [
      'search = runbook.search query="stuck payouts"',
      'oncall = pagerduty.oncall service=payments-api',
      'slack.post user={oncall.user} text="{search.lines}"',
    ],
  ],
  [
    'count P1 in OPS and send the number to the on-call of ops',
    [
      'count = jira.count priority=P1 project=OPS status=open',
      'oncall = pagerduty.oncall service=ops',
      'slack.post user={oncall.user} text="Open P1 tickets in OPS: {count.total}"',
    ],
  ],
  [
    "check PAY-45, comment the current on-call's name on it",
    [
      'jira.get key=PAY-45',
      'oncall = pagerduty.oncall service=payments-api',
      'jira.comment key=PAY-45 text="{oncall.lines}"',
    ],
  ],
])('whoever is on call gets what was looked up: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'unless there\'s already an open P1 in PAY, create one: "checkout returns 502"',
    [
      'count = jira.count status=open priority=P1 project=PAY',
      'when count.total == 0: jira.create summary="checkout returns 502" project=PAY priority=P1',
    ],
  ],
  [
    'unless a bug on "pdf export hangs" already exists in PAY, open one there',
    [
      'search = jira.search type=bug text="pdf export hangs" project=PAY',
      'when search.total == 0: jira.create project=PAY type=bug summary="pdf export hangs"',
    ],
  ],
  [
    'create a p1 in PAY "refunds stuck" and page payments-api with the ticket link',
    [
      'create = jira.create priority=P1 project=PAY summary="refunds stuck"',
      'pagerduty.page service=payments-api text="{create.link}"',
    ],
  ],
])(
  '“one” is of the kind that was looked for, and “the ticket link” leads to what was created: %s',
  async (goal, steps) => {
    expect(await notationOf(goal)).toEqual(steps);
  },
);

const shop = worldOf(stringify(sandboxConfig()), 'countersign.yml').catalogue;

test.each([
  ['how many carts are waiting for payment', 'sql.query named=waiting-carts'],
  ['carts that wait for payment', 'sql.query named=waiting-carts'],
  ['how many orders failed since 6am', 'sql.query named=failed-orders since=06:00'],
  ['orders have failed today?', 'sql.query named=failed-orders since=today'],
  [
    'page ops only if both OPS P1 > 3 and failed orders last hour > 100',
    'query = sql.query named=failed-orders window=PT1H',
  ],
])('a vetted query is asked for as people say it: %s', async (goal, step) => {
  const { answer } = await planner.plan(planningInput(goal, { catalogue: shop }));
  expect(answer.kind === 'plan' && print(answer.plan, shop.manifests)).toContain(step);
});
test.each([
  [
    "what's PAY-E-2201 and do we have any open tickets for it",
    ['errors.lookup code=PAY-E-2201', 'jira.search status=open text=PAY-E-2201 project=OPS'],
  ],
  [
    'comment on PAY-77 with the current on-call for payments',
    ['oncall = pagerduty.oncall service=payments-api', 'jira.comment key=PAY-77 text="{oncall.lines}"'],
  ],
  ['tickets @ana reported this month', ['ask goal']],
  [
    'how many incidents are currently triggered for payments',
    ['pagerduty.incidents status=triggered service=payments-api'],
  ],
  ['how long do we have to resolve a P1 in PAY', ['sla.threshold priority=P1 project=PAY']],
])('what somebody did, what is pointed at and what is asked of it is no filter: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'i need the sla of PAY-88 and PAY-89, and tell #ops if either is breached',
    [
      'sla = jira.sla key=PAY-88',
      'sla_2 = jira.sla key=PAY-89',
      'when sla.state == "breached" || sla_2.state == "breached": slack.post channel=#ops text="{sla.lines}\\n{sla_2.lines}"',
    ],
  ],
  [
    'close OPS-11 if either OPS-12 or OPS-13 is done',
    [
      'get = jira.get key=OPS-12',
      'get_2 = jira.get key=OPS-13',
      'when get.done == true || get_2.done == true: jira.transition status=Closed key=OPS-11',
    ],
  ],
])('“either” is one of those that were spoken of: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([['escalate that to the right people and sort out the tickets', ['ask service']]])(
  'nobody in particular is paged: %s',
  async (goal, steps) => {
    expect(await notationOf(goal)).toEqual(steps);
  },
);

test.each([
  [
    'create a bug in PAY about refunds linked to OPS-3 and comment "seen" on it',
    [
      'create = jira.create type=bug project=PAY summary="refunds linked to OPS-3"',
      'jira.comment text=seen key={create.key}',
    ],
  ],
  [
    'look up PAY-E-2201 and list the tickets that are open in PAY',
    ['errors.lookup code=PAY-E-2201', 'jira.search status=open project=PAY'],
  ],
  [
    'close PAY-3, and if OPS has over 20 open P1s page the on-call',
    [
      'count = jira.count project=OPS status=open priority=P1',
      'jira.transition status=Closed key=PAY-3',
      'when count.total > 20: pagerduty.page service=ops text="Open P1 tickets in OPS: {count.total}"',
    ],
  ],
  ['if there are over 10 open P1s in OPS, always page ops', ['ask goal']],
])('what was only mentioned takes the place of nothing that was said: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'splunk: index=web status=500 | stats count by host, then post it to #ops',
    [
      'spl = logs.spl query="index=web status=500 | stats count by host"',
      'slack.post channel=#ops text="{spl.lines}"',
    ],
  ],
  ['splunk: index=auth | table user password session_token, and post it in #ops', ['refuse dangerous']],
  ['run select id, password_hash from users limit 10', ['refuse dangerous']],
  [
    'select count(distinct password) from users',
    ['sql.query query="select count(distinct password) from users"'],
  ],
  [
    'select id from api_tokens where revoked = true',
    ['sql.query query="select id from api_tokens where revoked = true"'],
  ],
])('a query asks for what it shows, and ends where the sentence goes on: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'payments-api is slow again. any open incidents?',
    [
      'assuming: From “payments-api is slow again”, only payments-api is used.',
      'pagerduty.incidents status=open service=payments-api',
    ],
  ],
  [
    'customers cannot pay. who is on call for payments-api?',
    ['assuming: Not used: “customers cannot pay”.', 'pagerduty.oncall service=payments-api'],
  ],
  [
    'seeing lots of timeouts in search, who is on call for it',
    [
      'assuming: From “seeing lots of timeouts in search”, only search is used.',
      'pagerduty.oncall service=search',
    ],
  ],
  ['search is slow again. page the on-call', ['pagerduty.page service=search text="search is slow again"']],
  ['search is down, page payments-api', ['pagerduty.page service=payments-api text="search is down"']],
  ['search and payments-api are down. page the on-call', ['ask goal']],
  ['search is down because of payments-api. who is on call?', ['ask service']],
  [
    'the refund job failed again. create a P2 bug in PAY and tell #ops',
    [
      'create = jira.create priority=P2 type=bug project=PAY summary="the refund job failed again"',
      'slack.post channel=#ops text="{create.link}"',
    ],
  ],
  [
    'rollback is done. tell #ops that we are back',
    ['assuming: Not used: “rollback is done”.', 'slack.post channel=#ops text="we are back"'],
  ],
  [
    'the queue has 40 entries. tell #ops that we are back',
    ['assuming: Not used: “the queue has 40 entries”.', 'slack.post channel=#ops text="we are back"'],
  ],
  [
    'p95 went up at 9 and nobody answered. close PAY-5',
    [
      'assuming: Not used: “p95 went up at 9 and nobody answered”.',
      'jira.transition status=Closed key=PAY-5',
    ],
  ],
  ['payments-api is fine. page ops: the db is slow', ['ask goal']],
  [
    'ana is out. list the P1 tickets assigned to her in OPS',
    [
      'assuming: From “ana is out”, only @ana is used.',
      'jira.search priority=P1 project=OPS assignee=@ana status=open',
    ],
  ],
  ['ana and ben are out. list her tickets in OPS', ['ask assignee']],
  ['PAY: create a p2 "cart broken"', ['jira.create priority=P2 summary="cart broken" project=PAY']],
  [
    'PAY. page the on-call',
    ['pagerduty.page service=payments-api text="Please take a look at payments-api."'],
  ],
  [
    'customers cannot log in, twitter is full of it. page ops now',
    ['pagerduty.page service=ops text="customers cannot log in, twitter is full of it"'],
  ],
  [
    'card payments fail for everyone in spain since 02:30. open a p1 in PAY and page payments-api',
    [
      'jira.create priority=P1 project=PAY summary="card payments fail for everyone in spain since 02:30"',
      'pagerduty.page service=payments-api text="card payments fail for everyone in spain since 02:30"',
    ],
  ],
  [
    'standup in 5 min. which P1 are open in OPS?',
    ['assuming: Not used: “standup in 5 min”.', 'jira.search priority=P1 status=open project=OPS'],
  ],
  [
    'search is down\ncustomers are calling\npage ops',
    ['pagerduty.page service=ops text="search is down\\ncustomers are calling"'],
  ],
  ['page the on-call: payments-api is slow', ['ask service']],
  ['do not page payments-api. page the on-call', ['ask service']],
  ['the site is slow. page the on-call', ['pagerduty.page text="the site is slow" service=ops']],
  ['page status', ['ask service']],
  ['page the list', ['ask service']],
  ['page it', ['ask service']],
  [
    'page the on-call if PAY has more than 5 open P1',
    [
      'count = jira.count project=PAY status=open priority=P1',
      'when count.total > 5: pagerduty.page service=payments-api text="Open P1 tickets in PAY: {count.total}"',
    ],
  ],
  ['PAY-5 is stuck. page status and comment "on it" on PAY-5', ['ask service']],
  ['standup in 5 min. page ops', ['ask goal']],
  ['cancel the 4 am maintenance page and tell #ops', ['ask goal']],
  [
    'payments-api is down\npage the on-call',
    ['pagerduty.page service=payments-api text="payments-api is down"'],
  ],
  ['seeing NET-E-404 in search, what is it', ['ask goal']],
  ['search is down. payments-api is fine. page the on-call', ['ask service']],
  ['payments-api was paged twice since sunday, list those', ['ask goal']],
  ['hey team, search is down. can someone page ops?', ['pagerduty.page service=ops text="search is down"']],
  ['restart search, it is down', ['refuse no_tool']],
  ['deploy the branch that is green', ['refuse no_tool']],
  ['quick one before the handover: how many P1s are open in OPS?', ['ask goal']],
])('what was said before an order says what it is about, and is never dropped: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'if the SLA of PAY-88 is at risk tell #ops "soon"',
    ['sla = jira.sla key=PAY-88', 'when sla.state == "at_risk": slack.post channel=#ops text=soon'],
  ],
  [
    'if PAY-88 is within its SLA close it',
    ['sla = jira.sla key=PAY-88', 'when sla.state == "ok": jira.transition status=Closed key=PAY-88'],
  ],
  [
    'if PAY is within its SLA tell #ops "fine", otherwise page payments-api',
    [
      'sla = jira.sla project=PAY',
      'when sla.total == 0: slack.post channel=#ops text=fine',
      'when sla.total > 0: pagerduty.page service=payments-api text="{sla.lines}"',
    ],
  ],
  ['if the SLA of PAY-88 is ok close it', ['ask goal']],
])('a condition on an SLA is the state that was said: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});
test.each([
  [
    'page ops if 3 or more P1s in OPS are older than 2 hours',
    [
      'count = jira.count priority=P1 project=OPS status=open older_than=PT2H',
      'when count.total >= 3: pagerduty.page service=ops text="Open P1 tickets in OPS older than 2 hours: {count.total}"',
    ],
  ],
  [
    'page ops if there are 3 or more P1s in OPS unassigned for more than an hour',
    [
      'count = jira.count priority=P1 project=OPS assignee=unassigned status=open older_than=PT1H',
      'when count.total >= 3: pagerduty.page service=ops text="Open P1 tickets in OPS that nobody is assigned to older than 1 hour: {count.total}"',
    ],
  ],
  [
    'if fewer than 3 P1s in OPS are older than 2 hours tell #ops "calm"',
    [
      'count = jira.count priority=P1 project=OPS status=open older_than=PT2H',
      'when count.total < 3: slack.post channel=#ops text=calm',
    ],
  ],
  [
    'page ops if more than 3 P1s in OPS, or any of them older than 2 hours',
    [
      'count = jira.count priority=P1 project=OPS status=open',
      'count_2 = jira.count priority=P1 project=OPS status=open older_than=PT2H',
      'when count.total > 3 || count_2.total > 0: pagerduty.page service=ops text=["Open P1 tickets in OPS: ", {count.total}, "\\n", "Open P1 tickets in OPS older than 2 hours: ", {count_2.total}]',
    ],
  ],
])('“or more” belongs to its number, and an age says which are counted: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'list P1s in OPS, page ops only if one of them is older than 4 hours',
    [
      'jira.search priority=P1 project=OPS status=open',
      'search_2 = jira.search priority=P1 project=OPS status=open older_than=PT4H',
      'when search_2.total > 0: pagerduty.page service=ops text="Open P1 tickets in OPS older than 4 hours: {search_2.total}"',
    ],
  ],
  [
    'how many open P1s in OPS? page ops if more than 3 are older than 2h',
    [
      'jira.count status=open priority=P1 project=OPS',
      'count_2 = jira.count status=open priority=P1 project=OPS older_than=PT2H',
      'when count_2.total > 3: pagerduty.page service=ops text="Open P1 tickets in OPS older than 2 hours: {count_2.total}"',
    ],
  ],
])('what is listed stays whole when a condition asks for some of it: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'tell the on-call of ops to look at OPS-31',
    ['oncall = pagerduty.oncall service=ops', 'slack.post text="look at OPS-31" user={oncall.user}'],
  ],
  [
    "tell whoever's on call for ops that OPS-31 is stuck",
    ['oncall = pagerduty.oncall service=ops', 'slack.post text="OPS-31 is stuck" user={oncall.user}'],
  ],
  [
    'ask the ops on-call to check OPS-31',
    ['oncall = pagerduty.oncall service=ops', 'slack.post text="check OPS-31" user={oncall.user}'],
  ],
  [
    'tell the on-call of ops the disk is full',
    ['oncall = pagerduty.oncall service=ops', 'slack.post text="the disk is full" user={oncall.user}'],
  ],
  [
    'tell the on-call for ops about OPS-31',
    [
      'oncall = pagerduty.oncall service=ops',
      'get = jira.get key=OPS-31',
      'slack.post user={oncall.user} text="{get.lines}"',
    ],
  ],
  [
    'comment who is on call for ops on OPS-31',
    ['oncall = pagerduty.oncall service=ops', 'jira.comment key=OPS-31 text="{oncall.lines}"'],
  ],
])(
  'whoever is on call is told what is said to them, and nothing is written on a ticket: %s',
  async (goal, steps) => {
    expect(await notationOf(goal)).toEqual(steps);
  },
);

test.each([
  ['page ops saying OPS-31 still open', ['pagerduty.page service=ops text="OPS-31 still open"']],
  ['tell #ops OPS-31 is still open', ['slack.post channel=#ops text="OPS-31 is still open"']],
  [
    'post to #ops saying how many P1s are open in OPS',
    [
      'count = jira.count priority=P1 status=open project=OPS',
      'slack.post channel=#ops text="Open P1 tickets in OPS: {count.total}"',
    ],
  ],
])('words that are to be said are said, whatever ticket they name: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'page ops if OPS has more than 5 P1s, and payments-api if it has more than 10',
    [
      'count = jira.count project=OPS priority=P1 status=open',
      'when count.total > 5: pagerduty.page service=ops text="Open P1 tickets in OPS: {count.total}"',
      'when count.total > 10: page_2 = pagerduty.page service=payments-api text="Open P1 tickets in OPS: {count.total}"',
    ],
  ],
  [
    'tell #ops if OPS has a P1, and #status if it has more than 3',
    [
      'count = jira.count project=OPS priority=P1 status=open',
      'when count.total > 0: slack.post channel=#ops text="Open P1 tickets in OPS: {count.total}"',
      'when count.total > 3: post_2 = slack.post channel=#status text="Open P1 tickets in OPS: {count.total}"',
    ],
  ],
  [
    'page ops if OPS has more than 5 P1s and payments-api too',
    [
      'count = jira.count project=OPS priority=P1 status=open',
      'when count.total > 5: pagerduty.page service=ops text="Open P1 tickets in OPS: {count.total}"',
      'when count.total > 5: page_2 = pagerduty.page service=payments-api text="Open P1 tickets in OPS: {count.total}"',
    ],
  ],
  [
    'if OPS has P1s page ops, and tell #status if more than 3',
    [
      'count = jira.count project=OPS priority=P1 status=open',
      'when count.total > 0: pagerduty.page service=ops text="Open P1 tickets in OPS: {count.total}"',
      'when count.total > 0 && count.total > 3: slack.post channel=#status text="Open P1 tickets in OPS: {count.total}"',
    ],
  ],
  [
    'page ops if OPS has more than 5 P1s, else tell #ops if there are any P1s',
    [
      'count = jira.count project=OPS priority=P1 status=open',
      'when count.total > 5: pagerduty.page service=ops text="Open P1 tickets in OPS: {count.total}"',
      'when count.total <= 5 && count.total > 0: slack.post channel=#ops text="Open P1 tickets in OPS: {count.total}"',
    ],
  ],
  [
    'page ops if there are more than 5 P1s in OPS and tell #ops if there are any',
    [
      'count = jira.count priority=P1 project=OPS status=open',
      'when count.total > 5: pagerduty.page service=ops text="Open P1 tickets in OPS: {count.total}"',
      'when count.total > 0: slack.post channel=#ops text="Open P1 tickets in OPS: {count.total}"',
    ],
  ],
])('a verb that is not said again goes on, and each condition holds for its own: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'open P1s in OPS > 20 ? page ops : tell #ops all good',
    [
      'count = jira.count status=open priority=P1 project=OPS',
      'when count.total > 20: pagerduty.page service=ops text="Open P1 tickets in OPS: {count.total}"',
      'when count.total <= 20: slack.post channel=#ops text="all good"',
    ],
  ],
])('a question mark and a colon say what is done otherwise: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  ['last 5 incidents for ops', ['pagerduty.incidents limit=5 service=ops status=all']],
  ['newest incidents of ops', ['pagerduty.incidents order=newest service=ops status=all']],
  ['oldest incident of ops', ['pagerduty.incidents order=oldest service=ops status=open limit=1']],
])('the last incidents are over, or not: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});
test.each([
  [
    'open a P2 ticket in OPS: disk is full and assign it to ana',
    ['jira.create priority=P2 project=OPS summary="disk is full" assignee=@ana'],
  ],
  [
    'create a ticket in OPS: db-3 full, and announce it in #ops',
    ['create = jira.create project=OPS summary="db-3 full"', 'slack.post channel=#ops text="{create.link}"'],
  ],
  [
    'create a P2 in OPS: disk is filling up and tell #ops',
    [
      'create = jira.create priority=P2 project=OPS summary="disk is filling up"',
      'slack.post channel=#ops text="disk is filling up: {create.link}"',
    ],
  ],
])('what stands behind a text and says more of the order is no part of it: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([['are we over the P1 limit in PAY? if yes page payments-api', ['ask condition']]])(
  'nobody is paged because a limit was agreed on: %s',
  async (goal, steps) => {
    expect(await notationOf(goal)).toEqual(steps);
  },
);

test.each([
  [
    'tell #ops OPS-12 is done and close it',
    ['slack.post channel=#ops text="OPS-12 is done"', 'jira.transition status=Closed key=OPS-12'],
  ],
  [
    'tell #ops that OPS-12 is done and close it',
    ['slack.post channel=#ops text="OPS-12 is done"', 'jira.transition status=Closed key=OPS-12'],
  ],
  ['tell #ops that 5120 is fixed and resolve it', ['ask key']],
  ['ask @ana to check PAY-3 and close it', ['slack.post user=@ana text="check PAY-3 and close it"']],
  [
    'ask @ana to see if PAY-3 is done and close it',
    ['slack.post user=@ana text="see if PAY-3 is done and close it"'],
  ],
])('an order with “it” behind what is said is no part of it: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  ['tell #ops the db failover is finished', ['slack.post channel=#ops text="the db failover is finished"']],
  [
    'let #ops know the db migration is finished',
    ['slack.post channel=#ops text="the db migration is finished"'],
  ],
  ['tell #ops the splunk upgrade is done', ['slack.post channel=#ops text="the splunk upgrade is done"']],
])('what something is said of is no topic of a look-up: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'list tickets about db failover that are open',
    ['jira.search text="db failover" status=open project=OPS'],
  ],
  ['how many log entries about deadlock do we have for ops', ['logs.spl about=deadlock service=ops']],
])('what is said of a topic is no part of it: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'if OPS has more than 5 P1s tell #ops how many',
    [
      'count = jira.count project=OPS priority=P1 status=open',
      'when count.total > 5: slack.post channel=#ops text="Open P1 tickets in OPS: {count.total}"',
    ],
  ],
])('a part of a result is sent where its name is said: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'how many P2 bugs are open in PAY and how many were closed this week',
    [
      'jira.count priority=P2 type=bug status=open project=PAY',
      'count_2 = jira.count status=closed since="this week" priority=P2 type=bug project=PAY',
    ],
  ],
  [
    'show P1s in PAY older than 4h or without owner',
    [
      'jira.search priority=P1 project=PAY older_than=PT4H status=open',
      'search_2 = jira.search assignee=unassigned priority=P1 status=open project=PAY',
    ],
  ],
])('what goes on without saying so is of the same kind: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'who is on call for ops now and who is next',
    ['pagerduty.oncall service=ops', 'oncall_2 = pagerduty.oncall service=ops at=next'],
  ],
  [
    'who is on call for ops right now and who is on call for ops tomorrow',
    ['pagerduty.oncall service=ops', 'oncall_2 = pagerduty.oncall service=ops at=tomorrow'],
  ],
])('two times are two look-ups: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([['what breaches in PAY in the next 2 hrs', ['jira.sla project=PAY within=PT2H']]])(
  'what breaches soon has not yet: %s',
  async (goal, steps) => {
    expect(await notationOf(goal)).toEqual(steps);
  },
);

test.each([
  [
    'we had a deploy at 14:10. page ops: carts fail',
    ['assuming: Not used: “we had a deploy at 14:10”.', 'pagerduty.page service=ops text="carts fail"'],
  ],
  [
    'ben says the acquirer is back. resolve 5120',
    ['assuming: Not used: “ben says the acquirer is back”.', 'pagerduty.resolve incident=5120'],
  ],
  [
    'we had 40 errors yesterday. close PAY-12',
    ['assuming: Not used: “we had 40 errors yesterday”.', 'jira.transition status=Closed key=PAY-12'],
  ],
])('what is told before an order is no order: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'look up E123 and send @ana its runbook',
    [
      'errors.lookup code=E123',
      'search = runbook.search query=E123',
      'slack.post user=@ana text="{search.lines}"',
    ],
  ],
  [
    'if E123 shows up in the ops logs in the last hr send @ana the runbook for it',
    [
      'kql = logs.kql about=E123 service=ops window=PT1H',
      'search = runbook.search service=ops query=E123',
      'when kql.total > 0: slack.post user=@ana text="{search.lines}"',
    ],
  ],
])('nobody is what is looked for: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'tell #ops to watch checkout, and if OPS has over 5 P1s page ops',
    [
      'count = jira.count project=OPS priority=P1 status=open',
      'slack.post channel=#ops text="watch checkout"',
      'when count.total > 5: pagerduty.page service=ops text="Open P1 tickets in OPS: {count.total}"',
    ],
  ],
])('a condition with its own order ends what somebody is told: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'comment on PAY-4 "waiting for vendor", no need to notify anyone',
    ['jira.comment key=PAY-4 text="waiting for vendor"'],
  ],
  ['page ops, dont tell anyone', ['ask goal']],
])('nobody hears of it, and a ticket may still change: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([['P1s in PAY that are unassigned or older than 4h', ['ask goal']]])(
  'what else is listed narrows nothing: %s',
  async (goal, steps) => {
    expect(await notationOf(goal)).toEqual(steps);
  },
);

test.each([
  ['page payments, I mean ops: it is down', ['pagerduty.page service=ops text="it is down"']],
  ['page ops sorry payments: db is down', ['pagerduty.page service=payments-api text="db is down"']],
  ['page payments, I mean ops is down', ['pagerduty.page service=ops text="ops is down"']],
  [
    'page ops, sorry PAY tickets are piling up',
    ['pagerduty.page service=ops text="PAY tickets are piling up"'],
  ],
  ['tell ana, no, ben the db is back', ['slack.post user=@ben text="the db is back"']],
  ['post "up again" in #ops, I mean #status', ['slack.post text="up again" channel=#status']],
  ['how many P2, I mean P1, are open in PAY', ['jira.count priority=P1 status=open project=PAY']],
  [
    'create a P1 in PAY, make that P2: refunds slow',
    ['jira.create priority=P2 project=PAY summary="refunds slow"'],
  ],
  [
    'page ops if more than 10 P1s are open in OPS, no, 20',
    [
      'count = jira.count priority=P1 status=open project=OPS',
      'when count.total > 20: pagerduty.page service=ops text="Open P1 tickets in OPS: {count.total}"',
    ],
  ],
])('what is put right takes the place of what was said, wherever it stands: %s', async (goal, steps) => {
  const { answer } = await planner.plan(planningInput(goal, { catalogue }));
  const isCorrected = goal.includes('PAY tickets') || JSON.stringify(answer).includes('as corrected');
  expect([isCorrected, await notationOf(goal)]).toEqual([true, steps]);
});

test.each([
  [
    "open P2s in OPS above 50? then tell #status we're behind, else nothing",
    [
      'count = jira.count status=open priority=P2 project=OPS',
      'when count.total > 50: slack.post channel=#status text="we\'re behind"',
    ],
  ],
  [
    'if PAY-12 is open page payments, else nothing',
    [
      'get = jira.get key=PAY-12',
      'when get.done == false: pagerduty.page service=payments-api text="{get.lines}"',
    ],
  ],
  [
    "if more than 5 P1s open in PAY tell #ops PAY is burning, if not don't bother",
    [
      'count = jira.count priority=P1 status=open project=PAY',
      'when count.total > 5: slack.post channel=#ops text="PAY is burning"',
    ],
  ],
  ["page ops, no wait, don't", ['ask goal']],
])('nothing is done or said in the other case, and it is no part of a text: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'create a P1 in OPS "db-3 disk full" and page ops with the same text',
    [
      'jira.create priority=P1 project=OPS summary="db-3 disk full"',
      'pagerduty.page service=ops text="db-3 disk full"',
    ],
  ],
  [
    'post "db-3 disk full" in #ops and page ops saying the same',
    ['slack.post text="db-3 disk full" channel=#ops', 'pagerduty.page service=ops text="db-3 disk full"'],
  ],
])('what was said before is said again: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'Our CEO is angry. Page payments if PAY has more than 5 open P1s',
    [
      'assuming: Not used: “Our CEO is angry”.',
      'count = jira.count project=PAY status=open priority=P1',
      'when count.total > 5: pagerduty.page service=payments-api text="Open P1 tickets in PAY: {count.total}"',
    ],
  ],
  [
    'if there are open P1s in PAY post them in #ops',
    [
      'search = jira.search status=open priority=P1 project=PAY',
      'when search.total > 0: slack.post channel=#ops text="{search.lines}"',
    ],
  ],
  [
    'if search has more than 10 errors in splunk in the last hour page search',
    [
      'spl = logs.spl service=search about=errors window=PT1H',
      'when spl.total > 10: pagerduty.page service=search text=["errors", ": ", {spl.total}]',
    ],
  ],
])('under a condition people are told what was found: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  ['please give PAY-17 to ben', ['refuse no_tool']],
  ['page ops in 10 minutes: restart due', ['refuse no_tool']],
  ["don't page anybody. Resolve the ops incident", ['pagerduty.resolve incident=ops']],
  ['page ops (not payments): cart is down', ['pagerduty.page service=ops text="cart is down"']],
  ['list incidents of ops, not payments', ['ask goal']],
  [
    'show PAY-44 and comment on it "looking into it"',
    ['jira.get key=PAY-44', 'jira.comment text="looking into it" key=PAY-44'],
  ],
])('who it is for, when and what is ruled out is read as it was meant: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    "I'm handing over to ben in five. What's open and unassigned in OPS?",
    [
      "assuming: Not used: “I'm handing over to ben in five”.",
      'jira.search status=open assignee=unassigned project=OPS',
    ],
  ],
  [
    "I'm IC for the outage that started 03:10. Post to #status: we are on it",
    [
      "assuming: Not used: “I'm IC for the outage that started 03:10”.",
      'slack.post channel=#status text="we are on it"',
    ],
  ],
  [
    "hey bot, hope you're well :) could you post in #ops that the VPN is down",
    ["assuming: Not used: “hey bot, hope you're well :)”.", 'slack.post channel=#ops text="the VPN is down"'],
  ],
  [
    "We've had three customers complaining since lunch. Is there an open ticket in PAY about refunds?",
    [
      "assuming: Not used: “We've had three customers complaining since lunch”.",
      'jira.search status=open project=PAY text=refunds',
    ],
  ],
  ['ops needs paging. Show PAY-3', ['ask goal']],
])('news before a request asks for nothing, and is said not to be used: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  ['whos oncall for paymetns', ['pagerduty.oncall service=payments-api']],
  ['whats paging right now', ['pagerduty.incidents status=open']],
  ['acknowledge the payments incident pls, im on it', ['pagerduty.ack incident=payments-api']],
  ["tell #ops I'm on it", ['slack.post channel=#ops text="I\'m on it"']],
  [
    'create a P1 in PAY, title "Refunds stuck"',
    ['jira.create priority=P1 project=PAY summary="Refunds stuck"'],
  ],
])('what people type in a hurry is understood: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'count P3 in PAY, no wait, P2, and only the unassigned ones',
    ['jira.count priority=P2 project=PAY status=open assignee=unassigned'],
  ],
  ['Not the P3s. How many tickets are open in PAY?', ['ask condition']],
  ['Only unassigned ones please. List P2s in OPS', ['ask condition']],
  ['Nothing on weekends please. Every morning at 8 post PAY P1 count to #ops', ['ask goal']],
])('a limit narrows what was looked up before it, or is asked about: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'tell #status we have an outage, open a P1 in PAY and page payments-api',
    [
      'slack.post channel=#status text="we have an outage"',
      'jira.create priority=P1 project=PAY summary="we have an outage"',
      'pagerduty.page service=payments-api text="we have an outage"',
    ],
  ],
  [
    'post to #ops unless there are no open P1s: "please look at the P1 queue"',
    [
      'count = jira.count status=open priority=P1 project=OPS',
      'when count.total > 0: slack.post channel=#ops text="please look at the P1 queue"',
    ],
  ],
  [
    "post in #ops that we're rolling back search to 4.18",
    ['slack.post channel=#ops text="we\'re rolling back search to 4.18"'],
  ],
])('a text is all that is to be said, and no order: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  ['PAY-9 is stuck. Raise it to P1 and page payments-api', ['refuse no_tool']],
  ['if PAY-9 is still open in 30 minutes page ops', ['refuse no_tool']],
  ['page', ['ask service']],
  ["something's broken, help", ['ask goal']],
])('what cannot be done or was not said is no other plan: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  'page ops if open P1s in OPS are above it',
  'page ops when OPS P1 is over its limit and tell #ops either way',
])('no button has a condition without its comparison: %s', async (goal) => {
  const { answer } = await planner.plan(planningInput(goal, { catalogue }));
  expect(JSON.stringify(answer)).not.toContain('total > 0');
});

test('what has finished is no order to do it', async () => {
  expect(await notationOf('deploy finished. close PAY-12 and tell #ops it is live')).toEqual([
    'assuming: Not used: “deploy finished”.',
    'jira.transition status=Closed key=PAY-12',
    'slack.post channel=#ops text="it is live"',
  ]);
});

test.each([
  ['page payments, sorry, page ops: "db down"', ['pagerduty.page service=ops text="db down"']],
  [
    'page ops if more than 10 P1 are open, sorry, more than 20',
    [
      'count = jira.count priority=P1 status=open project=OPS',
      'when count.total > 20: pagerduty.page service=ops text="Open P1 tickets in OPS: {count.total}"',
    ],
  ],
])('a correction may say again what stood before it: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'page payments-api if there are over 5 open P1 in PAY or the SLA of any P1 in PAY is breached',
    [
      'count = jira.count status=open priority=P1 project=PAY',
      'sla = jira.sla priority=P1 project=PAY state=breached',
      'when count.total > 5 || sla.total > 0: pagerduty.page service=payments-api text=["Open P1 tickets in PAY: ", {count.total}, "\\n", "P1 tickets in PAY over their SLA: ", {sla.total}]',
    ],
  ],
  ['how many tickets did we close in OPS last week and how many came in?', ['ask goal']],
  [
    'which P1 in OPS are unassigned and older than 1 day',
    ['jira.search priority=P1 project=OPS assignee=unassigned older_than=P1D status=open'],
  ],
  [
    'list P1 in OPS open for more than 4 hours without anyone assigned',
    ['jira.search priority=P1 project=OPS older_than=PT4H assignee=unassigned status=open'],
  ],
])('two things that are asked are two, and one is one: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'was the incident on payments-api from last night resolved?',
    ['pagerduty.incidents service=payments-api since="last night" status=resolved'],
  ],
  [
    'if a P1 is open in OPS, post the P1 tickets to #ops',
    [
      'count = jira.count priority=P1 status=open project=OPS',
      'search = jira.search priority=P1 status=open project=OPS',
      'when count.total > 0: slack.post channel=#ops text="{search.lines}"',
    ],
  ],
  ['can you check if there was a deploy today and pull up the runbook', ['ask goal']],
])('“the …” is what it names, and no topic runs on into another order: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    '1) ack the ops incident 2) tell #ops we are on it',
    ['pagerduty.ack incident=ops', 'slack.post channel=#ops text="we are on it"'],
  ],
  [
    'count open P1 in PAY, if more than 3 page payments-api, post the number to #ops either way',
    [
      'count = jira.count status=open priority=P1 project=PAY',
      'when count.total > 3: pagerduty.page service=payments-api text="Open P1 tickets in PAY: {count.total}"',
      'slack.post channel=#ops text="Open P1 tickets in PAY: {count.total}"',
    ],
  ],
  ['tell #ops the sync moves to 10:30', ['slack.post channel=#ops text="the sync moves to 10:30"']],
])('lists with numbers, and what is done in any case: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'how many P1 in OPS? and in PAY?',
    [
      'jira.count priority=P1 project=OPS status=open',
      'count_2 = jira.count priority=P1 project=PAY status=open',
    ],
  ],
  [
    'who is on call for ops? and for payments?',
    ['pagerduty.oncall service=ops', 'oncall_2 = pagerduty.oncall service=payments-api'],
  ],
])('a second question that only names one more asks the same of it: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'move the newest P1 in PAY to In Progress',
    [
      'search = jira.search order=newest priority=P1 project=PAY limit=1 status=open',
      'jira.transition status="In Progress" key={search.first}',
    ],
  ],
  [
    'comment on the oldest open P1 in OPS: dupe of OPS-4, please close',
    [
      'search = jira.search order=oldest status=open priority=P1 project=OPS limit=1',
      'jira.comment text="dupe of OPS-4, please close" key={search.first}',
    ],
  ],
  [
    'add a note to the newest incident on ops saying the vendor is on it',
    [
      'incidents = pagerduty.incidents order=newest service=ops status=all limit=1',
      'pagerduty.note text="the vendor is on it" incident={incidents.first}',
    ],
  ],
  ['close the 3 oldest P4 tickets in PAY', ['ask goal']],
])('an order acts on the one thing that its words find: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  ['open an incident for ops: queue is stuck', ['pagerduty.page service=ops text="queue is stuck"']],
  ['page ops and say "database is full"', ['pagerduty.page service=ops text="database is full"']],
  [
    'ALERT: disk usage 95% on db-1. page ops',
    ['pagerduty.page service=ops text="ALERT: disk usage 95% on db-1"'],
  ],
  [
    '[FIRING:1] HighErrorRate (instance=web-3) can someone page ops with this',
    ['pagerduty.page service=ops text="[FIRING:1] HighErrorRate (instance=web-3)"'],
  ],
  [
    'FYI rolled back payments-api at 02:51. Please note that on the incident',
    ['pagerduty.note incident=payments-api text="rolled back payments-api at 02:51"'],
  ],
  ['escalate the ops incident to payments-api', ['refuse no_tool']],
  ['post in ops that the deploy is done', ['slack.post channel=#ops text="the deploy is done"']],
  ['are we about to breach any SLA in OPS? list those', ['jira.sla project=OPS state=at_risk']],
  ['how many P1 tickets are open in OPS? list them', ['jira.search priority=P1 status=open project=OPS']],
  ['list them', ['ask goal']],
  ['anything burning right now?', ['pagerduty.incidents status=open']],
])('what people type at night: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'move OPS-12 to in review and tell @ana',
    [
      'transition = jira.transition key=OPS-12 status="In Review"',
      'slack.post user=@ana text="The status of OPS-12: {transition.status}"',
    ],
  ],
  ['tell @ana and close OPS-1', ['ask text']],
])('whoever is told behind an order hears what came of it: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'hey, how many tickets are open in PAY? I have a meeting with the director in 5 min, thanks!',
    [
      'assuming: Not used: “I have a meeting with the director in 5 min”.',
      'jira.count status=open project=PAY',
    ],
  ],
  ['omg its down again, page ops pls', ['pagerduty.page service=ops text="its down again"']],
  [
    'We are going to have an audit next week so I need all PAY tickets that are open and older than 30 days',
    [
      'assuming: Not used: “We are going to have an audit next week”.',
      'jira.search project=PAY status=open older_than=P30D',
    ],
  ],
  [
    'not sure if this is a job for you but can you post in #ops that lunch is cancelled',
    [
      'assuming: Not used: “not sure if this is a job for you”.',
      'slack.post channel=#ops text="lunch is cancelled"',
    ],
  ],
  [
    'I am new here. show me who is on call for ops this week? Thank you very much :)',
    ['assuming: Not used: “I am new here”.', 'pagerduty.oncall service=ops at="this week"'],
  ],
  ['when you get a chance page ops: disk full', ['pagerduty.page service=ops text="disk full"']],
  // What limits an order, or asks for something, is never left out.
  ['page ops. Only during business hours.', ['ask goal']],
  ['list P1 in OPS, leave out what @ana owns', ['ask goal']],
  ['errors of ops in splunk, last 3 days; a short summary is enough', ['ask goal']],
  ['we should close PAY-3. page ops: done', ['ask goal']],
])('what is told beside a request is told on the answer: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'we have had three customers call about double charges, please open a PAY ticket "Charged twice"',
    ['ask goal'],
  ],
  [
    'if OPS has more than 5 P1, tell @ana to check it, else page ops',
    [
      'count = jira.count project=OPS priority=P1 status=open',
      'when count.total > 5: slack.post user=@ana text="check it"',
      'when count.total <= 5: pagerduty.page service=ops text="Open P1 tickets in OPS: {count.total}"',
    ],
  ],
  [
    'page ops, then comment on OPS-91 that they were paged',
    [
      'page = pagerduty.page service=ops text="Please take a look at ops."',
      'jira.comment key=OPS-91 text="they were paged"',
      'after: page',
    ],
  ],
  [
    'tell @ana that the failover starts at 22:00 and also post it in #ops',
    [
      'slack.post user=@ana text="the failover starts at 22:00"',
      'post_2 = slack.post channel=#ops text="the failover starts at 22:00"',
    ],
  ],
  ['resolve PD-1182', ['pagerduty.resolve incident=1182']],
  ['show me PAY-412 and what its SLA is', ['jira.get key=PAY-412', 'jira.sla key=PAY-412']],
  ['if errors with code E1042 are above 3 page ops', ['ask condition']],
])('nothing of it turns into something else: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'any open incident on ops? if so ack it, if not tell @ana all quiet',
    [
      'incidents = pagerduty.incidents status=open service=ops limit=1',
      'when incidents.total > 0: pagerduty.ack incident={incidents.first}',
      'when incidents.total == 0: slack.post user=@ana text="all quiet"',
    ],
  ],
  [
    'first ack 1182, second page ops with "need help", third post in #ops that we are on it',
    [
      'ack = pagerduty.ack incident=1182',
      'page = pagerduty.page service=ops text="need help"',
      'after: ack',
      'slack.post channel=#ops text="we are on it"',
      'after: page',
    ],
  ],
  [
    'pull the azure logs of ops for the last 20 min and summarise what you see',
    ['kql = logs.kql service=ops window=PT20M', 'llm.summarize input="{kql.lines}"'],
  ],
  [
    'fyi a release went out at 13:55. count open P1 in OPS',
    [
      'assuming: Not used: “fyi a release went out at 13:55”.',
      'jira.count status=open priority=P1 project=OPS',
    ],
  ],
  ['post the P1s in OPS to #ops at 17:00', ['refuse no_tool']],
  ['tell #ops we deploy at 17:00', ['slack.post channel=#ops text="we deploy at 17:00"']],
  [
    'ask @ana whether PAY-250 can be closed, and comment on it that we are waiting',
    [
      'slack.post user=@ana text="asking whether PAY-250 can be closed"',
      'jira.comment text="we are waiting" key=PAY-250',
    ],
  ],
])('several orders, and times that are told: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test('no button does what the rest of the request holds back', async () => {
  const goal = 'resolve 1182. but it should stay open until @ana confirms';
  const { answer } = await planner.plan(planningInput(goal, { catalogue }));
  expect(answer).toMatchObject({ kind: 'clarify', offers: [] });
});

test.each([
  ['what’s the status of #1182', ['pagerduty.get incident=1182']],
  ['tell me about incident 123', ['pagerduty.get incident=123']],
  ['has anyone acked #1182?', ['pagerduty.get incident=1182']],
  ['when was PD-12 opened', ['pagerduty.get incident=12']],
  ['show open incidents on search', ['pagerduty.incidents status=open service=search']],
  [
    'page ops if incident 1182 is still open',
    [
      'get = pagerduty.get incident=1182',
      'when get.state != "resolved": pagerduty.page service=ops text="The state of incident 1182: {get.state}"',
    ],
  ],
  // One that is over needs nobody.
  [
    'if #1182 isn’t acked, page ops',
    [
      'get = pagerduty.get incident=1182',
      'when get.state == "triggered": pagerduty.page service=ops text="{get.lines}"',
    ],
  ],
  [
    'ack #1182 if it is older than 10 minutes',
    ['get = pagerduty.get incident=1182', 'when get.age_minutes > 10: pagerduty.ack incident=1182'],
  ],
  ['pagerduty incident 1182 is fixed, resolve it', ['pagerduty.resolve incident=1182']],
  ['PD incident P9KD2: resolve', ['pagerduty.resolve incident=P9KD2']],
])('one incident is looked at: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'not sure if this is the right place, but could somebody from search be paged? we have 500s all over the endpoint',
    [
      'assuming: Not used: “not sure if this is the right place”.',
      'pagerduty.page service=search text="we have 500s all over the endpoint"',
    ],
  ],
])('what opens politely says nothing: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  ['tell someone that the deploy is late', ['ask channel']],
  [
    'WEB-77 goes back to To Do, add a comment that design isn’t ready',
    ['jira.transition key=WEB-77 status="To Do"', 'jira.comment text="design isn’t ready" key=WEB-77'],
  ],
  [
    'let @ana know that he has to run the nightly reconciliation himself',
    ['slack.post user=@ana text="he has to run the nightly reconciliation himself"'],
  ],
  [
    '[FIRING:1] HighErrorRate search prod 5xx=7.3% threshold=2% -- page whoever has it please',
    ['ask service'],
  ],
  ['if the SLA of PAY is ok tell #ops "fine"', ['ask goal']],
  ['before I page ops show me who is on call for ops', ['ask goal']],
  ['find out which error code is worst today', ['ask goal']],
])('what looks alike is not the same: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  ['incident 1182 is over. resolve it', ['pagerduty.resolve incident=1182']],
  [
    'resolve #1182 and move OPS-9 to Done; once both are through, announce "outage over" in #ops',
    [
      'resolve = pagerduty.resolve incident=1182',
      'transition = jira.transition key=OPS-9 status=Done',
      'slack.post text="outage over" channel=#ops',
      'after: resolve, transition',
    ],
  ],
  [
    'move OPS-9 to In Review first; once that’s through, post "awaits review" to #ops',
    [
      'transition = jira.transition key=OPS-9 status="In Review"',
      'slack.post text="awaits review" channel=#ops',
      'after: transition',
    ],
  ],
  [
    'page search, but not until OPS has at least 6 open P1 tickets',
    [
      'count = jira.count project=OPS status=open priority=P1',
      'when count.total >= 6: pagerduty.page service=search text="Open P1 tickets in OPS: {count.total}"',
    ],
  ],
  [
    'look up E-PAY-0907, find its runbook',
    ['errors.lookup code=E-PAY-0907', 'runbook.search query=E-PAY-0907'],
  ],
  ['search the runbooks for oom', ['runbook.search query=oom']],
])('one thing is done before or beside another: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  ['file the login issue as a bug in PAY', ['jira.create summary="login issue" type=bug project=PAY']],
  [
    'Customer says the site is down. File that as a P2 bug in PAY',
    ['jira.create priority=P2 type=bug project=PAY summary="Customer says the site is down"'],
  ],
  ['file that as a P2 bug in PAY', ['ask summary']],
])('what becomes a ticket: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  'splunk and azure logs for search last hour',
  'check azure and splunk for timeouts in search',
  'errors in splunk or azure for search',
])('one of two systems is asked about: %s', async (goal) => {
  expect(await notationOf(goal)).toEqual(['ask goal']);
});

test.each([
  [
    'if there are P1s in OPS page ops, if there are none do nothing',
    [
      'count = jira.count priority=P1 project=OPS status=open',
      'when count.total > 0: pagerduty.page service=ops text="Open P1 tickets in OPS: {count.total}"',
    ],
  ],
  [
    'count P1 in OPS and page ops, if there are none, do nothing',
    [
      'count = jira.count priority=P1 project=OPS status=open',
      'when count.total > 0: pagerduty.page service=ops text="Open P1 tickets in OPS: {count.total}"',
    ],
  ],
  [
    'more than one P1 open in OPS? page ops',
    [
      'count = jira.count priority=P1 status=open project=OPS',
      'when count.total > 1: pagerduty.page service=ops text="Open P1 tickets in OPS: {count.total}"',
    ],
  ],
  [
    'if OPS-9 moved to Done tell #ops',
    ['get = jira.get key=OPS-9', 'when get.status == "Done": slack.post channel=#ops text="{get.lines}"'],
  ],
])('when something is done: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  ['status of 1182?', ['pagerduty.get incident=1182']],
  ['who took #1182?', ['pagerduty.get incident=1182']],
  ['my boss wants to know who is on call for ops', ['pagerduty.oncall service=ops']],
])('who asks, and how, makes no difference: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'comment on OPS-9 that more than 50 users are affected',
    ['jira.comment key=OPS-9 text="more than 50 users are affected"'],
  ],
  [
    'tell #ops that OPS-9 is not done yet and page ops: the queue is stuck',
    [
      'slack.post channel=#ops text="OPS-9 is not done yet"',
      'pagerduty.page service=ops text="the queue is stuck"',
    ],
  ],
  [
    'tell #ops: rollback done, all good. OPS-8 -> Done',
    ['slack.post channel=#ops text="rollback done, all good"', 'jira.transition key=OPS-8 status=Done'],
  ],
  ['let #ops know but don’t DM ben', ['ask text']],
])('what is passed on ends where it ends: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  ['you can resolve #1182. Leave a note there first: bank confirmed fix', ['ask goal']],
  [
    'page ops: lag 340s, and climbing (threshold 60s)',
    ['pagerduty.page service=ops text="lag 340s, and climbing (threshold 60s)"'],
  ],
  [
    'PROBLEM: lag 340s (threshold 60s) — page ops',
    ['pagerduty.page service=ops text="PROBLEM: lag 340s (threshold 60s)"'],
  ],
  [
    'resolve #1182 and tell #status payments are back to normal',
    ['pagerduty.resolve incident=1182', 'slack.post channel=#status text="payments are back to normal"'],
  ],
  ['page search please and say "double declines"', ['pagerduty.page service=search text="double declines"']],
  ['page ops and say the db is down', ['pagerduty.page service=ops text="the db is down"']],
  ['page ops and tell them to check db-7', ['pagerduty.page service=ops text="check db-7"']],
  [
    'count open incidents and tell #ops',
    [
      'incidents = pagerduty.incidents status=open',
      'slack.post channel=#ops text="Open PagerDuty incidents: {incidents.total}"',
    ],
  ],
  ['if no incident is open post "all quiet" to #ops, else list them there', ['ask goal']],
  ['ugh search is slow, can you get me the splunk logs from the last 20 min', ['ask goal']],
])('what is said is said as it was: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  ['list tickets in PAY about login with label legacy', ['jira.search project=PAY text=login label=legacy']],
  [
    'list bugs in PAY about login nobody is assigned to',
    ['jira.search type=bug project=PAY text=login assignee=unassigned'],
  ],
])('a topic ends where another filter begins: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test('a watch whose buttons would have nothing to say offers none', async () => {
  const { answer } = await planner.plan(
    planningInput('ticket in OPS: vpn drops every 40 min', { catalogue }),
  );
  expect(answer).toMatchObject({
    question: 'Could you say it another way?',
    options: [],
  });
});

test.each([
  ['tell #status we know', ['slack.post channel=#status text="we know"']],
  ['close #1204', ['pagerduty.resolve incident=1204']],
  [
    'unless the search incident is already resolved, page search: still slow',
    [
      'incidents = pagerduty.incidents service=search status=open',
      'when incidents.total > 0: pagerduty.page service=search text="still slow"',
    ],
  ],
  [
    'count open PAY tickets and open OPS tickets',
    ['jira.count status=open project=PAY', 'count_2 = jira.count status=open project=OPS'],
  ],
  [
    'if there are open P1s in OPS but no open incident on search, page search: look at this',
    [
      'count = jira.count status=open priority=P1 project=OPS',
      'incidents = pagerduty.incidents status=open service=search',
      'when count.total > 0 && incidents.total == 0: pagerduty.page service=search text="look at this"',
    ],
  ],
  ['which tickets did ana open this week', ['ask goal']],
  ['"ERROR payments-api E4012 upstream declined (attempt 3/3)" what is that code', ['ask goal']],
])('what was read as something else: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    '[FIRING:1] HighErrorRate search prod p95=4.2s -- can u check the splunk logs for timeouts',
    [
      'assuming: From “[FIRING:1] HighErrorRate search prod p95=4.2s”, only search is used.',
      'logs.spl about=timeouts service=search',
    ],
  ],
  [
    '[PagerDuty] #1207 TRIGGERED search: p99 latency > 4s. ack it and put a note: probably the deploy',
    [
      'assuming: From “[PagerDuty] #1207 TRIGGERED search: p99 latency > 4s”, only 1207 is used.',
      'pagerduty.ack incident=1207',
      'pagerduty.note text="probably the deploy" incident=1207',
    ],
  ],
  [
    'ALERT search 5xx > 3% (threshold 1%) for 10m. if there are more than 3 open P1s in OPS page search',
    [
      'assuming: From “ALERT search 5xx > 3% (threshold 1%) for 10m”, only search is used.',
      'count = jira.count status=open priority=P1 project=OPS',
      'when count.total > 3: pagerduty.page service=search text="Open P1 tickets in OPS: {count.total}"',
    ],
  ],
  ['tell @ana she should look at PAY-12', ['slack.post user=@ana text="she should look at PAY-12"']],
  ['is 1182 still open', ['pagerduty.get incident=1182']],
  [
    'page ops unless 1182 is acked',
    [
      'get = pagerduty.get incident=1182',
      'when get.state != "acknowledged": pagerduty.page service=ops text="The state of incident 1182: {get.state}"',
    ],
  ],
  [
    `who's on call for search and tell them nothing - just post the name in #ops`,
    ['oncall = pagerduty.oncall service=search', 'slack.post channel=#ops text="{oncall.lines}"'],
  ],
  ['summarise #1182 for the managers and send it to #ops', ['ask goal']],
  [
    'watch search incidents every 20 minutes, if any is triggered and unacked page ops',
    [
      'watch: every 20m',
      'pagerduty.incidents service=search status=open',
      'incidents_2 = pagerduty.incidents service=search status=triggered',
      'when incidents_2.total > 0: pagerduty.page service=ops text="{incidents_2.lines}"',
    ],
  ],
  [
    'count open P1 in OPS. if above 30 in the last 15 min page ops',
    [
      'jira.count status=open priority=P1 project=OPS',
      'count_2 = jira.count status=open priority=P1 project=OPS window=PT15M',
      'when count_2.total > 30: pagerduty.page service=ops text="Open P1 tickets in OPS created in the last 15 minutes: {count_2.total}"',
    ],
  ],
  [
    'check every 15 min whether #1182 is resolved and tell @ana when it is',
    [
      'watch: every 15m',
      'get = pagerduty.get incident=1182',
      'when get.state == "resolved": slack.post user=@ana text="{get.lines}"',
    ],
  ],
  ['count open P1s in OPS and tell @ana nothing', ['jira.count status=open priority=P1 project=OPS']],
  ['tail of splunk for search, last 20 min', ['logs.spl service=search window=PT20M']],
  [
    `is it ok if you tell #ops that I'm taking the db replica down? ta`,
    [`slack.post channel=#ops text="I'm taking the db replica down"`],
  ],
  [
    'no rush. when u can list the tickets in OPS that nobody touched for a week',
    ['jira.search project=OPS not_updated_for=P7D status=open'],
  ],
  [
    `since we're about to demo, pls post in #ops "no deploys until 4pm"`,
    [
      `assuming: Not used: “since we're about to demo”.`,
      'slack.post channel=#ops text="no deploys until 4pm"',
    ],
  ],
  ['ack 1182 im in the car', ['assuming: Not used: “im in the car”.', 'pagerduty.ack incident=1182']],
  [
    'Dear bot, kindly inform @ana that the invoice export is ready for review. Best regards, Ben',
    ['slack.post user=@ana text="the invoice export is ready for review"'],
  ],
  [
    'Our friends in finance complain again about double charges, so please make a PAY ticket called double charges on retry',
    [
      'assuming: Not used: “Our friends in finance complain again about double charges”.',
      'jira.create project=PAY summary="double charges on retry"',
    ],
  ],
  [
    `no idea if it's us or them, but look at the splunk logs for search around the last 10 mins`,
    ["assuming: Not used: “no idea if it's us or them”.", 'logs.spl service=search window=PT10M'],
  ],
  [
    'for the postmortem I need the timeline of #1182',
    ['assuming: Not used: “for the postmortem”.', 'pagerduty.get incident=1182'],
  ],
  [
    `every 20 minutes look at the open P1s in OPS and post them to #ops if there are more than 40, I'm stuck in meetings`,
    [
      'watch: every 20m',
      `assuming: Not used: “I'm stuck in meetings”.`,
      'count = jira.count status=open priority=P1 project=OPS',
      'when count.total > 40: slack.post channel=#ops text="Open P1 tickets in OPS: {count.total}"',
    ],
  ],
  [
    'page search and write in #ops that I did',
    [
      'pagerduty.page service=search text="Please take a look at search."',
      'slack.post channel=#ops text="I did"',
    ],
  ],
  [
    'count open P1s in OPS; 0 -> tell @ana "clean day", otherwise send @ana the list',
    [
      'search = jira.search status=open priority=P1 project=OPS',
      'when search.total == 0: slack.post user=@ana text="clean day"',
      'when search.total > 0: post_2 = slack.post user=@ana text="{search.lines}"',
    ],
  ],
  [
    'customer says it is slow again. comment that on PAY-12',
    ['jira.comment key=PAY-12 text="customer says it is slow again"'],
  ],
  [
    'send @ana the current list of open incidents',
    ['incidents = pagerduty.incidents status=open', 'slack.post user=@ana text="{incidents.lines}"'],
  ],
  ['show me the tickets ben reported in PAY', ['refuse no_tool']],
  ['OPS backlog size?', ['jira.count project=OPS status=open']],
  [
    'create a PAY ticket for the broken address form, with priority P2',
    ['jira.create project=PAY summary="broken address form" priority=P2'],
  ],
  ['list critical bugs in OPS', ['jira.search priority=P1 type=bug project=OPS status=open']],
  [
    `as we agreed with the vendor we don't touch anything till they call, so only write to #ops "hands off"`,
    [
      `assuming: Not used: “as we agreed with the vendor we don't touch anything till they call”.`,
      'slack.post channel=#ops text="hands off"',
    ],
  ],
  ['since the deploy, how many P1s in OPS', ['ask goal']],
  ['mark #1182 as acked', ['pagerduty.ack incident=1182']],
  [
    `I've got the search incident, mark it as acked`,
    [
      'incidents = pagerduty.incidents service=search status=open limit=1',
      'pagerduty.ack incident={incidents.first}',
    ],
  ],
  [
    'stick "tried a restart, no luck" on incident 1182',
    ['pagerduty.note text="tried a restart, no luck" incident=1182'],
  ],
  ['say on OPS-3 that the disk got swapped', ['jira.comment key=OPS-3 text="the disk got swapped"']],
  [
    'put a ticket in OPS: old dashboards need a cleanup',
    ['jira.create project=OPS summary="old dashboards need a cleanup"'],
  ],
  [
    'more than 3 open incidents? page ops',
    [
      'incidents = pagerduty.incidents status=open',
      'when incidents.total > 3: pagerduty.page service=ops text="Open PagerDuty incidents: {incidents.total}"',
    ],
  ],
  [
    `watch the search incident every 5 minutes and tell me once it's resolved`,
    ['watch: every 5m', 'pagerduty.incidents service=search status=open', 'success: incidents.total > 0'],
  ],
  [
    'every 10 minutes tell me how many P1s are open in OPS',
    ['watch: every 10m', 'jira.count priority=P1 status=open project=OPS'],
  ],
  [
    'every 30 min until I stop you, post the number of open incidents to #ops',
    [
      'watch: every 30m',
      'incidents = pagerduty.incidents status=open',
      'slack.post channel=#ops text="Open PagerDuty incidents: {incidents.total}"',
    ],
  ],
  [
    'if nobody has acked 1182 yet, page ops',
    [
      'get = pagerduty.get incident=1182',
      'when get.state == "triggered": pagerduty.page service=ops text="{get.lines}"',
    ],
  ],
  ['resolve the search one', ['pagerduty.resolve incident=search']],
  [
    'kindly inform @ana that the invoice job has finished, best regards',
    ['slack.post user=@ana text="the invoice job has finished"'],
  ],
  [
    `PagerDuty ALERT: #1182 search p99 latency > 4s (triggered 02:13 UTC). pls ack it, i'm awake`,
    [
      'assuming: From “PagerDuty ALERT: #1182 search p99 latency > 4s (triggered 02:13 UTC)”, only 1182 is used.',
      `assuming: Not used: “i'm awake”.`,
      'pagerduty.ack incident=1182',
    ],
  ],
  ['page someone from search, db is down', ['pagerduty.page service=search text="db is down"']],
  [
    `it's a false alarm, the probe was misconfigured, so go ahead and resolve 1182 and say that in #ops`,
    [
      'pagerduty.resolve incident=1182',
      `slack.post channel=#ops text="it's a false alarm, the probe was misconfigured"`,
    ],
  ],
  [
    'check if OPS-9 is still open and if it is, comment "any progress here?"',
    ['get = jira.get key=OPS-9', 'when get.done == false: jira.comment text="any progress here?" key=OPS-9'],
  ],
  [
    `more than 3 open incidents? then tell #ops we're in firefighting mode, if not just tell me`,
    [
      'incidents = pagerduty.incidents status=open',
      `when incidents.total > 3: slack.post channel=#ops text="we're in firefighting mode"`,
    ],
  ],
  ['let @ana know #1182 is mine', ['slack.post user=@ana text="#1182 is mine"']],
  [
    'post "triage" to #ops if PAY has more than 15 open tickets, otherwise post "no triage"',
    [
      'count = jira.count project=PAY status=open',
      'when count.total > 15: slack.post text=triage channel=#ops',
      'when count.total <= 15: post_2 = slack.post text="no triage" channel=#ops',
    ],
  ],
  ['add that as a note on #1182: rolled back', ['pagerduty.note incident=1182 text="rolled back"']],
  [
    '#ops should know the vpn will be down tonight',
    ['slack.post channel=#ops text="the vpn will be down tonight"'],
  ],
  ['tell @ana instead that the demo is up', ['slack.post user=@ana text="the demo is up"']],
  [
    'I am new here - could you show me where the runbook for search is?',
    ['assuming: Not used: “I am new here”.', 'runbook.search service=search'],
  ],
  [
    'move OPS-9 to Done, the disk has been replaced yesterday',
    ['assuming: Not used: “the disk has been replaced yesterday”.', 'jira.transition key=OPS-9 status=Done'],
  ],
  [
    'we are bleeding orders!!! page search NOW and tell #ops we know',
    ['pagerduty.page service=search text="we are bleeding orders"', 'slack.post channel=#ops text="we know"'],
  ],
  ['who do I call about search, ok?', ['pagerduty.oncall service=search']],
  ['get me the person on call for ops, thanks', ['pagerduty.oncall service=ops']],
  [
    `since we're about to demo, runbook for search?`,
    [`assuming: Not used: “since we're about to demo”.`, 'runbook.search service=search'],
  ],
  [
    'check every 15 min whether #1182 is resolved and tell @ana when it is please',
    [
      'watch: every 15m',
      'get = pagerduty.get incident=1182',
      'when get.state == "resolved": slack.post user=@ana text="{get.lines}"',
    ],
  ],
  [
    `since we're about to demo, ack #1182, page search with "need a hand", and let #ops know`,
    [
      `assuming: Not used: “since we're about to demo”.`,
      'pagerduty.ack incident=1182',
      'pagerduty.page service=search text="need a hand"',
      'slack.post channel=#ops text="need a hand"',
    ],
  ],
  [
    `if there are over 20 open P1s in OPS page ops, else just tell @ana we're fine`,
    [
      'count = jira.count status=open priority=P1 project=OPS',
      'when count.total > 20: pagerduty.page service=ops text="Open P1 tickets in OPS: {count.total}"',
      `when count.total <= 20: slack.post user=@ana text="we're fine"`,
    ],
  ],
  [
    'no need to page unless OPS has more than 20 open P1s, check that for me; if it has, page ops',
    [
      'search = jira.search project=OPS status=open priority=P1',
      'when search.total > 20: pagerduty.page service=ops text="Open P1 tickets in OPS: {search.total}"',
    ],
  ],
])('what people type around a request: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  ['not now. page ops', ['ask goal']],
  ['not yet. close OPS-3', ['ask goal']],
  ['never. page ops', ['ask goal']],
  ['not urgent at all. page ops', ['ask goal']],
  [
    'Not urgent at all, but whenever you have a sec: open a ticket in OPS for the typo on the receipt page',
    ['ask goal'],
  ],
  ['page ops: disk at 80%. not that urgent', ['pagerduty.page service=ops text="disk at 80%" urgency=low']],
  [
    'page ops, not urgent at all',
    ['pagerduty.page service=ops urgency=low text="Please take a look at ops."'],
  ],
])('a “not” is never talk: %s', async (goal, steps) => {
  expect(await notationOf(goal)).toEqual(steps);
});

test.each([
  [
    'create a high priority bug in PAY: refunds fail',
    'I don’t know any priority called “high”. Which one do you mean?',
    ['Create a P1 bug in PAY', 'Create a P2 bug in PAY', 'Create a P3 bug in PAY'],
  ],
  [
    'OPS ticket: vpn drops in Berlin',
    'Is this what it should say?',
    [
      'Create a ticket in OPS: “vpn drops in Berlin”',
      'List open tickets in OPS',
      'Count open tickets in OPS',
    ],
  ],
  [
    'carts again lol, if there are more than 5 open P1s in OPS can you pls page ops',
    'I didn’t understand “carts again lol”. Did you mean this? If not, please say it another way.',
    ['Page the on-call of ops if there are more than 5 open P1 tickets in OPS'],
  ],
])('what nobody could know is one click away: %s', async (goal, question, options) => {
  const { answer } = await planner.plan(planningInput(goal, { catalogue }));
  expect(answer).toMatchObject({ question, options });
});
