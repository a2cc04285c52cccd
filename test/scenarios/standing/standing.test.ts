/** Why: a standing approval runs the same plan again without a click, within its limits and no further. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockText } from '../../support/block-text.ts';
import type { Bot } from '../../support/bot.ts';
import { buttonValue, clickPayload, configWith, finish, rows, until } from '../../support/scenario.ts';
import { setOpenTickets } from '../../support/tickets.ts';
import { actionsOf, type Message, Workspace, wordsOf } from '../../support/workspace.ts';

const steps = [
  'count = jira.count project=OPS priority=P1 status=open',
  'when count.total > 30: pagerduty.page service=ops text="OPS has {count.total} open P1 tickets"',
];
const goal = ['watch: every 10m', ...steps].join('; ');

let workspace: Workspace;
let second: Bot | undefined;
beforeAll(async () => {
  workspace = await Workspace.start({ config: configWith({ caps: { pages_per_hour: 50 } }) });
  second = await workspace.startAnother();
});
afterAll(async () => {
  await second?.stop();
  await finish(workspace);
});

async function look(): Promise<void> {
  const [before] = await rows(workspace, 'select looked_at from watches');
  await rows(workspace, 'update watches set next_at = $1', [new Date()]);
  await until(async () => {
    const [now] = await rows(workspace, 'select looked_at from watches');
    return JSON.stringify(now) !== JSON.stringify(before);
  });
}

const open = () => rows(workspace, 'select id from standing_approvals where ended_at is null');

/** Resolves the problem and starts another, with its own card. */
async function breach(count: number): Promise<Message> {
  setOpenTickets(workspace, 5);
  workspace.resolvePages();
  await look();
  setOpenTickets(workspace, count);
  await look();
  return workspace.card(`${count} open P1 tickets in OPS`);
}

async function approveFromNowOn(as: string, card: Message, perDay: string): Promise<void> {
  await workspace.click(as, card, 'plan.standing');
  const { id: viewId, ...view } = await workspace.modal(as);
  // The card names the person on call now; in a week it may be somebody else.
  expect(JSON.stringify(view)).toContain('pages whoever is on call at the time, not the person named below');
  const values = { days: { v: '7' }, per_day: { v: perDay } };
  await workspace.sandbox.slack.submitView({ as, viewId, values });
}

test('only an approver can give a standing approval, and the card itself runs', async () => {
  await workspace.plan('ben', goal);
  await workspace.card('Watching');
  await until(
    async () => (await rows(workspace, 'select 1 from watches where found is not null')).length === 1,
  );
  const card = await breach(31);
  expect(actionsOf(card.blocks)).toContain('plan.standing');
  await approveFromNowOn('dev', card, '2');
  await until(async () => workspace.transcript().includes('You cannot approve this one.'));
  expect(await rows(workspace, 'select 1 from standing_approvals')).toEqual([]);
  await approveFromNowOn('ana', card, '2');
  await workspace.reply(card, /Standing approval\s+by.*for this watch:.*at most 2 writes in 24 hours/s);
  await workspace.reply(card, /^Done/);
  expect(workspace.pages()).toHaveLength(1);
});

test('the next breach runs without a click, names the approver, and is audited', async () => {
  const card = await breach(32);
  await workspace.reply(card, /Runs without a click\s*, by the standing approval of.*; 1 used/s);
  await workspace.reply(card, /^Done/);
  expect(workspace.pages()).toHaveLength(2);
  const done = await workspace.becomes(card, 'finished');
  expect(blockText(done.blocks)).toContain('Approved by the standing approval of @U0ANA, ');
  expect(workspace.pages().at(-1)?.details.approved_by).toBe('the standing approval of @ana');
  const lines = await rows(
    workspace,
    "select actor, data::jsonb->>'standing' as standing from audit where kind = 'revision.approved' order by seq",
  );
  expect(lines.map(({ actor }) => actor)).toEqual([workspace.person('ana'), workspace.person('ana')]);
  expect(lines[0]?.standing).toBeNull();
  const [given] = await rows(workspace, 'select id from standing_approvals');
  expect(lines[1]?.standing).toBe(given?.id);
});

test('over its daily limit of writes the card waits for a click', async () => {
  const third = await breach(33);
  await workspace.reply(third, /; 2 used/);
  await workspace.reply(third, /^Done/);
  const card = await breach(34);
  await workspace.reply(card, 'used up for now');
  expect(actionsOf(card.blocks)).toContain('plan.approve');
  expect(workspace.pages()).toHaveLength(3);
});

test('a guest cannot revoke it, and the click is audited', async () => {
  workspace.makeGuest('eva');
  const message = workspace.messages().findLast((one) => actionsOf(one.blocks).includes('standing.revoke'));
  if (message === undefined) throw new Error('there is no button to revoke');
  const actionId = 'standing.revoke';
  const value = buttonValue(message, actionId) ?? '';
  const payload = clickPayload(workspace, { as: 'eva', message, actionId, value });
  await workspace.sandbox.slack.deliver({ type: 'interactive', payload });
  await workspace.whisper('eva', 'Only full members');
  expect(await rows(workspace, 'select 1 from standing_approvals where ended_at is null')).toHaveLength(1);
  const refused =
    "select data::jsonb ->> 'action' as action from audit where kind = 'click.refused' and actor = 'U0EVA'";
  expect(await rows(workspace, refused)).toEqual([{ action: 'revoke' }]);
});

test('it is listed, and any full member revokes it with one click', async () => {
  await workspace.plan('dev', 'approvals');
  const listed = await workspace.whisper('dev', '2 used');
  expect(wordsOf(listed)).toMatch(/For a watch, by/);
  const word = workspace.messages().findLast((one) => actionsOf(one.blocks).includes('standing.revoke'));
  if (word === undefined) throw new Error('there is no button to revoke');
  await workspace.click('dev', word, 'standing.revoke');
  await workspace.card(/has ended\s+by/);
  await rows(workspace, 'delete from standing_uses');
  const card = await breach(35);
  await look();
  expect(actionsOf(card.blocks)).toContain('plan.approve');
  expect(workspace.pages()).toHaveLength(3);
});

test('it ends when its approver may no longer approve, and the thread says so', async () => {
  const first = await breach(36);
  await approveFromNowOn('ana', first, '5');
  await workspace.reply(first, /^Done/);
  const [given] = await rows(workspace, 'select id from standing_approvals where ended_at is null');
  // Replaces the approver: dev may not approve pages.
  await rows(workspace, 'update standing_approvals set yeses = $2 where id = $1', [
    given?.id,
    [workspace.person('dev')],
  ]);
  const card = await breach(37);
  await workspace.reply(card, 'may no longer approve this');
  expect(actionsOf(card.blocks)).toContain('plan.approve');
  expect(workspace.pages()).toHaveLength(4);
});

test('it is void when the rules change, also for a card from before a restart', async () => {
  const first = await breach(38);
  await approveFromNowOn('ana', first, '5');
  await workspace.reply(first, /^Done/);
  await rows(workspace, "update standing_approvals set policy = 'another' where ended_at is null");
  await second?.stop();
  second = await workspace.startAnother();
  const card = await breach(39);
  await workspace.reply(card, 'The rules about who may approve have changed.');
  expect(workspace.pages()).toHaveLength(5);
});

test('for a playbook it covers the same call, and is void when the playbook changes', async () => {
  setOpenTickets(workspace, 25);
  const call = 'run sla-breach-check project=OPS priority=P1';
  await workspace.plan('ben', call);
  const card = await workspace.card('25 open P1 tickets in OPS');
  await approveFromNowOn('ana', card, '5');
  await workspace.reply(card, /^Done/);
  workspace.resolvePages();
  setOpenTickets(workspace, 26);
  await workspace.plan('ben', call);
  const next = await workspace.card('26 open P1 tickets in OPS');
  await workspace.reply(next, /Runs without a click/);
  await workspace.reply(next, /^Done/);
  await rows(workspace, "update standing_approvals set version = 'as it was' where scope like 'playbook:%'");
  workspace.resolvePages();
  setOpenTickets(workspace, 27);
  await workspace.plan('ben', call);
  const last = await workspace.card('27 open P1 tickets in OPS');
  await workspace.reply(last, 'The playbook has changed.');
  expect(workspace.pages()).toHaveLength(7);
});

test('it is void if its row exceeds what the audit log says was given', async () => {
  const changes = [
    'per_day = 50',
    "until = until + interval '30 days'",
    'ended_at = null, ended_by = null, per_day = 5',
  ];
  let pages = workspace.pages().length;
  for (const [index, change] of changes.entries()) {
    const first = await breach(101 + 2 * index);
    await approveFromNowOn('ana', first, '5');
    await workspace.reply(first, /^Done/);
    pages += 1;
    if (change.startsWith('ended_at')) {
      const given = workspace.messages().findLast((one) => actionsOf(one.blocks).includes('standing.revoke'));
      if (given !== undefined) await workspace.click('dev', given, 'standing.revoke');
      await until(async () => (await open()).length === 0);
    }
    await rows(
      workspace,
      `update standing_approvals set ${change} where created_at = (
      select max(created_at) from standing_approvals)`,
    );
    const card = await breach(102 + 2 * index);
    await workspace.reply(card, 'not what was given, by the audit log');
    expect(actionsOf(card.blocks)).toContain('plan.approve');
    expect(await open()).toEqual([]);
    expect(workspace.pages()).toHaveLength(pages);
  }
});
