/** Why: at 3 a.m. the wrong person taps first; the right one then taps the same button, and that has to be enough. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newestPage, paged } from '../../support/pages.ts';
import { configWith, finish, rows } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

const ack = 'step.next.pagerduty.ack';

let workspace: Workspace;
beforeAll(async () => {
  const rules = [
    { name: 'pages', tools: ['pagerduty.page'], approvers: ['U0ANA'], four_eyes: false },
    { name: 'incidents', approvers: ['U0ANA', 'U0CHIARA'], four_eyes: true },
  ];
  workspace = await Workspace.start({ config: configWith({ rules, caps: { pages_per_hour: 100 } }) });
});
afterAll(() => finish(workspace));

test("an approver's tap on the same button approves the pending card", async () => {
  const card = await paged(workspace, 'Disk full');
  await workspace.click('ben', card, ack);
  const asked = await workspace.reply(card, /Acknowledge incident.*Approvers/s);
  await workspace.click('eva', card, ack);
  await workspace.whisper('eva', 'You have been added to the people who asked.');
  await workspace.click('ana', card, ack);
  await workspace.becomes(card, /Acknowledged/);
  expect(newestPage(workspace).status).toBe('acknowledged');
  await workspace.becomes(asked, /Done/);
  const log = await rows(
    workspace,
    "select actor from audit where kind = 'revision.approved' order by seq desc limit 1",
  );
  expect(log).toEqual([{ actor: 'U0ANA' }]);
  const [own] = await rows(
    workspace,
    "select state, joined from requests where via = 'button' and requester = 'U0ANA'",
  );
  expect(own).toEqual({ state: 'closed', joined: null });
});

test('under four eyes the requester cannot approve by tapping twice, and the next person can', async () => {
  const card = await paged(workspace, 'Search is down');
  await workspace.click('ana', card, ack);
  await workspace.reply(card, /Acknowledge incident.*Approvers/s);
  await workspace.click('ana', card, ack);
  await workspace.whisper('ana', 'You have already asked for it.');
  expect(newestPage(workspace).status).toBe('triggered');
  await workspace.click('chiara', card, ack);
  await workspace.becomes(card, /Acknowledged/);
  expect(newestPage(workspace).status).toBe('acknowledged');
});

test('an approver who types a pending request can still approve it', async () => {
  const goal = 'slack.post channel=#incidents text="We fail over at noon"';
  await workspace.plan('ben', goal);
  const card = await workspace.card('We fail over at noon');
  await workspace.plan('ana', goal);
  const word = await workspace.whisper('ana', 'You may approve it there.');
  expect(wordsOf(word)).toContain('This is already waiting for approval.');
  await workspace.click('ana', card, 'plan.approve');
  await workspace.becomes(card, /Done/);
});
