import { expect, test } from 'vitest';
import { parse } from '../../../src/core/notation/parse.ts';
import { print } from '../../../src/core/notation/print.ts';
import { createOfflinePlanner } from '../../../src/plan/offline/planner.ts';
import { planningInput, testCatalogue } from '../../support/planning.ts';

const planner = createOfflinePlanner({ playbooks: [] });
const catalogue = testCatalogue({
  defaults: { project: 'OPS', priority: 'P1', service: 'ops', channel: 'ops' },
});

/** Each step after a change as `tool target if condition`; `ask` where the change is asked about. */
async function after(goal: string, words: string): Promise<string[]> {
  const first = (await planner.plan(planningInput(goal, { catalogue }))).answer;
  if (first.kind !== 'plan') throw new Error(`${goal}: ${JSON.stringify(first)}`);
  const { answer } = await planner.plan(
    planningInput(goal, { catalogue, change: { plan: first.plan, words } }),
  );
  if (answer.kind !== 'plan') return ['ask'];
  return answer.plan.steps.map(({ tool, args, when }) => {
    const aim = args.channel ?? args.user ?? args.key ?? args.service ?? args.project ?? '';
    return [tool, aim, when === undefined ? '' : `if ${when}`].filter(Boolean).join(' ');
  });
}

test('a change replaces what it names, and asks where it could mean several things', async () => {
  const two = 'close PAY-12 and OPS-3';
  expect(await after(two, 'without OPS-3')).toEqual(['jira.transition PAY-12']);
  expect(await after(two, 'PAY-13 instead of PAY-12')).toEqual([
    'jira.transition PAY-13',
    'jira.transition OPS-3',
  ]);
  expect(await after(two, 'PAY-13')).toEqual(['ask']);
  const pages = 'page ops and payments-api about the disks';
  expect(await after(pages, 'not ops')).toEqual(['pagerduty.page payments-api']);
  expect(await after(pages, 'only ops')).toEqual(['pagerduty.page ops']);
});

/** The plan after a change, in notation without its header; the question where it is asked about. */
async function planAfter(goal: string, words: string): Promise<string> {
  const first = (await planner.plan(planningInput(goal, { catalogue }))).answer;
  if (first.kind !== 'plan') throw new Error(`${goal}: ${JSON.stringify(first)}`);
  const { answer } = await planner.plan(
    planningInput(goal, { catalogue, change: { plan: first.plan, words } }),
  );
  if (answer.kind !== 'plan') return answer.kind === 'clarify' ? answer.question : answer.explanation;
  const lines = print(answer.plan, catalogue.manifests).split('\n');
  return lines
    .filter((line) => !/^(?:goal|summary|assuming|default|input|\s+why):?|^$/u.test(line))
    .join('; ');
}

const paging = 'if PAY has more than 5 open P1s page ops';
const counted = 'count = jira.count project=PAY status=open priority=P1; ';

test.each([
  ['use P2', 'when count.total > 5: pagerduty.page service=ops text="Open P2 tickets in PAY: {count.total}"'],
  ['only bugs', 'text="Open P1 bug tickets in PAY: {count.total}"'],
  [
    'make it low urgency',
    'pagerduty.page service=ops urgency=low text="Open P1 tickets in PAY: {count.total}"',
  ],
  ['raise the threshold to 9', 'when count.total > 9: '],
  [
    'use the sla instead of 5',
    'threshold = sla.threshold project=PAY priority=P1; when count.total > threshold.max_open: ',
  ],
  [
    'when over the sla',
    'threshold = sla.threshold project=PAY priority=P1; when count.total > threshold.max_open: ',
  ],
  ['unless there is an open incident on ops', 'when count.total > 5 && incidents.total == 0: '],
  ['without the P1', 'count = jira.count project=PAY status=open; '],
  ['remove the condition', `${counted}pagerduty.page service=ops`],
  ['only page if more than 8', 'when count.total > 8: pagerduty.page service=ops'],
  ['page regardless', `${counted}pagerduty.page service=ops`],
  [
    'make a ticket instead of paging',
    'when count.total > 5: jira.create project=PAY summary="Open P1 tickets in PAY',
  ],
  ["don't page, just post in #status", `${counted}when count.total > 5: slack.post channel=#status text=`],
  ['post it to #status instead', `${counted}when count.total > 5: slack.post channel=#status text=`],
  ['tell ana too', 'when count.total > 5: slack.post user=@ana text="Open P1 tickets in PAY: {count.total}"'],
  ['notify ana instead of ops', `${counted}when count.total > 5: slack.post user=@ana`],
  ['not P1 but P2', 'project=PAY status=open priority=P2'],
  ['post the P1 list to #status as well', 'search = jira.search priority=P1 project=PAY status=open'],
  ['say "too many"', 'service=ops text="too many"'],
])(
  'a change goes where the plan has its like, and texts made of the plan follow: %s',
  async (words, expected) => {
    expect(await planAfter(paging, words)).toContain(expected);
  },
);

test.each([
  ['make it nicer', '“nicer”'],
  ['make it so', 'What should I change?'],
  ['PAY-12', '“PAY-12”'],
  ['include P2', 'Should P1 and P2 count together'],
  ['lgtm', 'press Approve'],
  ['instead of paging payments-api tell #status', '“instead of paging payments-api”'],
  ['page @ana', 'not @ana by name'],
  ['drop the page', 'That would leave nothing'],
])(
  'words that no step takes are asked about, and nothing is done in their place: %s',
  async (words, expected) => {
    expect(await planAfter(paging, words)).toContain(expected);
  },
);

test.each(['service: ops -> payments', 'change the service to payments', 'service payments, not ops'])(
  'where the kind of a name is said, nothing else of that name moves: %s',
  async (words) => {
    expect(await after('if OPS has more than 5 open P1s page ops', words)).toEqual([
      'jira.count OPS',
      'pagerduty.page payments-api if count.total > 5',
    ]);
    expect(await after('if OPS has more than 5 open P1s page ops', 'project PAY')).toEqual([
      'jira.count PAY',
      'pagerduty.page ops if count.total > 5',
    ]);
  },
);

test('a service that came with its project goes with it; one that was named stays', async () => {
  expect(
    await planAfter('if OPS has more than 5 open P1s page on-call', 'wrong project, i meant PAY'),
  ).toContain('service=payments-api text="Open P1 tickets in PAY');
  expect(await planAfter('if OPS has more than 5 open P1s page ops', 'use PAY')).toContain('service=ops');
});

test('a condition may be added or made narrower', async () => {
  expect(await planAfter('page ops', 'only if there are more than 3 open P1s in PAY')).toBe(
    'count = jira.count status=open priority=P1 project=PAY; when count.total > 3: pagerduty.page service=ops text="Open P1 tickets in PAY: {count.total}"',
  );
  expect(
    await planAfter('count open P1s in OPS and post to #ops', 'only if there are more than 10'),
  ).toContain('when count.total > 10: slack.post');
  expect(await planAfter('if OPS-3 is breached page ops', 'only if it is at risk')).toContain(
    'when sla.state == "at_risk"',
  );
});

test('what comes beside something is told beside it', async () => {
  expect(await planAfter('count open P1s in OPS and post to #ops', 'and P2s')).toContain(
    'text=["Open P1 tickets in OPS: ", {count.total}, "\\n", "Open P2 tickets in OPS: ", {count_2.total}]',
  );
  expect(await after('close PAY-3', 'PAY-4 too')).toEqual(['jira.transition PAY-3', 'jira.transition PAY-4']);
});

test('a ticket is changed as it is created', async () => {
  const goal = 'create a bug in PAY "refund fails"';
  for (const [words, expected] of [
    ['assign it to ana', 'assignee=@ana'],
    ['change the title to "refunds fail"', 'summary="refunds fail"'],
    ["it's a task not a bug", 'type=task'],
  ] as const)
    expect(await planAfter(goal, words)).toContain(expected);
});

test('a priority and a channel are replaced where they stand', async () => {
  const goal = 'count open P1s in PAY and post the number to #status';
  expect(await after(goal, 'use P2 and post to #ops instead')).toEqual(['jira.count PAY', 'slack.post #ops']);
  expect(await after(goal, 'send it to ana')).toEqual(['jira.count PAY', 'slack.post @ana']);
});

test('a guess that a change took back is on the card no longer', async () => {
  const goal = 'how many open P1s';
  const first = (await planner.plan(planningInput(goal, { catalogue }))).answer;
  if (first.kind !== 'plan') throw new Error('a plan');
  expect(first.plan.assumptions).toEqual(['No project was named, so I used OPS.']);
  const change = { plan: first.plan, words: 'PAY instead' };
  expect((await planner.plan(planningInput(goal, { catalogue, change }))).answer).toMatchObject({
    plan: { assumptions: [], steps: [{ args: { project: 'PAY' } }] },
  });
});

test('a new bound is the one that was said; only the other branch turns with it', async () => {
  const goal = 'page ops if PAY has more than 5 open P1s, otherwise post "all good" to #status';
  expect(await after(goal, 'fewer than 3')).toEqual([
    'jira.count PAY',
    'pagerduty.page ops if count.total < 3',
    'slack.post #status if count.total >= 3',
  ]);
  const few = 'page ops if PAY has fewer than 5 open P1s';
  expect(await after(few, '10')).toEqual(['jira.count PAY', 'pagerduty.page ops if count.total < 10']);
  expect(await after(few, 'make it 8')).toEqual(['jira.count PAY', 'pagerduty.page ops if count.total < 8']);
});

test('steps are added under the condition of the others, and left out by their tool', async () => {
  const goal = 'page ops if PAY has more than 5 open P1s';
  expect(await after(goal, 'also page payments-api')).toEqual([
    'jira.count PAY',
    'pagerduty.page ops if count.total > 5',
    'pagerduty.page payments-api if count.total > 5',
  ]);
  const both = 'page ops about the cart and tell #status that the cart is down';
  expect(await after(both, 'drop the page')).toEqual(['slack.post #status']);
});

test.each([
  [paging, 'P1 -> P2', 'priority=P2; '],
  [paging, 'between 5 and 10', 'when count.total >= 5 && count.total <= 10: '],
  [paging, 'otherwise post "all good" to #status', 'when count.total <= 5: slack.post'],
  [paging, 'if it is over 8 tell ana too', 'when count.total > 8: slack.post user=@ana'],
  [
    'count open P1s in PAY and post the number to #status',
    'and page payments-api if it is over 20',
    'slack.post channel=#status text="Open P1 tickets in PAY: {count.total}"; when count.total > 20: pagerduty.page',
  ],
  ['compare open P1s in PAY with the SLA and page ops if over', 'use 5 instead of the sla', 'total > 5: '],
  ['if any P1 in PAY is older than 4 hours page ops', 'make it 2 hours', 'older_than=PT2H'],
  ['list open tickets in PAY', 'without P4', 'priority_not=P4'],
  ['count open P1s in PAY and post the number to #status', 'post it to #ops instead of #status', '=#ops'],
])(
  'a change goes on with its plan as a request with what it said before: %s ~ %s',
  async (goal, words, expected) => {
    expect(await planAfter(goal, words)).toContain(expected);
  },
);

test.each([
  ['and if it is over 20 also page payments-api', '“over 20”'],
  ['more than 5 P1 or more than 20 P2', '“or more than 20 P2”'],
  ['stop', 'press Approve'],
])('what is said of one of several is asked about: %s', async (words, expected) => {
  expect(await planAfter(paging, words)).toContain(expected);
});

test('another act than those of the plan is another order, whatever its words mean for them', async () => {
  const goal = 'ack incident 42 and tell #status that we are on it';
  expect(await after(goal, 'and page payments-api')).toContain('pagerduty.page payments-api');
  expect(
    await after(paging, 'page payments-api if it is more than 20, otherwise post "fine" to #status'),
  ).toEqual([
    'jira.count PAY',
    'pagerduty.page payments-api if count.total > 20',
    'slack.post #status if count.total <= 20',
  ]);
});

test('only another act takes the place of the one that was planned', async () => {
  expect(await planAfter('resolve incident 42', 'just ack it')).toBe('pagerduty.ack incident=42');
});

/** How sure the planner is that a reply to nobody in particular changes the plan; 0 where it changes nothing. */
async function sureOf(words: string): Promise<number> {
  const first = (await planner.plan(planningInput(paging, { catalogue }))).answer;
  if (first.kind !== 'plan') throw new Error('a plan');
  const input = planningInput(paging, { catalogue, change: { plan: first.plan, words } });
  const { answer, confidence } = await planner.plan(input);
  return answer.kind === 'plan' ? confidence : 0;
}

test.each([
  'use P2 and post to #ops instead',
  'threshold 15',
  'ok, make it P2 please',
  'hmm, actually only if more than 3',
  'can you use P2?',
  'could we please post it in #ops instead?',
  "don't page, post to #ops",
  'also tell @ana',
  'P2 instead',
  'P2',
  '> 15',
  '#status instead',
  'only bugs',
  'not P1 but P2',
  'with low urgency please',
])('an order to the plan is surely a change: %s', async (words) => {
  expect(await sureOf(words)).toBeGreaterThan(0.85);
});

test.each([
  'ok',
  'ben is on it',
  'i changed my mind',
  'PAY is always like this on mondays',
  'hmm, why P2?',
  'is PAY affected, too?',
  'shall we page payments-api instead?',
  'who is on call for payments-api?',
  '@ana can you approve?',
  '@ana please look',
  'PAY has the same issue',
  'payments-api is also slow',
  'I saw two P2s as well',
  'P1 is correct',
  'posted in #status',
  'used P2 last time',
  'can you see PAY?',
  'we use P2 here',
  'new P2 in PAY',
  'more than 10 by now',
  'thanks ben',
  'someone should page payments-api',
  'use P2 and page payments-api. '.repeat(20),
])('talk between people changes no plan: %s', async (words) => {
  expect(await sureOf(words)).toBeLessThan(0.85);
});

test('a plan that was typed keeps what is not said anew, and what cannot be changed in words is asked about', async () => {
  const change = async (typed: string, words: string) => {
    const { plan } = parse(typed, catalogue.manifests);
    if (plan === null) throw new Error('no plan');
    const { answer } = await planner.plan(planningInput(typed, { catalogue, change: { plan, words } }));
    if (answer.kind !== 'plan') return answer.kind === 'clarify' ? answer.question : answer.explanation;
    return print(answer.plan, catalogue.manifests);
  };
  const busy = [
    'p = jira.count project=PAY priority=P1 status=open',
    'o = jira.count project=OPS priority=P1 status=open',
    'when (p.total > 5 || o.total > 3) && p.total < 90: b = pagerduty.page service=ops text="busy"',
    'slack.post channel=#ops text="{p.total} and {b.incident}"',
  ].join('\n');
  expect(await change(busy, 'page payments-api')).toContain(
    'when (p.total > 5 || o.total > 3) && p.total < 90: b = pagerduty.page service=payments-api',
  );
  expect(await change(busy, 'only if there is an open incident on ops')).toContain(
    'I don’t know what to do with “if',
  );
  expect(await change(busy, 'otherwise post "ok" to #status')).toContain('I don’t know what to do with');
  expect(await change(busy, "don't page")).toContain('uses a result of what would go');
});

/** A request, what is said of its plan, and the request that would have said both at once. */
const said: readonly (readonly [string, readonly string[], string])[] = [
  [
    'if there are more than 5 open P1s in OPS page ops',
    ['change P1 to P2', 'P2 instead of P1', 'it should be P2'],
    'if there are more than 5 open P2s in OPS page ops',
  ],
  [
    'if there are more than 5 open P1s in OPS page ops',
    ['change 5 to 10', '10 instead of 5', 'raise it to 10'],
    'if there are more than 10 open P1s in OPS page ops',
  ],
  [
    'if there are more than 5 open P1s in OPS page ops',
    ['make it at least 5', '5 or more'],
    'if there are at least 5 open P1s in OPS page ops',
  ],
  [
    'if there are more than 5 open P1s in OPS page ops',
    ['PAY instead of OPS', 'count PAY not OPS', 'change the project to PAY'],
    'if there are more than 5 open P1s in PAY page ops',
  ],
  [
    'if there are more than 5 open P1s in OPS page ops',
    ['page search instead of ops', 'page search, not ops', 'page search instead'],
    'if there are more than 5 open P1s in OPS page search',
  ],
  [
    'count open P1 in OPS and post it to #ops',
    ['don’t post it', 'without the post', 'drop the post'],
    'count open P1 in OPS',
  ],
  [
    'create a P2 ticket in PAY "card errors" and post it to #ops',
    ['call it "card declines"', 'title "card declines"', 'the title should be "card declines"'],
    'create a P2 ticket in PAY "card declines" and post it to #ops',
  ],
  [
    'create a P2 ticket in PAY "card errors" and post it to #ops',
    ['assign it to ana'],
    'create a P2 ticket in PAY "card errors" assigned to ana and post it to #ops',
  ],
  [
    'ack #1182 and tell ben "on it"',
    ['resolve it instead', 'resolve, not ack'],
    'resolve #1182 and tell ben "on it"',
  ],
];

/** Steps and their arguments in any order. */
function settled(plan: string): string[] {
  const inOrder = (args: string): string =>
    ` ${args
      .trim()
      .split(/ (?=\w+=)/u)
      .sort()
      .join(' ')}`;
  return plan
    .split('; ')
    .map((step) => step.replace(/ (?:\w+=(?:"[^"]*"|\S+) ?)+/gu, inOrder))
    .sort();
}

test.each(said.flatMap(([goal, changes, like]) => changes.map((words) => [goal, words, like] as const)))(
  'a change makes the plan of the request that says both: %s ~ %s',
  async (goal, words, like) => {
    const { answer } = await planner.plan(planningInput(like, { catalogue }));
    if (answer.kind !== 'plan') throw new Error(like);
    const steps = print(answer.plan, catalogue.manifests)
      .split('\n')
      .filter((line) => !/^(?:goal|summary|assuming|default|input|\s+why):?|^$/u.test(line))
      .join('; ');
    expect(settled(await planAfter(goal, words))).toEqual(settled(steps));
  },
);

test('nobody is written to in the place of a channel unless that is said', async () => {
  const goal = 'create a P2 ticket in PAY "card errors" and post it to #ops';
  expect(await after(goal, 'ana should own it')).toEqual(['ask']);
});
