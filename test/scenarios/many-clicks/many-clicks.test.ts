/** Why: one approval, one run, one page, however often, however fast and through however many processes it is clicked. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Bot } from '../../support/bot.ts';
import { breach, buttonValue, clickPayload, finish, rows } from '../../support/scenario.ts';
import { Workspace } from '../../support/workspace.ts';

let workspace: Workspace;
let second: Bot | undefined;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterAll(async () => {
  await second?.stop();
  await finish(workspace);
});

test('a double click runs once, and the second click gets a reply that it changed nothing', async () => {
  await workspace.plan('ben', breach);
  const card = await workspace.card(breach);
  await Promise.all([
    workspace.click('ana', card, 'plan.approve'),
    workspace.click('ana', card, 'plan.approve'),
  ]);
  await workspace.whisper('ana', 'It runs once; your click changed nothing.');
  await workspace.reply(card, /^Done/);
  expect(workspace.pages()).toHaveLength(1);
});

test('ten simultaneous clicks by two people through two processes make one run and one page', async () => {
  second = await workspace.startProcess();
  const goal = 'if PAY has more than 1 open P1 tickets, page payments-api';
  await workspace.plan('ben', goal);
  const card = await workspace.card(goal);
  const value = buttonValue(card, 'plan.approve') ?? '';
  const clicks = Array.from({ length: 10 }, (_, index) => {
    const as = index % 2 === 0 ? 'ana' : 'chiara';
    const payload = clickPayload(workspace, { as, message: card, actionId: 'plan.approve', value });
    return workspace.sandbox.slack.deliver({ type: 'interactive', payload });
  });
  const outcomes = await Promise.all(clicks);
  expect(outcomes.every(({ acknowledged }) => acknowledged)).toBe(true);
  await workspace.reply(card, /^Done/);
  await workspace.becomes(card, 'finished');
  const sent = workspace.sandbox.journal.list({ vendor: 'pagerduty-events' });
  const keys = sent.map(({ body }) => JSON.stringify(body)).filter((body) => body.includes('PAY'));
  expect(keys).toHaveLength(1);
  expect(workspace.pages().filter(({ service }) => service === 'PSPAY01')).toHaveLength(1);
  expect(await rows(workspace, "select count(*)::int as n from runs where mode = 'run'")).toEqual([{ n: 2 }]);
  const finals = workspace.messages().filter((m) => m.threadTs === card.ts && m.text.startsWith('Done'));
  expect(finals).toHaveLength(1);
});

test('the same click delivered to both processes counts once', async () => {
  const goal = 'if WEB has more than 0 open P1 tickets, page checkout';
  await workspace.plan('ben', goal);
  const card = await workspace.card(goal);
  const value = buttonValue(card, 'plan.approve') ?? '';
  const payload = clickPayload(workspace, { as: 'ana', message: card, actionId: 'plan.approve', value });
  const deliver = () => workspace.sandbox.slack.deliver({ type: 'interactive', payload });
  await Promise.all([deliver(), deliver(), deliver(), deliver()]);
  await workspace.reply(card, /^Done/);
  await workspace.becomes(card, 'finished');
  expect(workspace.pages().filter(({ service }) => service === 'PSCHK01')).toHaveLength(1);
  expect(await rows(workspace, 'select count(*)::int as n from grants')).toEqual([{ n: 3 }]);
});
