/** Why: anybody who sees that a run is wrong can stop it, and nothing more is written. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockText } from '../../support/block-text.ts';
import { breach, buttonValue, finish, forgedClick, rows } from '../../support/scenario.ts';
import { actionsOf, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterAll(() => finish(workspace));

test('a run stopped between its reads and its write pages nobody', async () => {
  const { faults, journal } = workspace.sandbox;
  await workspace.plan('ben', breach);
  const card = await workspace.card(breach);
  const before = journal.list({ path: '/oncalls' }).length;
  faults.add({ vendor: 'pagerduty-rest', match: { path: '/oncalls' }, kind: 'delay' });
  await workspace.click('ana', card, 'plan.approve');
  await workspace.until(() => journal.list({ path: '/oncalls' }).length > before, 'the last check');
  const running = await workspace.becomes(card, 'Running');
  expect(actionsOf(running.blocks)).toEqual(['plan.cancel']);
  const value = buttonValue(card, 'plan.reject') ?? '';
  await forgedClick(workspace, { as: 'dev', message: card, actionId: 'plan.reject', value });
  const late = wordsOf(await workspace.whisper('dev', 'Already approved'));
  const [id = ''] = /[0-9a-f]{4} [0-9a-f]{4}/.exec(wordsOf(card)) ?? [];
  expect(late).toMatch(/While it runs, Stop on its card or\s+\/plan stop/);
  expect(late).toContain(id);
  await workspace.click('eva', running, 'plan.cancel');
  await workspace.whisper('eva', 'Stopping.');
  faults.clear();
  const final = await workspace.reply(card, /^Cancelled/);
  expect(wordsOf(final)).toContain('nobody was paged');
  const over = await workspace.becomes(card, 'Cancelled');
  expect(actionsOf(over.blocks)).toEqual([]);
  expect(blockText(over.blocks)).toContain('Approved by @U0ANA');
  expect(workspace.pages()).toEqual([]);
  expect(journal.list({ vendor: 'pagerduty-events' })).toEqual([]);
  expect(await rows(workspace, "select outcome, cancel_by from runs where mode = 'run'")).toEqual([
    { outcome: 'cancelled', cancel_by: 'U0EVA' },
  ]);

  const stop = { actionId: 'plan.cancel', value: buttonValue(running, 'plan.cancel') ?? '' };
  await forgedClick(workspace, { as: 'dev', message: card, ...stop });
  await workspace.whisper('dev', 'Nothing to stop.');
  const cards = workspace.messages().filter((message) => !message.threadTs && !message.ephemeralFor);
  expect(cards).toHaveLength(1);
});

test('a stop that comes too late for a write says so, at the click and in the thread', async () => {
  const { faults, jira, journal } = workspace.sandbox;
  const { key } = jira.store.create({ project: 'OPS', summary: 'Slow', reporter: jira.store.bot });
  await workspace.plan('ben', `jira.comment key=${key} text="We look at it."`);
  const card = await workspace.card('We look at it.');
  const path = `/rest/api/3/issue/${key}/comment`;
  faults.add({ vendor: 'jira', match: { path, method: 'POST' }, kind: 'delay' });
  await workspace.click('ana', card, 'plan.approve');
  const sent = () => journal.list({ path }).some(({ method }) => method === 'POST');
  await workspace.until(sent, 'the comment is on its way');
  const running = await workspace.becomes(card, 'Running');
  expect(JSON.stringify(running.blocks)).toContain('What is already on its way may still arrive.');
  await workspace.click('dev', running, 'plan.cancel');
  expect(wordsOf(await workspace.whisper('dev', 'Stopping.'))).toContain('on its way may still arrive');
  faults.clear();
  const final = await workspace.reply(card, /^Done/);
  expect(wordsOf(final)).toMatch(new RegExp(`Stopped by\\s+, too late for: .*${key}`));
  expect(JSON.stringify(final.blocks)).toContain(workspace.person('dev'));
});

test('stopping a pending plan by its id closes its card, and nothing runs', async () => {
  await workspace.plan('ben', 'pagerduty.page service=ops text="the disk is full"');
  const card = await workspace.card('the disk is full');
  const [, id = ''] = /([0-9a-f]{4} [0-9a-f]{4})/.exec(blockText(card.blocks)) ?? [];
  await workspace.plan('eva', `stop ${id}`);
  await workspace.whisper('eva', 'Stopped before anything was written.');
  const closed = await workspace.becomes(card, 'Rejected');
  expect(blockText(closed.blocks)).toMatch(/Rejected by @U0EVA.*stopped before it ran/s);
  expect(actionsOf(closed.blocks)).toEqual([]);
  await workspace.plan('eva', `stop ${id}`);
  await workspace.whisper('eva', 'Nothing to stop.');
  expect(workspace.pages()).toEqual([]);
});
