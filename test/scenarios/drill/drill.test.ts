/** Why: operators see what an alert would lead to before one fires, and nothing happens while they look. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { alertmanager, alertsConfig, alertsToken } from '../../support/alerts.ts';
import { cli } from '../../support/cli.ts';
import { freePort } from '../../support/port.ts';
import { finish, rows } from '../../support/scenario.ts';
import { Workspace } from '../../support/workspace.ts';

const folder = mkdtempSync(join(tmpdir(), 'countersign-drill-'));
const rule = {
  ...{ name: 'shop', match: { team: 'shop' }, service: { label: 'service' }, channel: 'ops', priority: 'P1' },
  reads: { playbook: 'alert-evidence' },
  propose: [
    {
      playbook: 'incident-kick-off',
      inputs: {
        ...{ what: { label: 'alertname' }, channel: '#incidents', service: { label: 'service' } },
        ...{ project: 'OPS', priority: 'P1' },
      },
    },
  ],
};
const settings = (approvers: readonly string[]) =>
  alertsConfig([rule], { rules: [{ name: 'all', approvers }] });

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start({
    config: settings(['U0ANA']),
    env: { PORT: String(await freePort()), ALERTS_TOKEN: alertsToken },
  });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await finish(workspace);
});

async function drill(...args: string[]) {
  return cli(['drill', ...args], { env: { ...workspace.sandbox.env, ...workspace.env } });
}

/** Calls of vendors that change something. */
function writes() {
  return workspace.sandbox.journal.list().filter(({ vendor, method, path }) => {
    if (vendor === 'pagerduty-events') return true;
    if (vendor === 'slack') return /\/(chat|views|conversations\.(open|join)|reactions)/.test(path);
    return method !== 'GET' && !/\/(search|jql|approximate-count|query)/.test(path);
  });
}

const counts = () =>
  rows(
    workspace,
    `select (select count(*) from requests) as requests, (select count(*) from audit) as lines,
      (select count(*) from outbox) as messages, (select count(*) from alert_problems) as problems`,
  );

test('an alert is played with its reads, its card and who could approve, and nothing is written or stored', async () => {
  const [made, stored] = [writes().length, await counts()];
  const { code, text } = await drill('CheckoutSlow');
  expect(text).toMatch(/^CheckoutSlow \(firing, \w+\): rule shop, #ops, service checkout, P1$/m);
  expect(text).toMatch(/ {2}reads\n {4}.*pagerduty\.oncall service=checkout\n {6}succeeded: \{/);
  expect(text).toMatch(/ {2}card\n(.*\n)*.*\| .*Approvers: @U0ANA/);
  expect(text).toMatch(/jira\.create .*\n {6}skipped: Dry run: would create a ticket in OPS/);
  expect(code).toBe(0);
  expect(writes()).toHaveLength(made);
  expect(await counts()).toEqual(stored);
  expect(workspace.pages()).toEqual([]);
  // The bot's own writes are seen.
  await workspace.plan('ben', 'how many open P1 tickets are in OPS');
  await workspace.card(/24 open P1 tickets in OPS/);
  expect(writes().length).toBeGreaterThan(made);
});

test('fails where nobody could approve, or the alert fits no rule', async () => {
  const file = join(folder, 'countersign.yml');
  writeFileSync(file, settings([]));
  const env = { ...workspace.sandbox.env, ...workspace.env, COUNTERSIGN_CONFIG: file };
  const { code, text } = await cli(['drill', 'CheckoutSlow'], { env });
  expect([code, text]).toEqual([1, expect.stringContaining('Nobody may approve')]);
  const payload = join(folder, 'payload.json');
  writeFileSync(payload, alertmanager([{ labels: { alertname: 'Strange', host: 'build-7' } }]));
  const strange = await drill(payload);
  expect([strange.code, strange.text]).toEqual([1, expect.stringContaining('no rule fits its labels')]);
});

test('a read that fails is shown with its reason, and fails the drill', async () => {
  workspace.sandbox.faults.add({ vendor: 'pagerduty-rest', kind: 'status', status: 503 });
  const { code, text } = await drill('CheckoutSlow');
  workspace.sandbox.faults.clear();
  expect(text).toMatch(/pagerduty\.oncall service=checkout\n {6}failed: /);
  expect(code).toBe(1);
});
