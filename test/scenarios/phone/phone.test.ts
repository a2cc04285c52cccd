/** Why: an outage is read on a phone, and Slack takes only so much: what matters stays, in messages and on buttons. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { alertmanager, alertsConfig, alertsToken, deliver } from '../../support/alerts.ts';
import { freePort } from '../../support/port.ts';
import { finish } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  const weak = Array.from({ length: 8 }, (_, nth) => ({
    ...{ id: `too-many-${nth}`, services: ['checkout'] },
    sentence: `More than ${nth + 1},000 tickets about the payment provider in region number ${nth} are open.`,
    check: `tickets = jira.count project={project} priority=P1 status=open text="region ${nth}"\nsupported when tickets.total > ${nth + 1}000`,
    runbook: `https://acme.example/runbooks/payment-providers/region-number-${nth}/too-many-tickets`,
  }));
  const rule = { name: 'shop', match: { team: 'shop' }, service: { label: 'service' }, channel: 'ops' };
  const rules = [{ ...rule, reads: { playbook: 'alert-evidence' } }];
  workspace = await Workspace.start({
    config: alertsConfig(rules, { causes: weak }),
    sandbox: { databaseServer: inject('postgresUrl') },
    env: { PORT: String(await freePort()), ALERTS_TOKEN: alertsToken },
  });
});
afterAll(() => finish(workspace));

test('an alert shows the first steps of the runbook and one short log line of a supported cause', async () => {
  const labels = { alertname: 'SlowCheckout', team: 'shop', service: 'checkout' };
  expect(await deliver(workspace, alertmanager([{ labels }]))).toBe(202);
  const alert = await workspace.card(/Firing: SlowCheckout.*✓ Supported/s, 'ops');
  expect(JSON.stringify(alert.blocks)).toContain('"style":"ordered"');
  const said = wordsOf(alert);
  expect(said.match(/connection pool exhausted: waited/g)).toHaveLength(1);
  expect(said).not.toMatch(/acquirer northbank|\(8 of 8 in use\)/);
  expect(said).toMatch(
    /Ask for the errors of checkout in the last hour\..*Look for a deploy.*pool\.max 40 → 8/s,
  );
  expect(said).not.toContain('First five minutes');
});

test('many refuted causes take a line each, and leave room for what was read besides', async () => {
  await workspace.plan('dev', 'why is checkout failing', 'incidents');
  const said = wordsOf(await workspace.card('Investigate checkout', 'incidents'));
  expect(said).toMatch(/1 cause supported, 9 refuted/);
  for (const fact of [
    '1 open PagerDuty incident of checkout',
    '230 errors',
    /PAY-E-2201\s+·\s+entries: /,
    'pool.max 40 → 8',
    'is on call for checkout',
  ])
    expect(said).toMatch(fact);
  expect(said).not.toMatch(/does not fit|Not shown/);
  expect(said).not.toMatch(/Refuted:[^✗]*Runbook/);
});

test('the buttons of a question keep the words in which they differ, whole numbers, and how often a watch looks', async () => {
  await workspace.plan(
    'dev',
    'watch checkout errors every 5 min and page checkout if over 100, stop at 6am',
    'general',
  );
  const watch = wordsOf(await workspace.card(/Which of these do you mean/, 'general'));
  expect(watch).toMatch(/Every 5 min\S*: Page .*errors of checkout is more than 100/);
  expect(watch).toMatch(/Every 5 min\S*: Page .*since 06:00 is more than 100/);
  await workspace.plan('dev', 'if carts stuck > 100 page checkout', 'general');
  const carts = wordsOf(await workspace.card(/if carts stuck/, 'general'));
  expect(carts).toMatch(/Page .*checkout .*waiting carts is more than 100(?!\d)/);
});
