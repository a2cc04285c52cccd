/** Why: an alert that was acknowledged and then lost with its process would leave everybody asleep. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Fault } from '../../../sandbox/faults.ts';
import { alertmanager, alertsConfig, alertsToken, deliver, problemsIn } from '../../support/alerts.ts';
import { startHere } from '../../support/bot.ts';
import { freePort } from '../../support/port.ts';
import { finish, rows } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
const firing = (alertname: string) =>
  alertmanager([{ labels: { alertname, service: 'checkout' }, startsAt: new Date().toISOString() }]);

// One process is killed while the message of one alert hangs in Slack, and while evidence of another is being read.
beforeAll(async () => {
  const rule = { service: { label: 'service' }, channel: 'ops', reads: { playbook: 'alert-evidence' } };
  const rules = ['Posting', 'Reading'].map((alertname) => ({
    ...rule,
    name: alertname,
    match: { alertname },
  }));
  const spawned = await Workspace.spawn({
    config: alertsConfig(rules),
    env: { PORT: String(await freePort()), ALERTS_TOKEN: alertsToken },
  });
  workspace = spawned;
  const { faults, journal } = workspace.sandbox;
  const heldUp = async (fault: Fault, alertname: string) => {
    const filter = { vendor: fault.vendor, path: fault.match?.path ?? '' };
    const before = journal.list(filter).length;
    faults.add(fault);
    expect(await deliver(workspace, firing(alertname))).toBe(202);
    await workspace.until(() => journal.list(filter).length > before, `a request to ${filter.path}`);
  };
  await heldUp({ vendor: 'jira', match: { path: '/rest/api/3/search' }, kind: 'hang', times: 1 }, 'Reading');
  await workspace.card(/Firing: Reading/);
  await heldUp(
    { vendor: 'slack', match: { path: '/api/chat.postMessage' }, kind: 'hang', times: 1 },
    'Posting',
  );
  await spawned.bot.kill();
  faults.clear();
  // The lease of the dead process's look is over.
  await rows(workspace, 'update alert_problems set look_at = now() where look_at is not null');
  workspace.bot = await startHere(workspace.sandbox, workspace.env);
});
afterAll(() => finish(workspace));

test('after a kill each alert has one message, with its evidence', async () => {
  for (const alertname of ['Reading', 'Posting']) {
    const card = await workspace.card(new RegExp(`Firing: ${alertname}`), 'ops', 25_000);
    await workspace.becomes(card, /open P1 tickets? in WEB/, 25_000);
  }
  const titles = problemsIn(workspace).map((one) => wordsOf(one).split('·')[0]?.trim());
  expect(titles.sort()).toEqual(['Firing: Posting', 'Firing: Reading']);
});
