/** Why: nobody sends again what was acknowledged, so it must outlive a database that takes no more rows for a while. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { alertmanager, alertsConfig, alertsToken, deliver } from '../../support/alerts.ts';
import { freePort } from '../../support/port.ts';
import { finish, rows } from '../../support/scenario.ts';
import { Workspace } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  const rule = { name: 'all', match: { alertname: 'Down' }, service: { label: 'service' }, channel: 'ops' };
  workspace = await Workspace.start({
    config: alertsConfig([rule]),
    env: { PORT: String(await freePort()), ALERTS_TOKEN: alertsToken },
  });
});
afterAll(() => finish(workspace, /No space left|could not be told/));

const tables = ['alerts', 'requests', 'outbox'];

/** From now on the tables take no more rows, as on a full disk. */
async function fill(): Promise<void> {
  await rows(
    workspace,
    `create function no_room() returns trigger language plpgsql as
      $$ begin raise exception 'No space left on device' using errcode = '53100'; end $$`,
  );
  for (const table of tables)
    await rows(
      workspace,
      `create trigger no_room before insert or update on ${table} for each row execute function no_room()`,
    );
}

async function makeRoom(): Promise<void> {
  for (const table of tables) await rows(workspace, `drop trigger no_room on ${table}`);
  await rows(workspace, 'drop function no_room');
}

test('an alert that could neither be stored nor reported is shown once there is room', async () => {
  await fill();
  expect(
    await deliver(workspace, alertmanager([{ labels: { alertname: 'Down', service: 'checkout' } }])),
  ).toBe(202);
  await workspace.until(() => workspace.bot.log().includes('could not be told'), 'the failure', 20_000);
  await makeRoom();
  await workspace.card(/Firing: Down · checkout/, 'ops', 20_000);
});
