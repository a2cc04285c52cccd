/** Why: a threshold is edited by hand before approval. The new number is used, and the old card is inert. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockText } from '../../support/block-text.ts';
import { buttonValue, finish, forgedClick, rows } from '../../support/scenario.ts';
import { actionsOf, Workspace, wordsOf } from '../../support/workspace.ts';

const goal = 'if OPS has more than 20 open P1 tickets, page ops';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterAll(() => finish(workspace));

async function editThreshold(card: Awaited<ReturnType<Workspace['card']>>, to: string) {
  await workspace.click('dev', card, 'plan.edit');
  const { id: viewId } = await workspace.modal('dev');
  return workspace.sandbox.slack.submitView({ as: 'dev', viewId, values: { 'if:page:to': { v: to } } });
}

test('a threshold that is not a number is rejected at its field, and nothing changes', async () => {
  await workspace.plan('ben', goal);
  const card = await workspace.card(goal);
  const outcome = await editThreshold(card, 'a lot');
  expect(outcome.fieldErrors).toEqual({ 'if:page:to': 'Write a number, or step.field.' });
  await workspace.sandbox.slack.closeView({ as: 'dev', viewId: (await workspace.modal('dev')).id });
  expect(await rows(workspace, 'select number from revisions')).toHaveLength(1);
});

test('an edited threshold makes a new card with the difference, and disables the old buttons', async () => {
  const first = await workspace.card(goal);
  const oldValue = buttonValue(first, 'plan.approve') ?? '';
  expect((await editThreshold(first, '22')).fieldErrors).toBeUndefined();
  const second = await workspace.card('Changed:');
  expect(second.ts).not.toBe(first.ts);
  expect(wordsOf(second)).toMatch(/Step 2: .*20.*→.*22/s);
  expect(actionsOf(second.blocks)).toContain('plan.approve');
  const dead = await workspace.becomes(first, 'Replaced by revision 2');
  expect(actionsOf(dead.blocks)).toEqual([]);

  await forgedClick(workspace, { as: 'ana', message: first, actionId: 'plan.approve', value: oldValue });
  const told = await workspace.whisper('ana', 'This card is old: revision 2 has replaced it.');
  expect(JSON.stringify(told.blocks)).toContain(`p${second.ts.replace('.', '')}`);
  expect(await rows(workspace, "select id from runs where mode = 'run'")).toEqual([]);
});

test('the run uses the new threshold, and the result gives the reason', async () => {
  const card = await workspace.card('Changed:');
  await workspace.click('ana', card, 'plan.approve');
  expect(wordsOf(await workspace.reply(card, /^Done/))).toContain('because 24 > 22');
  expect(workspace.pages()).toHaveLength(1);
});

test('the requester and the editor are both recorded', async () => {
  const [revision] = await rows(workspace, 'select authors, decided_by from revisions where number = 2');
  expect(revision).toEqual({ authors: ['U0BEN', 'U0DEV'], decided_by: 'U0ANA' });
  const card = await workspace.becomes(await workspace.card(/finished/), 'finished');
  expect(blockText(card.blocks)).toContain('@U0BEN asked');
  expect(blockText(card.blocks)).toContain('@U0DEV');
});

test('an edit whose condition does not hold now leaves nothing to approve and says so', async () => {
  await workspace.plan('ben', goal);
  const card = await workspace.card(/open P1 tickets in OPS: {2}more than 20/);
  expect((await editThreshold(card, '30')).fieldErrors).toBeUndefined();
  const answer = await workspace.card('24 open P1 tickets in OPS: not more than 30');
  expect(wordsOf(answer)).toMatch(
    /Nobody was paged, because there are no more than 30 open P1 tickets in OPS \(24\).*more than 30/s,
  );
  expect(actionsOf(answer.blocks)).toEqual(['plan.again', 'plan.edit']);
  expect(workspace.pages()).toHaveLength(1);
});

test('the form adds an argument that the plan does not set', async () => {
  const { slack } = workspace.sandbox;
  await workspace.plan('ben', 'pagerduty.page service=payments-api text="look at the queue"');
  const card = await workspace.card('look at the queue');
  await workspace.click('dev', card, 'plan.edit');
  const { id: viewId } = await workspace.modal('dev');
  const more = { blockId: 'more:0', actionId: 'plan.edit.more', value: 'arg:page:urgency' };
  await slack.blockActionInView({ as: 'dev', viewId, ...more });
  const urgency = { 'arg:page:urgency': { v: 'low' } };
  const shows = () =>
    JSON.stringify(slack.state(workspace.person('dev'))).includes('"block_id":"arg:page:urgency"');
  await workspace.until(shows, 'the field');
  await slack.submitView({ as: 'dev', viewId, values: urgency });
  expect(wordsOf(await workspace.card(/urgency is now low/))).toContain('with low urgency');
});

test('the card lists every change since the original and its editors, also after an update', async () => {
  const { slack } = workspace.sandbox;
  await workspace.plan('ben', 'pagerduty.page service=checkout text="the index is stale"');
  const first = await workspace.card('the index is stale');
  const edit = async (as: string, card: typeof first, values: Record<string, { v: string }>) => {
    await workspace.click(as, card, 'plan.edit');
    await slack.submitView({ as, viewId: (await workspace.modal(as)).id, values });
  };
  await edit('dev', first, { 'arg:page:text': { v: 'the index is a day old' } });
  const second = await workspace.card(/the index is stale.*→.*a day old[\s\S]*Revision 2/);
  await edit('eva', second, { 'arg:page:service': { v: 'payments-api' } });
  const third = await workspace.card(/Revision 3 [\s\S]*a day old/);
  const all = /Changed:[\s\S]*service checkout → payments-api[\s\S]*the index is stale.*→.*a day old/;
  expect(wordsOf(third)).toMatch(all);
  expect(blockText(third.blocks)).toMatch(/@U0BEN asked, edited by @U0DEV and @U0EVA/);
  await workspace.plan('ana', 'pagerduty.page service=payments-api text="the index is a day old"');
  expect(wordsOf(await workspace.becomes(third, /asked 2 times/))).toMatch(all);
  await edit('dev', third, { 'arg:page:text': { v: 'the index is stale' } });
  const fourth = await workspace.card(/Revision 4 /);
  expect(wordsOf(fourth)).toContain('service checkout → payments-api');
  expect(wordsOf(fourth)).not.toContain('a day old');
});
