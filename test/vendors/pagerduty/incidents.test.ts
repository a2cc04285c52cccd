import { afterEach, expect, test } from 'vitest';
import { Faults } from '../../../sandbox/faults.ts';
import { Journal } from '../../../sandbox/journal.ts';
import { startPagerDuty } from '../../../sandbox/pagerduty/server.ts';
import { world } from '../../../sandbox/world.ts';
import { connectPagerDuty, createPagerDutyReader } from '../../../src/vendors/pagerduty/connect.ts';
import { pagerDutyIncident } from '../../support/pagerduty-answers.ts';

let clock = new Date('2026-03-10T12:00:00Z');
const now = () => clock;
const signal = () => new AbortController().signal;
const { apiToken: token, readOnlyToken, fromEmail: from } = world.pagerduty;
/** Without checkout, so that there are incidents of an unconfigured service. */
const services = new Map(
  world.pagerduty.services.slice(0, 2).map(({ name, id }) => [name, { id, routingKey: null }]),
);
const closers: (() => Promise<void>)[] = [];

async function start() {
  clock = new Date('2026-03-10T12:00:00Z');
  const faults = new Faults();
  const journal = new Journal(now);
  const vendor = await startPagerDuty({ world, faults, journal, now });
  closers.push(() => vendor.close());
  const access = { apiUrl: vendor.restUrl, token, from, eventsHost: vendor.eventsHost, now, services };
  const open = (incidentKey: string, more: { service?: string; urgency?: 'high' | 'low' } = {}) =>
    vendor.store.create({
      ...{ service: 'PSOPS01', title: `About ${incidentKey}`, incidentKey, urgency: 'high', by: null },
      ...more,
    });
  const sent = () => journal.list({ vendor: 'pagerduty-rest' });
  const reader = createPagerDutyReader(access);
  return { access, faults, vendor, open, sent, reader, writer: connectPagerDuty(access).writers.pagerduty };
}

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

test('an incident is found by id, number and key, and names our service', async () => {
  const { reader, open } = await start();
  const { id } = open('disk');
  const expected = {
    ...{ id, number: 1, title: 'About disk', state: 'triggered', urgency: 'high' },
    ...{ service: 'ops', serviceName: 'ops', url: `https://acme-sandbox.pagerduty.com/incidents/${id}` },
    ...{
      createdAt: '2026-03-10T12:00:00Z',
      assigned: ['Ana Ruiz'],
      changedAt: '2026-03-10T12:00:00Z',
      changedBy: 'ops',
    },
  };
  expect(await reader.incident(id, signal())).toEqual(expected);
  expect(await reader.incident('1', signal())).toEqual(expected);
  expect(await reader.incidentByKey('disk', signal())).toEqual(expected);
  expect(await reader.incident('PNONE99', signal())).toBeNull();
  expect(await reader.incidentByKey('dis', signal())).toBeNull();
  const other = open('basket', { service: 'PSCHK01' });
  expect(await reader.incident(other.id, signal())).toMatchObject({ service: null, serviceName: 'checkout' });
});

test('a list is filtered by PagerDuty, counts every match, and passes on the time range', async () => {
  const { reader, open, sent } = await start();
  open('old');
  clock = new Date('2026-03-10T14:00:00Z');
  for (const key of ['a', 'b', 'c']) open(key);
  open('low', { urgency: 'low' });
  open('pay', { service: 'PSPAY01' });
  const since = new Date('2026-03-10T13:00:00Z');
  const filter = {
    services: ['ops'],
    urgency: 'high',
    states: ['triggered'],
    order: 'oldest',
    limit: 2,
  } as const;
  const { total, incidents } = await reader.incidents({ ...filter, since }, signal());
  expect([total, incidents.map(({ title }) => title)]).toEqual([3, ['About a', 'About b']]);
  expect(sent().at(-1)?.query).toEqual({
    'service_ids[]': ['PSOPS01'],
    'urgencies[]': ['high'],
    'statuses[]': ['triggered'],
    since: [since.toISOString()],
    sort_by: ['created_at:asc'],
    limit: ['2'],
    total: ['true'],
  });
  expect((await reader.incidents({ ...filter, order: 'newest' }, signal())).total).toBe(4);
  const until = new Date('2026-03-10T13:30:00Z');
  expect((await reader.incidents({ ...filter, since, until }, signal())).total).toBe(0);
  expect(sent().at(-1)?.query).toMatchObject({ since: [since.toISOString()], until: [until.toISOString()] });
  await expect(
    reader.incidents({ ...filter, services: ['ops', 'checkout'] }, signal()),
  ).rejects.toMatchObject({
    code: 'unknown_service',
  });
  const longAgo = { ...filter, since: new Date('2025-01-01T00:00:00Z') };
  await expect(reader.incidents(longAgo, signal())).rejects.toThrow(/Date range cannot exceed 6 months/);
});

test('a long list is read page by page, and each incident counts once', async () => {
  const { reader, open, sent } = await start();
  for (let count = 0; count < 230; count += 1) open(`key-${count}`);
  const filter = { states: ['triggered'], order: 'newest', limit: 1_000 } as const;
  const all = await reader.incidents(filter, signal());
  expect([all.total, new Set(all.incidents.map(({ id }) => id)).size]).toEqual([230, 230]);
  expect(sent().map(({ query }) => [query.limit, query.offset ?? ['0']])).toEqual([
    [['100'], ['0']],
    [['100'], ['100']],
    [['100'], ['200']],
  ]);
  const part = await reader.incidents({ ...filter, limit: 120 }, signal());
  expect([part.total, part.incidents.length, sent().at(-1)?.query.limit]).toEqual([230, 120, ['20']]);
});

test('a note and a change are one request each, in the name of the configured user', async () => {
  const { reader, writer, open, vendor, sent } = await start();
  const incident = open('disk');
  const note = { incidentId: incident.id, text: 'failed over\u202e', mark: 'cs-run-1-note' };
  const { id } = await writer.note(note, signal());
  expect(sent()).toMatchObject([
    { method: 'POST', body: { note: { content: 'failed over\n[cs-run-1-note]' } } },
  ]);
  expect(await reader.noteByMark(incident.id, 'cs-run-1-note', signal())).toBe(id);
  expect(await reader.noteByMark(incident.id, 'cs-run-1-not', signal())).toBeNull();
  clock = new Date('2026-03-10T12:05:00Z');
  expect(await writer.setState(incident.id, 'acknowledged', signal())).toMatchObject({
    ...{ state: 'acknowledged', changedBy: 'Ana Ruiz', changedAt: '2026-03-10T12:05:00Z' },
  });
  expect(sent().at(-1)?.body).toEqual({ incident: { type: 'incident_reference', status: 'acknowledged' } });
  expect(await writer.setState(incident.id, 'resolved', signal())).toMatchObject({ state: 'resolved' });
  const ours = { user: 'PANA01', content: 'failed over\n[cs-run-1-note]' };
  expect(vendor.store.incidents()).toMatchObject([{ status: 'resolved', notes: [ours] }]);
});

test('a refused write names the wrong setting, and certainly did not happen', async () => {
  const { access, open, vendor } = await start();
  const { id: incidentId } = open('disk');
  const note = { incidentId, text: 'x', mark: 'm' };
  const reading = connectPagerDuty({ ...access, token: readOnlyToken }).writers.pagerduty;
  await expect(reading.note(note, signal())).rejects.toMatchObject({
    ...{ code: 'forbidden', mayHaveHappened: false },
    message: expect.stringMatching(/Access Denied\. .* need a PAGERDUTY_API_TOKEN that is not read-only\.$/),
  });
  const stranger = connectPagerDuty({ ...access, from: 'nobody@acme.example' }).writers.pagerduty;
  await expect(stranger.setState(incidentId, 'resolved', signal())).rejects.toMatchObject({
    ...{ code: 'from_unknown', mayHaveHappened: false },
    message: expect.stringMatching(/no user nobody@acme\.example.*check PAGERDUTY_FROM_EMAIL/),
  });
  expect(vendor.store.incidents()).toMatchObject([{ status: 'triggered', notes: [] }]);
});

test('a failed write knows whether it may have happened, after exactly one request', async () => {
  const { faults, writer, open, sent } = await start();
  const { id } = open('disk');
  const cases = [
    [
      { kind: 'status', status: 429, retryAfterSeconds: 7 },
      { code: 'rate_limited', mayHaveHappened: false, retryAfterMs: 7_000 },
    ],
    [
      { kind: 'status', status: 500 },
      { code: 'vendor_down', mayHaveHappened: true },
    ],
    [{ kind: 'lost-answer' }, { code: 'connection_lost', mayHaveHappened: true }],
    [
      { kind: 'status', status: 200, body: '<html>' },
      { code: 'bad_answer', mayHaveHappened: true },
    ],
    [
      { kind: 'status', status: 200, body: { incident: { id: 'PX1' } } },
      { code: 'bad_answer', mayHaveHappened: true },
    ],
  ] as const;
  for (const [index, [fault, expected]] of cases.entries()) {
    faults.add({ vendor: 'pagerduty-rest', times: 1, ...fault });
    await expect(writer.setState(id, 'acknowledged', signal())).rejects.toMatchObject(expected);
    expect(sent()).toHaveLength(index + 1);
  }
});

test.each([
  ['another incident than was asked for', '/incidents/', { incident: pagerDutyIncident({ id: 'POTHER1' }) }],
  [
    'an incident without a number',
    '/incidents/',
    { incident: { ...pagerDutyIncident(), incident_number: '12' } },
  ],
  ['a state that is none', '/incidents/', { incident: pagerDutyIncident({ status: 'snoozed' }) }],
])('%s is an invalid answer', async (_what, path, body) => {
  const { faults, reader } = await start();
  faults.add({ vendor: 'pagerduty-rest', kind: 'status', status: 200, match: { path }, body });
  await expect(reader.incident('PX1', signal())).rejects.toMatchObject({ code: 'bad_answer' });
});

test('past incidents are those that PagerDuty finds alike, and none where the account has no such list', async () => {
  const { reader, faults, vendor, open } = await start();
  const [first, , last] = ['disk', 'queue', 'disk again'].map((title) => open(title));
  for (const one of vendor.store.incidents()) if (one !== last) vendor.store.setStatus(one, 'resolved', null);
  const past = () => reader.pastIncidents(last?.id ?? '', signal());
  expect((await past())[0]).toBe(first?.id);
  for (const status of [402, 403, 404]) {
    faults.add({ vendor: 'pagerduty-rest', kind: 'status', status, times: 1 });
    expect(await past()).toEqual([]);
  }
  faults.add({ vendor: 'pagerduty-rest', kind: 'status', status: 401, times: 1 });
  await expect(past()).rejects.toMatchObject({ code: 'token_invalid' });
});
