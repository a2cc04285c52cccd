/** Why: a reply below a card names the card's own steps and texts, and says what becomes of them; talk changes nothing. */
import { expect, test } from 'vitest';
import type { Plan } from '../../src/core/plan.ts';
import { tipsFor } from '../../src/plan/replies/tips.ts';
import { everydayPlanner as planner } from '../support/everyday.ts';
import { planningInput, testCatalogue } from '../support/planning.ts';

async function planned(
  goal: string,
  change: { plan: Plan; words: string } | null = null,
): Promise<Plan | null> {
  const { answer, confidence } = await planner.plan(planningInput(goal, { change }));
  return answer.kind === 'plan' && confidence > 0.85 ? answer.plan : null;
}

async function acts(goal: string, words: string): Promise<string[] | null> {
  const plan = await planned(goal);
  if (plan === null) throw new Error(`no plan for ${goal}`);
  const changed = await planned(goal, { plan, words });
  const line = ({ tool, args, when = '' }: Plan['steps'][number]) =>
    `${tool} ${args.service ?? args.project ?? args.channel} ${args.text ?? args.summary ?? args.priority} ${when}`.trim();
  return changed === null ? null : changed.steps.map(line);
}

const three = ['ops', 'search', 'payments-api']
  .map((service) => `pagerduty.page service=${service} text="region gone"`)
  .join('\n');
const [ops, search, payments] = ['ops', 'search', 'payments-api'].map(
  (service) => `pagerduty.page ${service} region gone`,
) as [string, string, string];

test.each([
  ['drop payments', [ops, search]],
  ['without payments and ops', [search]],
  ['leave payments out', [ops, search]],
  ['skip the search page, rest is fine', [ops, payments]],
  ['only ops', [ops]],
  ['nur ops', [ops]],
  ['we dont need search', [ops, payments]],
])('leaves steps out of three pages: %s', async (words, left) => {
  expect(await acts(three, words)).toEqual(left);
});

test.each([
  'why not payments?',
  'not payments again...',
  'we did not page payments',
  'drop ops and search and payments',
  'not payments, ops',
])('leaves no step out where that was not said: %s', async (words) => {
  expect(await acts(three, words)).toBeNull();
});

const page = 'page ops: db1 disk full';
const paged = 'pagerduty.page ops db1 disk full';

test.each([
  ['also open a ticket', [paged, 'jira.create OPS db1 disk full']],
  ['+ ticket', [paged, 'jira.create OPS db1 disk full']],
  ['add payments', [paged, 'pagerduty.page payments-api db1 disk full']],
  ['and tell #status too', [paged, 'slack.post #status db1 disk full']],
  ["don't page, only tell #status", ['slack.post #status db1 disk full']],
  ['text: disk of db1 full', ['pagerduty.page ops disk of db1 full']],
  ['change the text to db1 is dead', ['pagerduty.page ops db1 is dead']],
  ['add: since 02:10', ['pagerduty.page ops db1 disk full. since 02:10']],
  ['db2, not db1', ['pagerduty.page ops db2 disk full']],
  ['disk slow not full', ['pagerduty.page ops db1 disk slow']],
  ['s/full/slow/', ['pagerduty.page ops db1 disk slow']],
])('a page gets more steps or another text: %s', async (words, after) => {
  expect(await acts(page, words)).toEqual(after);
});

test.each(['the text is fine', 'I’d have opened a ticket but ok', 'not again', 'and who is ana'])(
  'talk gives a page nothing: %s',
  async (words) => {
    expect(await acts(page, words)).toBeNull();
  },
);

test('a step that is added is due when the ones before it are, and says the same', async () => {
  const [count, ...due] = (await acts(counted, 'also open a ticket')) ?? [];
  expect(count).toBe('jira.count OPS P1');
  expect(due).toEqual([
    expect.stringMatching(/^pagerduty.page .* count.total > 20$/),
    expect.stringMatching(/^jira.create .* count.total > 20$/),
  ]);
});

const counted = 'if OPS has more than 20 open P1 tickets, page ops';
const first = ['jira.count OPS P1', expect.stringMatching(/^pagerduty.page ops .* count.total > 20$/)];

test.each([
  [
    'also tell #ops if PAY has more than 3 open P1 tickets',
    'jira.count PAY P1',
    / PAY: ,\S+ \S+ count_2.total > 3$/,
  ],
  [
    'and page payments-api when PAY has at least 4 open P1s',
    'jira.count PAY P1',
    / PAY: ,\S+ \S+ count_2.total >= 4$/,
  ],
])(
  'a step that is added with a condition of its own leaves the others theirs: %s',
  async (words, read, due) => {
    expect(await acts(counted, words)).toEqual([...first, read, expect.stringMatching(due)]);
  },
);

test.each(['also tell #ops either way', 'and tell #ops no matter what', 'tell #ops too, in any case'])(
  'a step that is added in any case does not wait for the condition of the others: %s',
  async (words) => {
    expect(await acts(counted, words)).toEqual([...first, expect.stringMatching(/^slack.post #ops [^>]*$/)]);
  },
);

test.each(['otherwise tell #ops', 'and otherwise tell #ops', 'if not, tell #ops'])(
  'a step for the other case is due when the others are not: %s',
  async (words) => {
    const due = 'slack.post #ops Open P1 tickets in OPS: ,[object Object] !(count.total > 20)';
    expect(await acts(counted, words)).toEqual([...first, due]);
    expect(await acts(page, words)).toBeNull();
  },
);

test('a text says nothing of when it is due', async () => {
  const said = await acts(counted, 'also tell #ops: checkout always fails');
  expect(said).toEqual([...first, 'slack.post #ops checkout always fails count.total > 20']);
});

test.each(['also tell #ops while search has open incidents', 'also tell #ops if they agree'])(
  'a step whose own condition cannot be read is not added under another one: %s',
  async (words) => {
    expect(await acts(counted, words)).toBeNull();
  },
);

test.each([
  [page, 'also page search and open a ticket in OPS', ['pagerduty.page search', 'jira.create OPS']],
  [counted, 'make it 25, open a ticket in OPS and tell #status', ['jira.create OPS', 'slack.post #status']],
  [counted, 'use P2 and page payments', ['pagerduty.page payments-api']],
])('no order of a reply is lost among others: %s – %s', async (goal, words, ordered) => {
  const plan = await planned(goal);
  const { answer } = await planner.plan(planningInput(goal, { change: plan && { plan, words } }));
  const steps = answer.kind === 'plan' ? answer.plan.steps : null;
  const done = steps?.map(({ tool, args }) => `${tool} ${args.service ?? args.project ?? args.channel}`);
  expect(done ?? ordered).toEqual(expect.arrayContaining(ordered));
});

test('without its condition a step is due in any case, and what only that looked at is not looked up', async () => {
  const plan = await planned('if OPS has more than 20 open P1 tickets, page search: disk full');
  if (plan === null) throw new Error('no plan');
  const changed = await planned('', { plan, words: 'drop the condition' });
  expect(changed?.steps.map(({ tool, when }) => [tool, when])).toEqual([['pagerduty.page', undefined]]);
});

test('a step whose result another one sends is not left out alone', async () => {
  const plan = await planned(
    'create = jira.create project=OPS summary="db1 is down"\nslack.post channel=#status text={create.key}',
  );
  if (plan === null) throw new Error('no plan');
  const words = 'no ticket';
  expect(await planned('', { plan, words })).toBeNull();
});

test.each([
  [three, ['drop payments-api', 'text: …']],
  ['if OPS has more than 20 open P1 tickets, page ops', ['threshold 25', 'use P2', 'payments-api instead']],
  ['open a P2 ticket in OPS: db1 is down', ['use P1', 'text: …']],
  [
    'pagerduty.page service=ops text="x"\njira.create project=OPS summary="x"',
    ['without the ticket', 'payments-api instead', 'text: …'],
  ],
])('the replies that are suggested below a card change it: %s', async (goal, tips) => {
  const plan = await planned(goal);
  if (plan === null) throw new Error(`no plan for ${goal}`);
  expect(tipsFor(plan, testCatalogue())).toEqual(tips);
  for (const tip of tips) {
    const changed = await planned(goal, { plan, words: tip.replace('…', 'disk full') });
    expect(changed?.steps, tip).not.toEqual(plan.steps);
    expect(changed, tip).not.toBeNull();
  }
});
