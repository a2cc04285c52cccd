import { expect, test } from 'vitest';
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
  ['make it low urgency', 'service=ops text="Open P1 tickets in PAY: {count.total}" urgency=low'],
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
  ['post the P1 list to #status as well', 'search = jira.search priority=P1 status=open project=PAY'],
  ['say "too many"', 'service=ops text="too many"'],
])(
  'a change goes where the plan has its like, and texts made of the plan follow: %s',
  async (words, expected) => {
    expect(await planAfter(paging, words)).toContain(expected);
  },
);

test.each([
  ['make it nicer', '“nicer”'],
  ['make it so', 'What should be changed?'],
  ['PAY-12', '“PAY-12”'],
  ['include P2', 'Should P1 and P2 count together'],
  ['lgtm', 'press Approve'],
  ['instead of paging payments-api tell #status', '“instead of paging payments-api”'],
  ['page @ana', 'not @ana by name'],
  ['drop the page', 'Nothing would be left'],
])(
  'words that no step takes are asked about, and nothing is done in their place: %s',
  async (words, expected) => {
    expect(await planAfter(paging, words)).toContain(expected);
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
  expect(first.plan.assumptions).toEqual(['Project OPS, because none was named.']);
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
