/** Why: whoever approves a page has to know that it would wake nobody, or that somebody is at it already. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { newestPage, paged } from '../../support/pages.ts';
import { configWith, finish } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  const rules = [{ approvers: ['U0ANA'] }];
  workspace = await Workspace.start({ config: configWith({ rules, caps: { pages_per_hour: 100 } }) });
});
afterEach(() => {
  workspace.sandbox.faults.clear();
  workspace.resolvePages();
});
afterAll(() => finish(workspace));

const page = (text: string) => workspace.plan('ben', `pagerduty.page service=ops text="${text}"`);

test.each(['maintenance', 'disabled'])(
  'a service in state %s is said on the card, and nobody is said to be paged',
  async (status) => {
    const body = { service: { id: 'PSOPS01', status, escalation_policy: { id: 'PEOPS01' } } };
    const match = { path: '/services/PSOPS01' };
    workspace.sandbox.faults.add({ vendor: 'pagerduty-rest', kind: 'status', status: 200, match, body });
    await page(`quiet while ${status}`);
    const card = await workspace.card(`quiet while ${status}`);
    const state = status === 'disabled' ? 'is disabled' : 'is in maintenance';
    expect(wordsOf(card)).toContain(`ops ${state} in PagerDuty; nobody would be paged`);
    expect(wordsOf(card)).not.toContain('pages Ana');
    const before = workspace.pages().length;
    await workspace.click('ana', card, 'plan.approve');
    await workspace.reply(card, new RegExp(`ops ${state} in PagerDuty, so nobody was paged`));
    expect(workspace.pages()).toHaveLength(before);
  },
);

test('a card names the incident that its service has open, with how long and who took it', async () => {
  await paged(workspace, 'Disk full');
  const { sandbox } = workspace;
  await page('Queue stuck');
  const open = await workspace.card('Queue stuck');
  expect(wordsOf(open)).toMatch(/#\d+ “Disk full” has been open since \d\d:\d\d UTC, not acknowledged/);
  sandbox.pagerduty.store.setStatus(newestPage(workspace), 'acknowledged', 'PANA01');
  await page('Cache cold');
  const taken = await workspace.card('Cache cold');
  expect(wordsOf(taken)).toMatch(
    /#\d+ “Disk full” has been open since \d\d:\d\d UTC, acknowledged by Ana Ruiz since/,
  );
});

test('an incident about the same problem is named once, as the one that a note is added to', async () => {
  await paged(workspace, 'Disk broken');
  await page('Disk broken');
  const card = await workspace.card(/about this is open/);
  expect(wordsOf(card)).not.toContain('has been open');
});

test('a channel shared with another company is said to be on the card of a post', async () => {
  const channel = { id: 'C0OPS', is_channel: true, is_private: true, is_ext_shared: true };
  const match = { path: '/api/conversations.info' };
  workspace.sandbox.faults.add({
    ...{ vendor: 'slack', kind: 'status', status: 200 },
    ...{ match, body: { ok: true, channel } },
  });
  await workspace.plan('ben', 'slack.post channel=#ops text="Stock is late."');
  expect(wordsOf(await workspace.card('Stock is late.'))).toContain('shared with another company');
});

test('a card that reaches several says in one line who is woken and who is told, and who reads a channel', async () => {
  const channel = { id: 'C0INC', is_channel: true, is_private: true };
  const match = { path: '/api/conversations.info' };
  workspace.sandbox.faults.add({
    vendor: 'slack',
    kind: 'status',
    status: 200,
    match,
    body: { ok: true, channel },
  });
  const post = 'slack.post channel=#incidents text="Stock is wrong."';
  await workspace.plan('ben', post);
  const alone = wordsOf(await workspace.card('Stock is wrong.'));
  expect(alone).toContain('posts to #incidents (private, only its members see it)');
  expect(alone).not.toMatch(/Tells/);
  await workspace.plan(
    'ben',
    `pagerduty.page service=ops text="Stock is wrong"; ${post}; jira.comment key=OPS-1 text="See above."`,
  );
  const card = await workspace.card('See above.');
  expect(wordsOf(card)).toMatch(/Wakes +Ana Ruiz \(ops\)\. +Tells +#incidents, the watchers of OPS-1\./);
  await paged(workspace, 'Stock is wrong');
  await workspace.plan(
    'ben',
    `pagerduty.page service=ops text="Stock is wrong"; ${post}; jira.comment key=OPS-1 text="Again."`,
  );
  const joins = wordsOf(await workspace.card('Again.'));
  expect(joins).toMatch(/Tells +#incidents, the watchers/);
  expect(joins).not.toContain('Wakes');
});
