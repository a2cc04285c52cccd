/** Why: under an alert people leave out what the thread is about, and a whole request there is no answer to an old question. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { alertmanager, alertsConfig, alertsToken, deliver } from '../../support/alerts.ts';
import { freePort } from '../../support/port.ts';
import { finish } from '../../support/scenario.ts';
import { actionsOf, labelsOf, type Message, Workspace } from '../../support/workspace.ts';

let workspace: Workspace;
let alert: Message;
const disk = {
  title: 'Disk full',
  urgency: 'high',
  by: null,
  service: 'PSOPS01',
  incidentKey: 'disk',
} as const;
beforeAll(async () => {
  workspace = await Workspace.start({
    sandbox: { isLive: true, databaseServer: inject('postgresUrl') },
    config: alertsConfig(
      ['Slow', 'Down'].map((alertname) => ({
        ...{ name: alertname.toLowerCase(), match: { alertname } },
        ...{ channel: 'ops', service: { label: 'service' } },
      })),
    ),
    env: { PORT: String(await freePort()), ALERTS_TOKEN: alertsToken },
  });
  workspace.sandbox.pagerduty.store.create(disk);
  await deliver(workspace, alertmanager([{ labels: { alertname: 'Slow', service: 'checkout' } }]));
  alert = await workspace.card(/Firing: Slow.*#1/s);
});
afterAll(() => finish(workspace));

const mention = (text: string, { channel, ts }: Message) =>
  workspace.sandbox.slack.postAs({ as: 'ben', channel, text: `<@U0COUNTER> ${text}`, threadTs: ts });

test('whole requests under an open question are planned by themselves', async () => {
  await workspace.plan('ben', 'roll back');
  const question = await workspace.card(/roll back.*Which service is this about/s);
  await mention('whos on call', question);
  await workspace.reply(question, /on call for/);
  await mention('roll back payments-api', question);
  const card = await workspace.reply(question, /Roll back payments-api/);
  expect(actionsOf(card.blocks)).toContain('plan.approve');
  const answered = await workspace.card(/Which service is this about.*answered:\s+roll back payments-api/s);
  expect(actionsOf(answered.blocks)).toEqual([]);
});

test('a whole request in place of the one in question closes the question', async () => {
  await workspace.plan('ben', 'page the boss of payments-api');
  const question = await workspace.card('I’m not sure about “boss”.');
  expect(actionsOf(question.blocks).length).toBeGreaterThan(0);
  await mention('how many P1 are open in PAY?', question);
  await workspace.reply(question, /open P1 tickets in PAY/);
  const closed = await workspace.card(/boss.*answered:\s+how many P1 are open in PAY/s);
  expect(actionsOf(closed.blocks)).toEqual([]);
});

test.each([
  ['roll back', /Roll back checkout/],
  ['page them', /Page the on-call of checkout/],
  ['ack', /acknowledges? incident #1/i],
])('in the thread of an alert, “%s” is about its service and incident', async (said, shown) => {
  await mention(said, alert);
  const card = await workspace.reply(alert, shown);
  expect(actionsOf(card.blocks)).toContain('plan.approve');
});

test('where an alert has several incidents, those of its service are offered first', async () => {
  const { store } = workspace.sandbox.pagerduty;
  store.create({ ...disk, title: 'Basket', service: 'PSCHK01', incidentKey: 'basket' });
  store.create({ ...disk, title: 'Disk slow', incidentKey: 'disk-2' });
  await deliver(workspace, alertmanager([{ labels: { alertname: 'Down', service: 'checkout' } }]));
  const down = await workspace.card(/Firing: Down.*Basket/s);
  await mention('ack', down);
  const question = await workspace.reply(down, /Which PagerDuty incident/);
  const services = labelsOf(question.blocks).map((label) => /^#\d+ (\S+):/u.exec(label)?.[1]);
  expect(services).toEqual(['checkout', 'checkout', 'ops', 'ops']);
});
