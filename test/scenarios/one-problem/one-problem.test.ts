/** Why: at night five people ask for the same. One problem has one card, one thread, and one run per service at a time. */
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockText } from '../../support/block-text.ts';
import { configWith, finish, known, rows } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

const plan =
  'n = jira.count project=OPS priority=P1 status=open\nwhen n.total > 20: pagerduty.page service=ops text="{n.total} open"';
const cards = () => workspace.messages().filter((m) => m.isBot && !m.threadTs && !m.ephemeralFor);

let workspace: Workspace;
beforeAll(async () => {
  const rules = [{ approvers: ['U0ANA', 'U0CHIARA'], four_eyes: true }];
  workspace = await Workspace.start({ config: configWith({ rules }) });
});
afterAll(() => finish(workspace));

test('a repeated request leads to the pending card and joins its requesters', async () => {
  await workspace.plan('ben', plan);
  const card = await workspace.card('more than 20.');
  await known(workspace, card);
  await workspace.plan('dev', plan.replace('n.total}', 'n.total}'));
  const word = await workspace.whisper('dev', 'This is already waiting for approval.');
  expect(wordsOf(word)).toContain('You have been added to the people who asked.');
  expect(JSON.stringify(word.blocks)).toContain(`/p${card.ts.replace('.', '')}`);
  const updated = await workspace.becomes(card, 'asked 2 times');
  expect(blockText(updated.blocks)).toMatch(/@U0BEN asked, @U0DEV asked for the same/);
  expect(cards()).toHaveLength(1);
});

test('a burst of equal requests is one card with a count', async () => {
  const [card] = cards();
  if (card === undefined) throw new Error('there is no card');
  await Promise.all(['dev', 'eva', 'dev', 'eva', 'dev', 'eva'].map((as) => workspace.plan(as, plan)));
  await workspace.becomes(card, 'asked 8 times');
  expect(cards()).toHaveLength(1);
  expect(await rows(workspace, 'select request_id from revisions')).toHaveLength(1);
  const states = await rows(workspace, 'select distinct state from requests where joined is not null');
  expect(states).toEqual([{ state: 'closed' }]);
});

test('a person who asks again is led to the card without being added twice', async () => {
  const [card] = cards();
  for (const as of ['ben', 'dev']) {
    await workspace.plan(as, plan);
    const word = await workspace.whisper(as, /waiting for approval.*You have already asked for it/s);
    expect(JSON.stringify(word.blocks)).toContain(`/p${card?.ts.replace('.', '')}`);
  }
});

test('simultaneous requests make one card', async () => {
  const other = plan.replace('> 20', '> 21');
  await Promise.all(['ben', 'dev', 'eva', 'ben'].map((as) => workspace.plan(as, other)));
  const card = await workspace.card('more than 21.');
  const updated = await workspace.becomes(card, 'asked 4 times');
  expect(cards()).toHaveLength(2);
  // The second card's approver sees that the first is pending.
  expect(blockText(updated.blocks)).toMatch(
    /Also waiting for ops: .*Page the on-call of ops if there are more than 20 open P1 tickets/,
  );
  const [first] = cards();
  expect(JSON.stringify(updated.blocks)).toContain(`/p${first?.ts.replace('.', '')}`);
});

test('under four eyes, an approver who asks for a pending plan is led to it and can still approve', async () => {
  await workspace.plan('chiara', plan);
  const word = await workspace.whisper('chiara', 'You may approve it there.');
  expect(JSON.stringify(word.blocks)).toContain(`/p${cards()[0]?.ts.replace('.', '')}`);
  await workspace.plan('chiara', 'mine');
  const mine = wordsOf(await workspace.whisper('chiara', 'Your plans'));
  expect(mine).not.toContain('Nothing waits for your approval');
});

test('a second plan for a service waits until the first has run', async () => {
  const { faults, journal } = workspace.sandbox;
  const [first, second] = [/more than 20\./, /more than 21\./].map((words) =>
    cards().find((m) => words.test(wordsOf(m))),
  );
  if (first === undefined || second === undefined) throw new Error('the cards are not there');
  const slow = faults.add({ vendor: 'jira', kind: 'delay' });
  const before = journal.list({ vendor: 'jira' }).length;
  await workspace.click('ana', first, 'plan.approve');
  await workspace.until(() => journal.list({ vendor: 'jira' }).length > before, 'the first run');
  await workspace.click('ana', second, 'plan.approve');
  await workspace.whisper(
    'ana',
    /running for the same service\s*:.*more than 20 open P1 tickets in OPS\s*\. One at a time/,
  );
  faults.remove(slow);
  await workspace.reply(first, /^Done/);
  await workspace.becomes(first, 'finished');
  await workspace.click('ana', second, 'plan.approve');
  await workspace.reply(second, /^Done/);
  // Both are about one breach: the second is a note on the incident of the first.
  expect(workspace.pages()).toMatchObject([{ triggers: 1, notes: [{ user: 'PANA01' }] }]);
});

test('a finished plan can be requested again', async () => {
  await workspace.plan('dev', plan);
  await workspace.until(() => cards().length === 3, 'a third card');
});

test('a card made under old rules blocks nothing: asking again makes one that can be approved', async () => {
  const [, , old] = cards();
  if (old === undefined) throw new Error('there is no third card');
  const rules = [{ approvers: ['U0ANA', 'U0CHIARA'], four_eyes: false }];
  await workspace.bot.stop();
  await writeFile(workspace.env.COUNTERSIGN_CONFIG ?? '', configWith({ rules }));
  workspace.bot = await workspace.startAnother();
  workspace.resolvePages();
  await workspace.plan('ana', plan);
  await workspace.until(() => cards().length === 4, 'a fourth card');
  const closed = await workspace.becomes(old, 'Cancelled');
  expect(wordsOf(closed)).toContain('Changed since this card was made: who may approve it.');
  const open = await workspace.card('more than 20.');
  await workspace.click('ana', open, 'plan.approve');
  await workspace.reply(open, /^Done/);
  expect(workspace.pages()).toHaveLength(2);
});

test('a plan edited to leave a service no longer counts as one for it; several are counted in one line', async () => {
  const page = (text: string) => `pagerduty.page service=checkout text="${text}"`;
  await workspace.plan('ben', page('payments fail'));
  const card = await workspace.card('payments fail');
  await workspace.click('dev', card, 'plan.edit');
  const { id: viewId } = await workspace.modal('dev');
  const values = {
    plan_text: { v: 'jira.create project=OPS summary="payments fail" type=Task priority=P2' },
  };
  await workspace.sandbox.slack.submitView({ as: 'dev', viewId, values });
  await workspace.card('Changed:');

  await workspace.plan('ben', page('carts are empty'));
  expect(wordsOf(await workspace.card('carts are empty'))).not.toContain('Another plan');
  await workspace.plan('ben', page('prices are missing'));
  expect(wordsOf(await workspace.card('prices are missing'))).toMatch(
    /Also waiting for checkout|Already running for checkout/,
  );
  await workspace.plan('ben', page('coupons are refused'));
  expect(wordsOf(await workspace.card('coupons are refused'))).toMatch(
    /2 other plans for checkout\s+were waiting or running when this was posted, and only one runs at a time:/,
  );
});
