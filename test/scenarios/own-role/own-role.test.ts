/** Why: the bot's database password must not be enough to rewrite the log, and the bot must work without that right. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { breach, finish, rows } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  // The operator’s database, under an administrator role.
  workspace = await Workspace.start({ ownRole: true, env: { SHOP_DATABASE_URL: inject('postgresUrl') } });
});
afterAll(() => finish(workspace, /A database is switched off/));

test('a database whose role could write is detected at the start and not queried', async () => {
  const { log } = workspace.bot;
  await workspace.until(() => /"database":"shop".*is an administrator/.test(log()), 'the role in the log');
  await workspace.plan('ben', 'how many failed orders in the last hour');
  await workspace.until(() => /Give the bot a role that can only read/.test(workspace.transcript()), 'why');
});

test('under a role that owns nothing, a plan goes from request to report, also after a restart', async () => {
  await workspace.plan('ben', breach);
  const card = await workspace.card(breach);
  expect(await workspace.bot.stop()).toBe(0);
  workspace.bot = await workspace.startAnother();
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  expect(workspace.pages()).toHaveLength(1);
  expect(workspace.bot.log()).not.toContain('can rewrite the audit log');
  expect(workspace.bot.log()).not.toContain('for-tests');
});

test('with up-to-date tables the bot starts without the owner’s address', async () => {
  await workspace.bot.stop();
  workspace.bot = await workspace.startAnother({ DATABASE_OWNER_URL: '' });
  const goal = 'how many P1 tickets are open in OPS?';
  await workspace.plan('ben', goal);
  const card = await workspace.card(goal);
  expect(wordsOf(card)).toContain('24 open P1 tickets in OPS.');
});

test('its password cannot change the log or disable a trigger', async () => {
  for (const statement of [
    `update audit set actor = 'U0EVE'`,
    'delete from audit',
    'truncate audit',
    'alter table audit disable trigger all',
    'set session_replication_role = replica',
  ]) {
    await expect(rows(workspace, statement), statement).rejects.toMatchObject({ code: '42501' });
  }
  expect(await rows(workspace, 'select tableowner from pg_tables where tableowner = current_user')).toEqual(
    [],
  );
});
