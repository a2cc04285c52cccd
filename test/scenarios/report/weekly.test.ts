/** Why: a team steers by its weekly figures; they must come once a week, whatever happens to the processes. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHere } from '../../support/bot.ts';
import { configWith, finish, rows, until } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

/** The tick of this week: ten minutes ago, when no process was there. */
const tick = new Date(Math.floor(Date.now() / 60_000) * 60_000 - 10 * 60_000);
const cron = `${tick.getUTCMinutes()} ${tick.getUTCHours()} * * ${tick.getUTCDay()}`;

let workspace: Workspace;
beforeAll(async () => {
  const weekly = { name: 'figures', cron, timezone: 'UTC', goal: 'report 7 days', channel: 'incidents' };
  const spawned = await Workspace.spawn({ config: configWith({ schedules: [weekly] }) });
  workspace = spawned;
  const other = await spawned.startProcess();
  const { faults, journal } = workspace.sandbox;
  faults.add({ vendor: 'slack', match: { path: '/api/chat.postMessage' }, kind: 'hang' });
  await rows(workspace, 'update watches set next_at = $1', [tick]);
  const sent = () => journal.list({ vendor: 'slack', path: '/api/chat.postMessage' }).length > 0;
  await workspace.until(sent, 'the figures on their way');
  await Promise.all([spawned.bot, other].map((bot) => bot.kill()));
  faults.clear();
  workspace.bot = await startHere(workspace.sandbox, workspace.env);
}, 120_000);
afterAll(() => finish(workspace));

test('the figures of the week are posted late rather than never, and once by two processes that die meanwhile', async () => {
  const figures = () =>
    workspace.messages('incidents').filter((one) => wordsOf(one).includes('Report, since'));
  await workspace.until(() => figures().length > 0, 'the figures');
  await until(
    async () => (await rows(workspace, "select 1 from outbox where state = 'pending'")).length === 0,
  );
  expect(figures()).toHaveLength(1);
  expect(workspace.messages('incidents').some((one) => wordsOf(one).includes('missed'))).toBe(false);
  expect(await rows(workspace, 'select schedule, tick, state from schedule_ticks')).toEqual([
    { schedule: 'figures', tick, state: 'fired' },
  ]);
  const [next] = await rows(workspace, "select next_at from watches where id = 'figures'");
  expect(Number(next?.next_at)).toBeGreaterThan(Date.now() + 6 * 24 * 3_600_000);
});
