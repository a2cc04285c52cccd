/** Why: a schedule fires once per tick across all processes, and reports missed ticks. */
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Bot } from '../../support/bot.ts';
import { configWith, finish, rows } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

const goal = 'if OPS has more than 20 open P1 tickets, page ops';

let workspace: Workspace;
let second: Bot | undefined;
beforeAll(async () => {
  const every = { cron: '* * * * *', timezone: 'Europe/Berlin', channel: 'ops' };
  const cannot = { name: 'too-much', goal: 'restart the database', ...every, channel: 'incidents' };
  const schedules = [{ name: 'ops-watch', goal, ...every }, cannot];
  workspace = await Workspace.start({ config: configWith({ schedules }) });
  second = await workspace.startAnother();
  // Avoids waiting for the next minute.
  await rows(workspace, 'update watches set next_at = $1', [new Date()]);
});
afterAll(async () => {
  await second?.stop();
  await finish(workspace);
});

test('two processes share one tick: one card, requested by the schedule', async () => {
  const card = await workspace.card(goal, 'ops');
  expect(wordsOf(card)).toContain('ops-watch');
  const ticks = await rows(workspace, "select state from schedule_ticks where schedule = 'ops-watch'");
  // A minute may end meanwhile, which adds a tick.
  expect(new Set(ticks.map(({ state }) => state))).toEqual(new Set(['fired']));
  expect(workspace.messages().filter((message) => wordsOf(message).includes(goal))).toHaveLength(1);
});

test('a schedule with an impossible goal names itself and the goal in its channel', async () => {
  const word = await workspace.card('I didn’t understand that.', 'incidents');
  expect(wordsOf(word)).toMatch(/^The schedule “too-much” asked:\s+restart the database/);
  expect(word.text).toContain('too-much');
});

test('a schedule never approves: a person does, as for any other plan', async () => {
  const card = await workspace.card(goal);
  await workspace.click('eva', card, 'plan.approve');
  await workspace.whisper('eva', 'You cannot approve this one.');
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  const by = { requested_by: 'schedule:ops-watch', approved_by: '@ana' };
  expect(workspace.pages()[0]?.details).toMatchObject(by);
});

test('missed ticks are reported once, together, and one check makes up for them', async () => {
  await second?.stop();
  await workspace.bot.stop();
  await rows(
    workspace,
    "update watches set next_at = next_at - interval '10 minutes' where id = 'ops-watch'",
  );
  const starts = [workspace.startAnother(), workspace.startAnother()];
  const [one, other] = await Promise.all(starts);
  if (one === undefined || other === undefined) throw new Error('the bots did not start');
  workspace.bot = one;
  second = other;
  const word = await workspace.card('“ops-watch” was missed');
  expect(wordsOf(word)).toContain('It is checking again.');
  const missed = await rows(
    workspace,
    "select count(*)::int as n from schedule_ticks where state = 'missed' and schedule = 'ops-watch'",
  );
  expect(Number(missed[0]?.n)).toBeGreaterThanOrEqual(8);
  const announced = workspace
    .messages()
    .filter((message) => wordsOf(message).includes('“ops-watch” was missed'));
  expect(announced).toHaveLength(1);
  expect(workspace.messages().filter((m) => !m.threadTs && wordsOf(m).includes(goal))).toHaveLength(1);
});

test('a schedule removed from the file stops, and a changed one is planned anew', async () => {
  const state = async () =>
    rows(
      workspace,
      'select id, plan is null as unplanned, ended_at is null as open from watches order by id',
    );
  expect(await state()).toEqual([
    { id: 'ops-watch', unplanned: false, open: true },
    { id: 'too-much', unplanned: true, open: true },
  ]);
  await second?.stop();
  await workspace.bot.stop();
  const entry = { name: 'ops-watch', cron: '0 0 1 1 *', timezone: 'UTC', goal, channel: 'ops' };
  await writeFile(workspace.env.COUNTERSIGN_CONFIG ?? '', configWith({ schedules: [entry] }));
  workspace.bot = await workspace.startAnother();
  expect(await state()).toEqual([
    { id: 'ops-watch', unplanned: true, open: true },
    { id: 'too-much', unplanned: true, open: false },
  ]);
});
