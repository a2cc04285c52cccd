/** Why: nobody sends again what was acknowledged, so it must outlive a database that takes no more rows for a while. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { alertmanager, alertsConfig, alertsToken, deliver } from '../../support/alerts.ts';
import { freePort } from '../../support/port.ts';
import { configWith, finish, rows } from '../../support/scenario.ts';
import { Workspace } from '../../support/workspace.ts';

let workspace: Workspace;
let silent: Workspace;
beforeAll(async () => {
  const rule = { name: 'all', match: { alertname: 'Down' }, service: { label: 'service' }, channel: 'ops' };
  const doors = { prometheus: { kind: 'alertmanager', bearer: 'ALERTS_TOKEN' } };
  const open = async (config: string) =>
    Workspace.start({ config, env: { PORT: String(await freePort()), ALERTS_TOKEN: alertsToken } });
  workspace = await open(alertsConfig([rule]));
  // It names no channel in which a failure could be reported.
  silent = await open(configWith({ alerts: { doors, rules: [rule] }, defaults: {}, approval: {} }));
});
afterAll(async () => {
  await finish(workspace, /No space left/);
  await finish(silent, /No space left/);
});

/** From now on the tables take no more rows, as on a full disk. */
async function fill(of: Workspace, tables: readonly string[]): Promise<void> {
  await rows(
    of,
    `create function no_room() returns trigger language plpgsql as
      $$ begin raise exception 'No space left on device' using errcode = '53100'; end $$`,
  );
  for (const table of tables)
    await rows(
      of,
      `create trigger no_room before insert or update on ${table} for each row execute function no_room()`,
    );
}

const makeRoom = (of: Workspace) => rows(of, 'drop function no_room cascade');

const fire = (at: Workspace) =>
  deliver(at, alertmanager([{ labels: { alertname: 'Down', service: 'checkout' } }]));

test('an alert that could neither be stored nor reported is shown once there is room', async () => {
  await fill(workspace, ['alerts', 'outbox']);
  await fill(silent, ['alerts']);
  for (const one of [workspace, silent]) expect(await fire(one)).toBe(202);
  for (const one of [workspace, silent]) {
    await one.until(() => one.bot.log().includes('could not be told'), 'the failure', 20_000);
    await makeRoom(one);
  }
  for (const one of [workspace, silent]) await one.card(/Firing: Down · checkout/, 'ops', 20_000);
}, 60_000);
