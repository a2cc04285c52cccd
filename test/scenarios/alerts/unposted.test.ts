/** Why: while Slack takes no message about an alert, nothing else may suffer, and once it takes one people see the alert. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { alertmanager, alertsConfig, alertsToken, deliver, problemsIn } from '../../support/alerts.ts';
import { freePort } from '../../support/port.ts';
import { finish, rows, until } from '../../support/scenario.ts';
import { Workspace } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  const rule = { service: { label: 'service' }, channel: 'ops', reads: { playbook: 'alert-evidence' } };
  const inputs = { what: { label: 'alertname' }, channel: '#incidents', project: 'OPS', priority: 'P1' };
  const propose = [{ playbook: 'incident-kick-off', inputs: { ...inputs, service: { label: 'service' } } }];
  const rules = [
    { ...rule, name: 'proposes', match: { alertname: 'Proposes' }, propose },
    { ...rule, name: 'shows', match: { alertname: { prefix: 'Shows' } } },
  ];
  workspace = await Workspace.start({
    config: alertsConfig(rules),
    env: { PORT: String(await freePort()), ALERTS_TOKEN: alertsToken },
  });
});
afterEach(() => workspace.sandbox.faults.clear());
afterAll(() => finish(workspace));

const fire = (alertname: string) =>
  deliver(workspace, alertmanager([{ labels: { alertname, service: 'checkout' } }]));
const posts = { vendor: 'slack', match: { path: '/api/chat.postMessage' }, kind: 'status' } as const;

test('while Slack takes no message PagerDuty is not asked over and over, and the card follows the message', async () => {
  const { faults, journal } = workspace.sandbox;
  const tries = () => workspace.bot.log().split('Message delivery postponed').length - 1;
  const asked = () => journal.list({ path: '/incidents' }).length;
  faults.add({ ...posts, status: 503 });
  expect(await fire('Proposes')).toBe(202);
  const waits = `select id from alert_problems where evidence is not null and look_at > now() + interval '10 seconds'`;
  await until(async () => tries() >= 4 && (await rows(workspace, waits)).length === 1);
  const before = asked();
  await workspace.until(() => tries() >= 5, 'another try to post');
  expect(asked()).toBe(before);
  faults.clear();
  const alert = await workspace.card(/Firing: Proposes/, 'ops', 25_000);
  await workspace.reply(alert, /asked/);
}, 60_000);

test('an alert whose message Slack refused is shown when the channel takes messages again', async () => {
  const body = { ok: false, error: 'channel_not_found' };
  workspace.sandbox.faults.add({ ...posts, status: 200, body, times: 1 });
  expect(await fire('Shows')).toBe(202);
  const refused = () => rows(workspace, "select id from outbox where state = 'dead' and key like 'alert:%'");
  await until(async () => (await refused()).length === 1);
  const told = "select payload::text as words from outbox where key like 'lost:%'";
  expect(JSON.stringify(await rows(workspace, told))).toContain('Firing: Shows');
  await rows(workspace, "update outbox set created_at = created_at - interval '1 hour' where state = 'dead'");
  expect(await fire('ShowsMore')).toBe(202);
  await workspace.card(/Firing: Shows, ShowsMore · checkout/);
  await until(async () => (await refused()).length === 0);
  expect(problemsIn(workspace).filter(({ text }) => text?.includes('ShowsMore'))).toHaveLength(1);
});
