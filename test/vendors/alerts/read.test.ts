import { expect, test } from 'vitest';
import type { AlertDoor } from '../../../src/vendors/alerts/door.ts';
import { readAlerts } from '../../../src/vendors/alerts/read.ts';

const none = new Set<string>();
const read = (body: unknown, format: AlertDoor['format'], needed: ReadonlySet<string> = none) =>
  readAlerts(typeof body === 'string' ? body : JSON.stringify(body), format, needed);

/** Grafana's example of its webhook, shortened. */
const grafana = {
  receiver: 'My Super Webhook',
  status: 'firing',
  orgId: 1,
  alerts: [
    {
      status: 'firing',
      labels: { alertname: 'High memory usage', team: 'blue', zone: 'us-1' },
      annotations: {
        description: 'The system has high memory usage',
        summary: 'This alert was triggered for zone us-1',
      },
      startsAt: '2021-10-12T09:51:03.157076+02:00',
      endsAt: '0001-01-01T00:00:00Z',
      values: { B: 44.23943737541908, C: 1 },
      generatorURL: 'https://play.grafana.org/alerting/1afz29v7z/edit',
      fingerprint: 'c6eadffa33fcdf37',
      silenceURL: 'https://play.grafana.org/alerting/silence/new?alertmanager=grafana',
      dashboardURL: 'https://play.grafana.org/d/abc',
      panelURL: 'https://play.grafana.org/d/abc?viewPanel=2',
    },
  ],
  groupLabels: {},
  version: '1',
  title: '[FIRING:1]',
  state: 'alerting',
};

test('Grafana’s alerts lead to their panel', () => {
  expect(read(grafana, { kind: 'grafana' })).toEqual({
    unread: 0,
    alerts: [
      {
        fingerprint: 'c6eadffa33fcdf37',
        state: 'firing',
        labels: { alertname: 'High memory usage', team: 'blue', zone: 'us-1' },
        title: 'High memory usage',
        text: 'This alert was triggered for zone us-1',
        since: '2021-10-12T07:51:03.157Z',
        until: null,
        link: 'https://play.grafana.org/d/abc?viewPanel=2',
      },
    ],
  });
});

test('Alertmanager’s end of an alert has its time, and the year 1 is none', () => {
  const alert = {
    status: 'resolved',
    labels: { alertname: 'A' },
    startsAt: '2026-11-29T10:00:00Z',
    endsAt: '2026-11-29T10:05:00Z',
  };
  const body = {
    version: '4',
    alerts: [alert, { ...alert, startsAt: '0001-01-01T00:00:00Z', fingerprint: 'x' }],
  };
  const { alerts = [] } = read(body, { kind: 'alertmanager' }) ?? {};
  expect(alerts.map(({ since, until }) => [since, until])).toEqual([
    ['2026-11-29T10:00:00.000Z', '2026-11-29T10:05:00.000Z'],
    [null, '2026-11-29T10:05:00.000Z'],
  ]);
});

test('alerts that cannot be read, and those left out by the sender, are counted', () => {
  const body = {
    alerts: [{ status: 'on fire', labels: {} }, 7, { status: 'firing', labels: { a: 'b' } }],
    truncatedAlerts: 3,
  };
  expect(read(body, { kind: 'alertmanager' })).toMatchObject({
    unread: 5,
    alerts: [{ title: 'Alert without a name' }],
  });
});

test('a label that a rule names is kept among thousands', () => {
  const labels = Object.fromEntries(
    Array.from({ length: 5_000 }, (_one, nth) => [`a${nth}`, 'x'.repeat(900)]),
  );
  const alert = { status: 'firing', labels: { ...labels, zone: 'z', __proto__: 'p' } };
  const [one] = read({ alerts: [alert] }, { kind: 'alertmanager' }, new Set(['zone']))?.alerts ?? [];
  expect(one?.labels.zone).toBe('z');
  expect(Object.keys(one?.labels ?? {})).toHaveLength(41);
  expect(Math.max(...Object.values(one?.labels ?? {}).map(({ length }) => length))).toBe(300);
});

test('at most a thousand alerts of a delivery are taken', () => {
  const alerts = Array.from({ length: 1_500 }, (_one, nth) => ({
    status: 'firing',
    labels: { nth: String(nth) },
  }));
  const found = read({ alerts }, { kind: 'alertmanager' });
  expect([found?.alerts.length, found?.unread]).toEqual([1_000, 500]);
});

test('Datadog’s tags are labels, and a group of a monitor is one alert from beginning to end', () => {
  const body = {
    id: '1234',
    cycle: '9876',
    transition: 'Triggered',
    title: '[Triggered on {host:web-1}] CPU is high',
    text: 'CPU over 90 %',
    tags: 'env:prod,service:checkout,url:https://a.b,lonely',
    scope: 'host:web-1',
    priority: 'P2',
    link: 'https://app.datadoghq.com/monitors/1234',
    date: '1795932000000',
  };
  const [fired] = read(body, { kind: 'datadog' })?.alerts ?? [];
  const [over] =
    read({ ...body, cycle: '1', transition: 'Recovered', date: '1795932600000' }, { kind: 'datadog' })
      ?.alerts ?? [];
  expect(fired).toMatchObject({
    ...{ state: 'firing', title: 'CPU is high', since: '2026-11-29T06:00:00.000Z', until: null },
    labels: {
      env: 'prod',
      service: 'checkout',
      url: 'https://a.b',
      lonely: '',
      scope: 'host:web-1',
      priority: 'P2',
      monitor: '1234',
    },
  });
  expect(over).toMatchObject({
    state: 'resolved',
    until: '2026-11-29T06:10:00.000Z',
    fingerprint: fired?.fingerprint,
  });
  const [again] = read({ ...body, transition: 'Renotify' }, { kind: 'datadog' })?.alerts ?? [];
  expect(again).toMatchObject({ state: 'firing', since: null });
});

test('an alarm of CloudWatch fires, is over, and says nothing without data', () => {
  const alarm = {
    AlarmName: 'checkout-5xx',
    AlarmDescription: 'More than 5 % of requests fail',
    AWSAccountId: '123456789012',
    NewStateValue: 'ALARM',
    NewStateReason: 'Threshold Crossed',
    StateChangeTime: '2026-11-29T06:00:00.000+0000',
    Region: 'EU (Ireland)',
    AlarmArn: 'arn:aws:cloudwatch:eu-west-1:123456789012:alarm:checkout-5xx',
    Trigger: {
      MetricName: '5XXError',
      Namespace: 'AWS/ApiGateway',
      Dimensions: [{ name: 'ApiName', value: 'checkout' }],
    },
  };
  const sns = { kind: 'sns' } as const;
  expect(read(alarm, sns)?.alerts[0]).toMatchObject({
    ...{
      state: 'firing',
      title: 'checkout-5xx',
      since: '2026-11-29T06:00:00.000Z',
      fingerprint: alarm.AlarmArn,
    },
    labels: { ApiName: 'checkout', alarm: 'checkout-5xx', metric: '5XXError', namespace: 'AWS/ApiGateway' },
  });
  expect(read({ ...alarm, NewStateValue: 'OK' }, sns)?.alerts[0]).toMatchObject({
    state: 'resolved',
    until: '2026-11-29T06:00:00.000Z',
  });
  expect(read({ ...alarm, NewStateValue: 'INSUFFICIENT_DATA' }, sns)).toEqual({ alerts: [], unread: 0 });
  expect(read({ hello: 'world' }, sns)).toBeNull();
});

test('any JSON is read by pointers', () => {
  const fields = {
    alerts: '/data/items',
    id: '/key',
    state: '/status',
    resolved: ['GREEN'],
    title: '/name',
    since: '/times/0',
    link: '/a~1b',
    labels: '/tags',
    label: { service: '/owner/~0app' },
  };
  const item = {
    ...{
      key: 7,
      status: 'red',
      name: 'Queue',
      times: [1_795_932_000],
      'a/b': 'https://x.example',
      tags: { env: 'prod', deep: {} },
    },
    owner: { '~app': 'checkout' },
  };
  const found = read(
    { data: { items: [item, { ...item, status: 'green' }, { name: 'no state' }] } },
    { kind: 'json', fields },
  );
  expect(found?.unread).toBe(1);
  expect(found?.alerts.map(({ state }) => state)).toEqual(['firing', 'resolved']);
  expect(found?.alerts[0]).toEqual({
    ...{
      fingerprint: '7',
      state: 'firing',
      labels: { env: 'prod', service: 'checkout' },
      title: 'Queue',
      text: '',
    },
    ...{ since: '2026-11-29T06:00:00.000Z', until: null, link: 'https://x.example' },
  });
  expect(read({ data: {} }, { kind: 'json', fields })).toBeNull();
});

test('a body that is no JSON, or far too deep, is no delivery', () => {
  for (const kind of ['alertmanager', 'grafana', 'datadog', 'sns'] as const)
    for (const body of ['', '{', 'null', '[]', '7', '['.repeat(100_000)])
      expect(read(body, { kind })).toBeNull();
});
