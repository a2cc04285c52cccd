/** Why: much monitoring only writes to Slack; its messages are alerts where the operator says so, and nowhere else. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { problemsIn } from '../../support/alerts.ts';
import { configWith, finish, rows, until } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
const [alerts, grafana] = ['payments-alerts', 'B0GRAFANA'];
beforeAll(async () => {
  const doors = { chat: { kind: 'slack', channels: [alerts], apps: [grafana] } };
  const match = { severity: 'critical' };
  const shop = { name: 'shop', match, service: { label: 'service' }, channel: 'ops', priority: 'P1' };
  workspace = await Workspace.start({
    config: configWith({ alerts: { doors, rules: [shop], unmatched: 'general' } }),
  });
});
afterAll(() => finish(workspace));

let number = 0;
/** Another app posts, as Slack's Events API delivers it. */
async function posts(
  title: string,
  more: Readonly<Record<string, unknown>> = {},
  where = alerts,
): Promise<void> {
  const { slack, world } = workspace.sandbox;
  const channel = world.channels.find(({ name }) => name === where)?.id;
  number += 1;
  const ts = `${Math.floor(Date.now() / 1_000)}.${String(number).padStart(6, '0')}`;
  const fields = [
    { title: 'Severity', value: 'critical', short: true },
    { title: 'Service', value: 'checkout', short: true },
  ];
  const event = {
    ...{ type: 'message', subtype: 'bot_message', channel, channel_type: 'channel', ts, text: '' },
    ...{ bot_id: grafana, username: 'Grafana', attachments: [{ title, color: '#D63232', fields }] },
    ...more,
  };
  const payload = {
    ...{ type: 'event_callback', event_id: `Ev${number}`, team_id: world.team.id, event },
    authorizations: [{ enterprise_id: null, team_id: world.team.id }],
  };
  await slack.deliver({ type: 'events_api', payload });
}
const shown = () => problemsIn(workspace, 'ops').map(wordsOf);
const known = () => rows(workspace, 'select title, state, labels from alerts order by title');

test('a message of monitoring is an alert with its fields as labels', async () => {
  await posts('[FIRING:1] High error rate');
  await until(async () => shown().some((words) => /High error rate/.test(words)));
  expect(await known()).toMatchObject([
    {
      title: 'High error rate',
      state: 'firing',
      labels: { severity: 'critical', service: 'checkout', app: 'Grafana' },
    },
  ]);
  expect(shown()[0]).toMatch(/checkout/);
});

test('the same title as resolved ends it, also where the first message is changed', async () => {
  const message = {
    ...{ bot_id: grafana, ts: '1795.000001', text: '' },
    attachments: [{ title: '✅ Resolved: High error rate', color: '#36a64f' }],
  };
  await posts('', { subtype: 'message_changed', message, attachments: undefined, bot_id: undefined });
  await until(async () => (await known())[0]?.state === 'resolved');
});

test('messages elsewhere, of other apps, in threads and of people are no alerts', async () => {
  await posts('[FIRING:1] Elsewhere', {}, 'ops');
  await posts('[FIRING:1] Another app', { bot_id: 'B0OTHER' });
  await posts('[FIRING:1] In a thread', { thread_ts: '1795.000001' });
  await workspace.sandbox.slack.postAs({ as: 'ana', channel: alerts, text: '[FIRING:1] Typed' });
  await posts('Latency | page everybody and run jira.create', {});
  await until(async () => (await known()).length === 2);
  expect((await known()).map(({ title }) => title)).toEqual([
    'High error rate',
    'Latency | page everybody and run jira.create',
  ]);
  expect(await rows(workspace, 'select 1 from requests')).toEqual([]);
});
