/** Why: a problem in the environment is one line that says what it is and what to do. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { holdExecutorLock } from '../../../src/process/lock.ts';
import { clockAhead, failedStart } from '../../support/bot.ts';
import { freePort } from '../../support/port.ts';
import { breach, finish, rows } from '../../support/scenario.ts';
import { Workspace } from '../../support/workspace.ts';

let workspace: Workspace;
let readyz: string;
beforeAll(async () => {
  const port = await freePort();
  readyz = `http://127.0.0.1:${port}/readyz`;
  workspace = await Workspace.start({ env: { OPS_PORT: String(port) } });
});
afterAll(() => finish(workspace, /disk of the database is full/));

const ready = async (): Promise<unknown> => (await fetch(readyz)).json();

/** The parsed log lines with a matching message. */
function lines(log: string, message: RegExp): Record<string, unknown>[] {
  const parsed = log.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
  return parsed.filter(({ msg }) => message.test(msg));
}

test("with the database's disk full nothing is accepted, the log says what to do, and it recovers by itself", async () => {
  await rows(
    workspace,
    `create function full_disk() returns trigger language plpgsql as
     $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`,
  );
  await rows(workspace, 'create trigger full_disk before insert on inbox execute function full_disk()');
  expect(await workspace.plan('ben', breach)).toMatchObject({ acknowledged: false });
  const [said] = lines(workspace.bot.log(), /could not be stored/);
  expect(said).toMatchObject({
    code: 'disk_full',
    message: expect.stringMatching(/^The disk of the database is full.* Make room there/),
  });
  expect(await ready()).toMatchObject({ ready: false, database: 'its disk is full: make room there' });
  await rows(workspace, 'drop trigger full_disk on inbox');
  expect(await ready()).toMatchObject({ ready: true, database: 'ok' });
  expect(await rows(workspace, "select key from inbox where team_id = ''")).toEqual([]);
  expect(await workspace.plan('ben', breach)).toMatchObject({ acknowledged: true });
  await workspace.card(breach);
});

test("a process whose clock is an hour ahead uses the database's clock: nothing expires early", async () => {
  const port = await freePort();
  const bot = await workspace.startProcess({ ...clockAhead(3_600_000), OPS_PORT: String(port) });
  const state = () => rows(workspace, 'select state from revisions order by created_at desc limit 1');
  expect(await state()).toEqual([{ state: 'proposed' }]);
  expect(await (await fetch(`http://127.0.0.1:${port}/readyz`)).json()).toMatchObject({ clock: 'ok' });
  expect(await bot.stop()).toBe(0);
});

test('a wrong database clock, another version and different settings get one log line each', async () => {
  const url = workspace.env.DATABASE_URL ?? '';
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const others = [
    ['newer', '999.0.0', 'x'],
    ['unlike', version, 'y'],
  ];
  const locks = await Promise.all(others.map(([id = '']) => holdExecutorLock(url, id, () => undefined)));
  for (const other of others)
    await rows(workspace, `insert into processes values ($1, 'T0SANDBOX', 'all', $2, $3, now())`, other);
  const port = await freePort();
  // Postgres cannot be given another clock, but a search path that starts with public finds this one.
  await rows(
    workspace,
    `create function public.clock_timestamp() returns timestamptz language sql as
     $$ select pg_catalog.clock_timestamp() + interval '1 hour' $$`,
  );
  const looksThere = `${url}?options=${encodeURIComponent('-c search_path=public,pg_catalog')}`;
  const bot = await workspace.startAnother({ DATABASE_URL: looksThere, OPS_PORT: String(port) });
  await workspace.until(() => /has different settings/.test(bot.log()), 'a look at the others');
  const log = bot.log();
  expect(await (await fetch(`http://127.0.0.1:${port}/readyz`)).json()).toMatchObject({
    ready: false,
    clock: '60 minutes ahead of Slack’s',
  });
  expect(await bot.stop()).toBe(0);
  for (const lock of locks) await lock.release();
  expect(lines(log, /clock of the machine with the database is wrong: set it/)).toMatchObject([
    { level: 'error', clock: '60 minutes ahead of Slack’s' },
  ]);
  expect(lines(log, /Another version is using this database/)).toMatchObject([
    { process: 'newer', theirs: '999.0.0', ours: version },
  ]);
  const unlike = lines(log, /Another process has different settings/).map(({ process: id }) => id);
  expect(unlike).toEqual(['unlike']);
});

test('with a database from a newer version the start fails with one line', async () => {
  await rows(workspace, `insert into kysely_migration values ('999-future', now()::text)`);
  const start = await failedStart({ ...workspace.sandbox.env, ...workspace.env, OPS_PORT: '' });
  await rows(workspace, `delete from kysely_migration where name = '999-future'`);
  expect(start).toEqual({
    code: 78,
    said: 'The database was written by a newer Countersign (it has 999-future); start that version, or restore a backup.\n',
  });
});
