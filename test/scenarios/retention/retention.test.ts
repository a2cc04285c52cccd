/** Why: finished plans are deleted with all their rows after the configured days; the audit log and open plans stay. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buttonValue, configWith, finish, forgedClick, rows, until } from '../../support/scenario.ts';
import { type Message, Workspace } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start({ config: configWith({ retention: { days: 30 } }) });
});
afterAll(() => finish(workspace));

async function cardOf(threshold: number): Promise<Message> {
  await workspace.plan('ben', `if OPS has more than ${threshold} open P1 tickets, page ops`);
  return workspace.card(`than ${threshold} open`);
}

async function countOf(table: string): Promise<number> {
  const [row] = await rows(workspace, `select count(*)::int as n from ${table}`);
  return Number(row?.n);
}

test('a plan that ended a month ago leaves only its audit lines; a pending card stays', async () => {
  const done = await cardOf(1);
  const value = buttonValue(done, 'plan.approve') ?? '';
  await workspace.click('ana', done, 'plan.approve');
  await workspace.reply(done, /^Done/);
  await workspace.becomes(done, /Done/);
  const waiting = await cardOf(2);
  const lines = await countOf('audit');
  await workspace.bot.stop();
  const back = (table: string, ...columns: string[]) =>
    rows(
      workspace,
      `update ${table} set ${columns.map((one) => `${one} = ${one} - interval '31 days'`).join(', ')}`,
    );
  await back('requests', 'created_at');
  await back('revisions', 'created_at', 'decided_at');
  await back('runs', 'started_at', 'finished_at');
  await back('outbox', 'created_at');
  workspace.bot = await workspace.startAnother();

  await until(async () => (await countOf('requests')) === 1);
  // The pending card keeps the reads made for it.
  expect(await countOf('runs')).toBe(1);
  for (const table of ['grants', 'writes']) expect(await countOf(table)).toBe(0);
  expect(await countOf('audit')).toBe(lines + 1);
  await forgedClick(workspace, { as: 'ana', message: done, actionId: 'plan.approve', value });
  await workspace.whisper('ana', 'That plan is no longer stored.');

  workspace.resolvePages();
  await workspace.click('ana', waiting, 'plan.approve');
  await workspace.reply(waiting, /^Done/);
  expect(workspace.pages()).toHaveLength(2);
});
