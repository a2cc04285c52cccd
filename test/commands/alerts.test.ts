import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { alertmanager, alertsConfig } from '../support/alerts.ts';
import { cli } from '../support/cli.ts';

let folder: string;
const rules = [
  {
    name: 'shop',
    match: { team: 'shop', alertname: { prefix: 'High' } },
    service: { label: 'service' },
    channel: 'ops',
    priority: 'P1',
    reads: { playbook: 'alert-evidence' },
    propose: [{ playbook: 'escalation', inputs: { key: { label: 'ticket' } } }],
  },
  {
    name: 'writes',
    match: { alertname: 'W' },
    channel: 'ops',
    service: 'ops',
    reads: { playbook: 'escalation' },
  },
  { name: 'watchdog', match: { alertname: 'Watchdog' }, ignore: true },
];
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'countersign-alerts-'));
  await writeFile(path.join(folder, 'countersign.yml'), alertsConfig(rules));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function tried(body: string, ...more: readonly string[]) {
  const file = path.join(folder, 'payload.json');
  await writeFile(file, body);
  const env = { COUNTERSIGN_CONFIG: path.join(folder, 'countersign.yml') };
  return cli(['alerts', 'test', file, ...more], { env });
}
const labels = { alertname: 'HighErrorRate', team: 'shop', service: 'checkout', ticket: 'WEB-1' };

test('it shows the rule of each alert, what it reads and what it proposes', async () => {
  const { code, out } = await tried(alertmanager([{ labels }, { labels: { alertname: 'Watchdog' } }]));
  expect(out).toMatch(/^HighErrorRate \(firing, .*\): rule shop, #ops, service checkout, P1$/m);
  expect(out).toMatch(
    / {2}reads alert-evidence\n.*pagerduty\.oncall service=checkout\n.*jira\.search project=WEB/,
  );
  expect(out).toMatch(/ {2}proposes escalation\n(?: {4}.*\n)*.*pagerduty\.page service=checkout/);
  expect(out).toMatch(/^Watchdog .*: rule watchdog, which ignores it$/m);
  expect(code).toBe(0);
});

test('it names the missing input, and fails for it', async () => {
  const strange = { ...labels, service: 'nobody', ticket: 'x" text="y' };
  const { code, out } = await tried(
    alertmanager([{ labels: strange }, { labels: { a: 'b' } }, { labels: { alertname: 'W' } }]),
  );
  expect(code).toBe(1);
  expect(out).toContain('service nobody, which is not in countersign.yml');
  expect(out).toMatch(/proposes escalation: not possible: key must be a Jira issue key/);
  expect(out).toMatch(/no rule fits its labels: a=b/);
  expect(out).toMatch(/reads escalation: not possible: it writes \(pagerduty\.page\)/);
});

test('a payload that its door does not take, or another door, is said', async () => {
  expect((await tried('{}')).out).toMatch(/is no payload that the door prometheus \(alertmanager\) takes/);
  const other = await tried('{}', '--door', 'grafana');
  expect(other.code).not.toBe(0);
  expect(other.text).toMatch(/Say with --door .* countersign\.yml has prometheus/);
});
