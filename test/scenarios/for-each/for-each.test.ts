/** Why: a write for each entry of a list is approved target by target, and what is read later adds none. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { configWith, finish, rows, until } from '../../support/scenario.ts';
import { actionsOf, type Message, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start({ config: configWith({ rules: [{ approvers: ['U0ANA'] }] }) });
});
afterEach(() => workspace.sandbox.faults.clear());
afterAll(() => finish(workspace));

const store = () => workspace.sandbox.jira.store;

function ticket(label: string): string {
  return store().create({ project: 'OPS', summary: 'Disk full', labels: [label], reporter: store().bot }).key;
}

const commentsOn = (key: string): number =>
  store()
    .find(key)
    .comments.filter(({ properties }) => properties.length > 0).length;

const commentEach = (label: string, text = 'Please look at {item}.') =>
  `late = jira.search project=OPS label=${label} status=open; for each late.keys as item: jira.comment key={item} text="${text}"`;

async function edited(card: Message, values: Readonly<Record<string, { v: string }>>): Promise<void> {
  await workspace.click('ben', card, 'plan.edit');
  const { id: viewId } = await workspace.modal('ben');
  const { fieldErrors } = await workspace.sandbox.slack.submitView({ as: 'ben', viewId, values });
  expect(fieldErrors).toBeUndefined();
}

test('the card names each target, each gets a write of its own, and a new one gets none', async () => {
  const keys = [ticket('each-a'), ticket('each-a'), ticket('each-a')];
  await workspace.plan('ben', commentEach('each-a'));
  const card = await workspace.card(/Comment on each of the open tickets in OPS labelled each-a/);
  for (const key of keys) expect(wordsOf(card)).toContain(`Please look at ${key}.`);
  expect(wordsOf(card).match(/3 open tickets in OPS labelled each-a/g)).toHaveLength(1);
  const late = ticket('each-a');
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  expect(keys.map(commentsOn)).toEqual([1, 1, 1]);
  expect(commentsOn(late)).toBe(0);
  const writes = await rows(workspace, "select step_id, state from writes where tool = 'jira.comment'");
  expect(writes).toHaveLength(3);
});

test('a target that has left the list is skipped with the reason, and the others are written', async () => {
  const [kept = '', closed = ''] = [ticket('each-b'), ticket('each-b')];
  await workspace.plan('ben', commentEach('each-b'));
  const card = await workspace.card(new RegExp(`Please look at ${closed}`));
  store().find(closed).status = 'Done';
  await workspace.click('ana', card, 'plan.approve');
  const done = wordsOf(await workspace.reply(card, /^Done/));
  expect(done).toContain(`${closed} is not among the open tickets in OPS labelled each-b`);
  expect([commentsOn(kept), commentsOn(closed)]).toEqual([1, 0]);
});

test('more targets than ten are refused, with their number and how to narrow them', async () => {
  for (let count = 0; count < 11; count += 1) ticket('each-c');
  await workspace.plan('ben', commentEach('each-c'));
  await workspace.whisper(
    'ben',
    /11 is too many: one plan writes to at most 10 .*limit=10 takes the first 10/,
  );
  await workspace.plan('ben', commentEach('each-c').replace('label', 'limit=2 label'));
  const card = await workspace.card(/2 of 11 open tickets in OPS labelled each-c/);
  expect(wordsOf(card).match(/If approved:/g)).toHaveLength(2);
});

test('without an entry nothing is written, and without the list there is no card', async () => {
  await workspace.plan('ben', commentEach('each-none'));
  const answer = await workspace.card(/0 open tickets in OPS labelled each-none/);
  expect(wordsOf(answer)).toContain('Nothing is written: there is nothing in the open tickets');
  expect(actionsOf(answer.blocks)).not.toContain('plan.approve');
  const path = '/rest/api/3/search/jql';
  workspace.sandbox.faults.add({ vendor: 'jira', match: { path }, kind: 'status', status: 403 });
  ticket('each-d');
  await workspace.plan('ben', commentEach('each-d'));
  await workspace.whisper(
    'ben',
    /the open tickets in OPS labelled each-d could not be listed: .*Nothing was done/i,
  );
});

test('a change of the list lists the targets anew; another change keeps them', async () => {
  const [first, other] = [ticket('each-e'), ticket('each-f')];
  await workspace.plan('ben', commentEach('each-e'));
  const card = await workspace.card(new RegExp(`Please look at ${first}`));
  await edited(card, { 'arg:late:label': { v: 'each-f' } });
  const second = await workspace.card(/Revision 2 /);
  expect(wordsOf(second)).toContain(`Please look at ${other}`);
  ticket('each-f');
  await edited(second, { 'arg:comment:text': { v: 'Is it done?' } });
  const third = await workspace.card(/Revision 3 /);
  expect(wordsOf(third).match(/If approved:/g)).toHaveLength(1);
});

test('a watch is quiet while its list is empty, and lists the targets when it shows a card', async () => {
  const plan = `watch: every 10m; ${commentEach('each-w')}`;
  await workspace.plan('ben', plan);
  const made = await workspace.card(/Watching/);
  expect(wordsOf(made)).toContain('Comment on each of the open tickets in OPS labelled each-w');
  await until(
    async () => (await rows(workspace, 'select 1 from watches where looked_at is not null')).length > 0,
  );
  const [{ found } = {}] = await rows(workspace, 'select found from watches');
  expect(found).toBe('0 open tickets in OPS labelled each-w');
  const key = ticket('each-w');
  await rows(workspace, 'update watches set next_at = now()');
  const card = await workspace.card(new RegExp(`Please look at ${key}`));
  expect(actionsOf(card.blocks)).toContain('plan.approve');
});

test('the same words another day are about the entries of that day', async () => {
  const words = 'comment "Any news?" on every P4 ticket in PAY';
  const other = () =>
    store().create({ project: 'PAY', summary: 'Slow', priority: 'P4', reporter: store().bot }).key;
  const first = other();
  await workspace.plan('ben', words);
  const card = await workspace.card(new RegExp(`omments on ${first}`));
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  store().find(first).status = 'Done';
  const second = other();
  await workspace.plan('ben', words);
  const again = await workspace.card(new RegExp(`omments on ${second}`));
  expect(wordsOf(again)).not.toContain(`omments on ${first}`);
});
