/** Why: an incident begins with an alert, and whoever is woken needs the evidence before the questions. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { alertmanager, alertsConfig, alertsToken, deliver, problemsIn } from '../../support/alerts.ts';
import { freePort } from '../../support/port.ts';
import { finish, rows } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  const rules = [
    {
      name: 'shop',
      match: { team: 'shop', severity: ['critical', 'page'] },
      service: { label: 'service' },
      channel: 'ops',
      priority: 'P1',
      reads: { playbook: 'alert-evidence' },
    },
  ];
  workspace = await Workspace.start({
    config: alertsConfig(rules),
    env: { PORT: String(await freePort()), ALERTS_TOKEN: alertsToken },
  });
});
afterAll(() => finish(workspace));

test('an alert is shown in the channel of its rule with what its playbook reads', async () => {
  const labels = { alertname: 'HighErrorRate', team: 'shop', severity: 'critical', service: 'checkout' };
  const body = alertmanager([{ labels, annotations: { summary: 'Checkout answers 12 % with 500' } }]);
  expect(await deliver(workspace, body)).toBe(202);
  const first = await workspace.card(/Firing: HighErrorRate · checkout/);
  const shown = await workspace.becomes(first, /on call for checkout/);
  const words = wordsOf(shown);
  expect(words).toContain('Checkout answers 12 % with 500');
  expect(words).toMatch(/open P1 tickets? in WEB/);
  expect(words).toMatch(/PagerDuty: /);
  expect(shown.text).toBe('Firing: HighErrorRate · checkout');
  expect(problemsIn(workspace)).toHaveLength(1);
  const kept = await rows(
    workspace,
    "select count(*)::int as n from inbox where key like 'alerts:%' and done_at is null",
  );
  expect(kept).toEqual([{ n: 0 }]);
});
