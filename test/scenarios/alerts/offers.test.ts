/** Why: an alert may propose what people approve; it approves nothing, and its words decide nothing. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { alertmanager, alertsConfig, alertsToken, deliver, type FiredAlert } from '../../support/alerts.ts';
import { newestPage } from '../../support/pages.ts';
import { freePort } from '../../support/port.ts';
import { buttonValue, clickPayload, finish, rows, until } from '../../support/scenario.ts';
import { actionsOf, type Message, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  const match = (alertname: string) => ({
    name: alertname.toLowerCase(),
    match: { alertname },
    channel: 'ops',
  });
  const service = { label: 'service' };
  const kickOff = {
    playbook: 'incident-kick-off',
    inputs: { what: { label: 'what' }, channel: '#incidents', service, project: 'OPS', priority: 'P1' },
  };
  const follow = { playbook: 'escalation', inputs: { key: { label: 'ticket' } } };
  const rules = [
    { ...match('Proposes'), service, propose: [{ ...kickOff }, follow] },
    { ...match('Quiet'), service, propose: [{ ...kickOff }] },
    { ...match('Paged'), service },
  ];
  workspace = await Workspace.start({
    config: alertsConfig(rules, { rules: [{ approvers: ['U0ANA'] }], caps: { pages_per_hour: 100 } }),
    env: { PORT: String(await freePort()), ALERTS_TOKEN: alertsToken },
  });
});
afterEach(() => workspace.resolvePages());
afterAll(() => finish(workspace));

const send = (...alerts: FiredAlert[]) => deliver(workspace, alertmanager(alerts));
const replies = (card: Message, words: RegExp) =>
  workspace.messages(card.channel).filter((one) => one.threadTs === card.ts && words.test(wordsOf(one)));

test('a rule proposes cards in the thread of the alert, which run after an approval and not before', async () => {
  const labels = {
    alertname: 'Proposes',
    service: 'ops',
    what: 'Disk array degraded <!channel>',
    ticket: 'not a key',
  };
  await send({ labels });
  const alert = await workspace.card(/Firing: Proposes/);
  const card = await workspace.reply(alert, /The alert rule “proposes” asked/);
  expect(actionsOf(card.blocks)).toContain('plan.approve');
  expect(JSON.stringify(card.blocks)).not.toMatch(/"type":"broadcast"/);
  await workspace.reply(alert, /escalation is not proposed.*key must be/s);
  expect(workspace.pages()).toEqual([]);
  await send({ labels });
  await workspace.click('ana', card, 'plan.approve');
  await until(async () => workspace.pages().length === 1);
  await until(
    async () =>
      (await rows(workspace, "select 1 from runs where mode = 'run' and state = 'running'")).length === 0,
  );
  expect(replies(alert, /The alert rule/)).toHaveLength(1);
  const [granted] = await rows(workspace, 'select approver from grants');
  expect(granted).toEqual({ approver: 'U0ANA' });
});

test('when the alert is over, its card is withdrawn', async () => {
  const labels = { alertname: 'Quiet', service: 'payments-api', what: 'Queue is full' };
  await send({ labels });
  const alert = await workspace.card(/Firing: Quiet/);
  const card = await workspace.reply(alert, /The alert rule “quiet” asked/);
  await send({ labels, status: 'resolved' });
  await workspace.becomes(alert, /^Over: Quiet/);
  const closed = await workspace.becomes(card, /The alert is over/);
  expect(actionsOf(closed.blocks)).not.toContain('plan.approve');
});

test('Acknowledge takes the incident of PagerDuty by the rules for approval, and the message shows who has it', async () => {
  const store = workspace.sandbox.pagerduty.store;
  const about = {
    title: 'checkout: 500s',
    incidentKey: 'monitoring-7',
    urgency: 'high',
    by: 'PBEN01',
  } as const;
  store.create({ service: 'PSOPS01', ...about });
  const incident = newestPage(workspace);
  await send({ labels: { alertname: 'Paged', service: 'ops' } });
  const alert = await workspace.card(/Firing: Paged.*was notified, not acknowledged yet/s);
  // A button that names another incident than the message shows.
  const forged = { as: 'ana', message: alert, actionId: 'alert.ack' };
  const value = `${buttonValue(alert, 'alert.ack')?.split(':')[0]}:PI00001`;
  await workspace.sandbox.slack.deliver({
    type: 'interactive',
    payload: clickPayload(workspace, { ...forged, value }),
  });
  await workspace.whisper('ana', /That button is out of date/);
  await workspace.click('ana', alert, 'alert.ack');
  await until(async () => incident.status === 'acknowledged');
  await workspace.becomes(alert, /acknowledged(?! yet)/);
  expect(actionsOf((await workspace.becomes(alert, /, acknowledged/)).blocks)).toEqual([]);
  const [grant] = await rows(workspace, 'select approver from grants order by created_at desc limit 1');
  expect(grant).toEqual({ approver: 'U0ANA' });
});

test('an alert that is over offers the review of its incident, also when that was resolved before', async () => {
  const labels = { alertname: 'Paged', service: 'ops' };
  const alert = await workspace.card(/Firing: Paged.*, acknowledged/s);
  const { number } = newestPage(workspace);
  await workspace.plan('ben', `pagerduty.resolve incident=${number}`);
  await workspace.click('ana', await workspace.card(/pagerduty.resolve incident/), 'plan.approve');
  await workspace.becomes(alert, /no open incident, so nobody was woken/);
  await send({ labels, status: 'resolved' });
  const over = await workspace.becomes(alert, /^Over: Paged/);
  expect(actionsOf(over.blocks)).toEqual(['alert.review']);
  await workspace.click('ben', over, 'alert.review');
  const review = wordsOf(await workspace.whisper('ben', /^Review of/));
  expect(review).toMatch(/Alert\s+“Paged” fired.*Acknowledged.*Alert\s+“Paged” ended/s);
  expect(review).toMatch(/Approved\s+by.*Acknowledge/s);
});

test('an alert whose words ask to page somebody makes no request', async () => {
  const before = await rows(workspace, 'select count(*)::int as n from requests');
  const summary = '/plan page ops "wake up", run escalation key=OPS-1 service=ops, and page Ana now';
  await send({
    labels: { alertname: 'Paged', service: 'checkout' },
    annotations: { summary, description: summary },
  });
  await workspace.card(/Firing: Paged · checkout.*PagerDuty:.*Rule paged/s);
  expect(await rows(workspace, 'select count(*)::int as n from requests')).toEqual(before);
  expect(workspace.pages().filter(({ status }) => status !== 'resolved')).toEqual([]);
});
