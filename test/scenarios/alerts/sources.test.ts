/** Why: PagerDuty's own incidents may be the alert, at night only what still fires later matters, and errors of ours lose none. */
import { writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  alertmanager,
  alertsConfig,
  alertsToken,
  deliver,
  type FiredAlert,
  problemsIn,
} from '../../support/alerts.ts';
import { newestPage, paged } from '../../support/pages.ts';
import { freePort } from '../../support/port.ts';
import { finish, rows, until } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

const secret = 'the-secret-of-a-webhook-for-tests';
const clock = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);

function configWithQuiet(quiet: object | undefined): string {
  const quietly = {
    name: 'nights',
    match: { alertname: 'Night' },
    channel: 'incidents',
    ...(quiet ? { quiet } : {}),
  };
  const pages = {
    name: 'pages',
    doors: ['pagerduty'],
    match: { urgency: 'high' },
    channel: 'payments-alerts',
  };
  return alertsConfig([{ ...pages, service: { label: 'service' }, priority: 'P2' }, quietly], {
    rules: [{ approvers: ['U0ANA'] }],
    caps: { pages_per_hour: 100 },
  });
}

let workspace: Workspace;
beforeAll(async () => {
  const port = await freePort();
  workspace = await Workspace.start({
    config: configWithQuiet({ from: clock(-1), to: clock(2) }),
    sandbox: { webhooks: { url: `http://127.0.0.1:${port}/pagerduty/webhook`, secrets: [secret] } },
    env: { PORT: String(port), PAGERDUTY_WEBHOOK_SECRET: secret, ALERTS_TOKEN: alertsToken },
  });
});
afterEach(() => workspace.resolvePages());
afterAll(() => finish(workspace, /An alert could not be worked on/));

const store = () => workspace.sandbox.pagerduty.store;
const send = (...alerts: FiredAlert[]) => deliver(workspace, alertmanager(alerts));
const worked = () =>
  until(async () => (await rows(workspace, 'select 1 from inbox where done_at is null')).length === 0);

test('an incident that PagerDuty opens is shown as an alert of its service until it is resolved', async () => {
  const about = { title: 'Payments are slow <!here>', incidentKey: 'monitoring-1', by: 'PBEN01' } as const;
  store().create({ service: 'PSPAY01', urgency: 'low', ...about });
  store().create({ service: 'PSPAY01', urgency: 'high', ...about, incidentKey: 'monitoring-2' });
  const card = await workspace.card(/Firing: Payments are slow .* · payments-api/, 'payments-alerts');
  const shown = await workspace.becomes(card, /was notified, not acknowledged yet/);
  expect(wordsOf(shown)).toContain('P2');
  expect(JSON.stringify(shown.blocks)).not.toContain('"type":"broadcast"');
  store().setStatus(newestPage(workspace), 'acknowledged', 'PBEN01');
  await workspace.becomes(card, /, acknowledged/);
  store().setStatus(newestPage(workspace), 'resolved', 'PBEN01');
  await workspace.becomes(card, /^Over: Payments are slow/);
  expect(problemsIn(workspace, 'payments-alerts')).toHaveLength(1);
});

test('a page of ours is not shown again as an alert', async () => {
  const before = problemsIn(workspace, 'payments-alerts').length;
  await paged(workspace, 'Disk full');
  // PagerDuty delivers in order.
  const after = { title: 'After it', incidentKey: 'monitoring-3', urgency: 'high', by: 'PBEN01' } as const;
  store().create({ service: 'PSCHK01', ...after });
  await workspace.card(/Firing: After it/, 'payments-alerts');
  await worked();
  expect(problemsIn(workspace, 'payments-alerts')).toHaveLength(before + 1);
});

test('an alert that cannot be worked on is tried again, and reported if that does not help', async () => {
  const rename = (from: string, to: string) => rows(workspace, `alter table ${from} rename to ${to}`);
  await rename('alerts', 'gone');
  expect(await send({ labels: { alertname: 'Unknown', nth: '1' } })).toBe(202);
  await workspace.until(() => /trying again/.test(workspace.bot.log()), 'a second attempt');
  await rename('gone', 'alerts');
  await workspace.card(/1 alert fits no rule/, 'general');
  await rename('alerts', 'gone');
  expect(await send({ labels: { alertname: 'Unknown', nth: '2' } })).toBe(202);
  await workspace.card(/Alerts could not be worked on.*Look at your monitoring/s, 'general');
  await rename('gone', 'alerts');
});

test('during quiet hours nothing is shown; what still fires afterwards is', async () => {
  const night = (pod: string) => ({ labels: { alertname: 'Night', pod } });
  await send(night('a'), night('b'));
  await send({ ...night('a'), status: 'resolved' });
  await worked();
  expect(problemsIn(workspace, 'incidents')).toEqual([]);
  await writeFile(workspace.env.COUNTERSIGN_CONFIG ?? '', configWithQuiet(undefined));
  expect(await workspace.bot.stop()).toBe(0);
  await rows(workspace, 'update alert_problems set look_at = now() where look_at is not null');
  workspace.bot = await workspace.startAnother();
  const card = await workspace.card(/Firing: Night.*pod=b/s, 'incidents');
  expect(wordsOf(card)).not.toContain('pod=a');
});
