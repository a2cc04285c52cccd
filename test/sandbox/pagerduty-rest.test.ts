import { api } from '@pagerduty/pdjs';
import { afterEach, expect, test } from 'vitest';
import { Faults } from '../../sandbox/faults.ts';
import { Journal } from '../../sandbox/journal.ts';
import { type PagerDutySandbox, startPagerDuty } from '../../sandbox/pagerduty/server.ts';
import { world } from '../../sandbox/world.ts';

const running: PagerDutySandbox[] = [];
const from = { From: world.pagerduty.fromEmail };

async function start() {
  let clock = new Date('2026-03-10T12:00:00Z');
  const now = () => clock;
  const faults = new Faults();
  const journal = new Journal(now);
  const pagerduty = await startPagerDuty({ world, faults, journal, now });
  running.push(pagerduty);
  return {
    pagerduty,
    faults,
    journal,
    wait(hours: number) {
      clock = new Date(clock.getTime() + hours * 3_600_000);
    },
  };
}

interface Call {
  method?: string;
  data?: object;
  headers?: Record<string, string>;
  query?: Record<string, string | string[]>;
  token?: string;
  signal?: AbortSignal;
}

/** The `url` option is what points pdjs somewhere else; `server` would force https. */
async function call(pagerduty: PagerDutySandbox, path: string, options: Call = {}) {
  const { method = 'GET', data, headers = {}, query, token = world.pagerduty.apiToken, signal } = options;
  const query1 = query === undefined ? {} : { queryParameters: query as Record<string, string> };
  const answer = await api({
    token,
    url: `${pagerduty.restUrl}${path}`,
    method,
    headers,
    requestTimeout: 0,
    ...(data === undefined ? {} : { data }),
    ...(signal === undefined ? {} : { signal }),
    ...query1,
  });
  return { status: answer.status, data: answer.data, next: answer.next };
}

function open(pagerduty: PagerDutySandbox, key: string, service = 'PSOPS01') {
  return pagerduty.store.create({
    service,
    title: `About ${key}`,
    incidentKey: key,
    urgency: 'high',
    by: null,
  });
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.close()));
});

test('pdjs reads services, people and who is on call until when', async () => {
  const { pagerduty, wait } = await start();
  const services = await call(pagerduty, '/services');
  expect(services.data).toMatchObject({ limit: 25, offset: 0, more: false, total: null });
  expect(services.data.services.map((one: { name: string }) => one.name)).toEqual([
    'ops',
    'payments-api',
    'checkout',
  ]);
  const service = await call(pagerduty, '/services/PSOPS01');
  expect(service.data.service).toMatchObject({ status: 'active', escalation_policy: { id: 'PEOPS01' } });
  expect((await call(pagerduty, '/users', { query: { query: 'ben' } })).data.users).toHaveLength(1);

  const query = { 'escalation_policy_ids[]': ['PEOPS01'] };
  const present = await call(pagerduty, '/oncalls', { query });
  expect(present.data.oncalls).toMatchObject([
    {
      user: { id: 'PANA01' },
      escalation_level: 1,
      start: '2026-03-09T18:00:00Z',
      end: '2026-03-10T18:00:00Z',
    },
  ]);
  expect(present.data.oncalls[0].user).not.toHaveProperty('email');
  const included = await call(pagerduty, '/oncalls', { query: { ...query, 'include[]': ['users'] } });
  expect(included.data.oncalls[0].user).toMatchObject({
    type: 'user_reference',
    email: 'ana@acme.example',
    time_zone: 'Europe/Madrid',
  });
  wait(7);
  const evening = await call(pagerduty, '/oncalls', { query });
  expect(evening.data.oncalls).toMatchObject([{ user: { id: 'PCHIARA01' }, end: '2026-03-11T18:00:00Z' }]);
  const weekend = { ...query, since: '2026-03-10T20:00:00Z', until: '2026-03-12T17:00:00Z' };
  const rota = await call(pagerduty, '/oncalls', { query: weekend });
  expect(rota.data.oncalls.map((one: { user: { id: string } }) => one.user.id)).toEqual([
    'PCHIARA01',
    'PANA01',
  ]);

  const checkout = pagerduty.store.service('PSCHK01');
  if (checkout === undefined) throw new Error('the world has no checkout');
  pagerduty.store.setOnCall(checkout, 'PBEN01', new Date('2026-03-10T21:00:00Z'));
  expect(open(pagerduty, 'a', 'PSCHK01').notified).toMatchObject([{ user: 'PBEN01' }]);
  wait(3);
  expect(open(pagerduty, 'b', 'PSCHK01').notified).toMatchObject([{ user: 'PDEV01' }]);
});

test('pdjs lists incidents by key, status and service, page by page', async () => {
  const { pagerduty } = await start();
  for (let number = 1; number <= 30; number += 1)
    open(pagerduty, `key-${number}`, number % 2 === 0 ? 'PSPAY01' : 'PSOPS01');
  const one = await call(pagerduty, '/incidents', {
    query: { incident_key: 'key-7', 'statuses[]': ['triggered'] },
  });
  expect(one.data.incidents).toMatchObject([
    { incident_number: 7, incident_key: 'key-7', service: { id: 'PSOPS01' } },
  ]);

  const first = await call(pagerduty, '/incidents', { query: { limit: '20', total: 'true' } });
  expect(first.data).toMatchObject({ limit: 20, offset: 0, more: true, total: 30 });
  const second = await first.next?.();
  expect(second?.data.incidents).toHaveLength(10);
  expect(second?.data.more).toBe(false);

  const payments = await call(pagerduty, '/incidents', {
    query: { 'service_ids[]': ['PSPAY01'], limit: '100' },
  });
  expect(payments.data.incidents).toHaveLength(15);
  const newest = await call(pagerduty, '/incidents', { query: { sort_by: 'created_at:desc', limit: '1' } });
  expect(newest.data.incidents[0].incident_number).toBe(30);
  expect((await call(pagerduty, '/incidents', { query: { 'statuses[]': ['open'] } })).status).toBe(400);
  expect((await call(pagerduty, '/incidents', { query: { offset: '9990' } })).status).toBe(400);
  const ours = { incident_key: 'key-7', 'service_ids[]': ['PSOPS01'], date_range: 'all' };
  expect((await call(pagerduty, '/incidents', { query: ours })).data.incidents).toHaveLength(1);
  const bad: Record<string, string>[] = [
    { date_range: 'today' },
    { sort_by: 'title:asc' },
    { sort_by: 'created_at' },
    { 'include[]': 'everything' },
  ];
  for (const query of bad) expect((await call(pagerduty, '/incidents', { query })).status).toBe(400);
  expect((await call(pagerduty, '/oncalls', { query: { 'include[]': 'teams' } })).status).toBe(400);
});

test('writing needs a From header of a user; incidents are acknowledged, noted, reassigned and resolved', async () => {
  const { pagerduty, journal } = await start();
  const { id } = open(pagerduty, 'key');
  const acknowledge = { incident: { type: 'incident_reference', status: 'acknowledged' } };
  const put = { method: 'PUT', data: acknowledge };
  expect(await call(pagerduty, `/incidents/${id}`, put)).toMatchObject({
    status: 400,
    data: { error: { code: 2001, errors: ['From header is required'] } },
  });
  const stranger = { ...put, headers: { From: 'nobody@acme.example' } };
  expect(await call(pagerduty, `/incidents/${id}`, stranger)).toMatchObject({
    status: 400,
    data: { error: { message: 'Requester User Not Found' } },
  });
  expect(pagerduty.store.incidents()[0]?.status).toBe('triggered');

  const acknowledged = await call(pagerduty, `/incidents/${id}`, { ...put, headers: from });
  expect(acknowledged.data.incident).toMatchObject({
    status: 'acknowledged',
    acknowledgements: [{ acknowledger: { id: 'PANA01' } }],
    last_status_change_by: { id: 'PANA01' },
  });
  const note = { method: 'POST', data: { note: { content: 'Looking' } }, headers: from };
  expect((await call(pagerduty, `/incidents/${id}/notes`, note)).data.note).toMatchObject({
    content: 'Looking',
  });
  const reassign = {
    incident: { type: 'incident', assignments: [{ assignee: { id: 'PBEN01', type: 'user_reference' } }] },
  };
  await call(pagerduty, `/incidents/${id}`, { method: 'PUT', data: reassign, headers: from });
  expect(pagerduty.store.incidents()[0]?.notified.map((one) => one.user)).toEqual(['PANA01', 'PBEN01']);

  const missing = { id: 'PINONE', type: 'incident', status: 'resolved' };
  const resolve = { id, type: 'incident', status: 'resolved', resolution: 'Scaled up' };
  const both = { method: 'PUT', data: { incidents: [resolve, missing] }, headers: from };
  expect((await call(pagerduty, '/incidents', both)).status).toBe(404);
  expect(pagerduty.store.incidents()[0]?.status).toBe('acknowledged');
  const resolved = await call(pagerduty, '/incidents', { ...both, data: { incidents: [resolve] } });
  expect(resolved.data.incidents).toMatchObject([{ status: 'resolved', assignments: [] }]);
  expect(
    (await call(pagerduty, '/incidents', { ...both, data: { incidents: [resolve] } })).data.error.errors,
  ).toEqual(['Incident Already Resolved']);
  const log = await call(pagerduty, `/incidents/${id}/log_entries`);
  expect(log.data.log_entries.map((one: { type: string }) => one.type.replace('_log_entry', ''))).toEqual([
    'annotate',
    'resolve',
    'notify',
    'assign',
    'annotate',
    'acknowledge',
    'notify',
    'assign',
    'trigger',
  ]);
  expect((await call(pagerduty, `/incidents/${id}/log_entries`, { query: { limit: '3' } })).data.more).toBe(
    true,
  );
  expect(journal.list({ method: 'POST', path: `/incidents/${id}/notes` })[0]?.body).toEqual(note.data);
});

test('an incident can be made over REST once per open key, and only with the right token', async () => {
  const { pagerduty, faults } = await start();
  const incident = {
    type: 'incident',
    title: 'Made by hand',
    service: { id: 'PSPAY01', type: 'service_reference' },
    incident_key: 'k',
  };
  const make = { method: 'POST', data: { incident }, headers: from };
  const made = await call(pagerduty, '/incidents', make);
  expect(made).toMatchObject({ status: 201, data: { incident: { status: 'triggered', incident_key: 'k' } } });
  expect((await call(pagerduty, '/incidents', make)).data.error.errors[0]).toContain('matching dedup key');
  const incomplete = { ...make, data: { incident: { type: 'incident', service: { id: 'PSNONE' } } } };
  expect((await call(pagerduty, '/incidents', incomplete)).data.error.errors).toEqual([
    'Title cannot be empty.',
    'Service cannot be found.',
  ]);
  expect(pagerduty.store.incidents().map((one) => one.notified[0]?.user)).toEqual(['PBEN01']);

  expect(await call(pagerduty, '/services', { token: 'stolen' })).toMatchObject({ status: 401 });
  expect((await call(pagerduty, '/services/PSNONE')).data).toEqual({
    error: { message: 'Not Found', code: 2100 },
  });
  expect((await call(pagerduty, '/nowhere')).status).toBe(404);

  faults.add({
    vendor: 'pagerduty-rest',
    kind: 'status',
    status: 500,
    times: 1,
    match: { path: '/oncalls' },
  });
  expect((await call(pagerduty, '/services')).status).toBe(200);
  expect((await call(pagerduty, '/oncalls')).status).toBe(500);
  faults.add({ vendor: 'pagerduty-rest', kind: 'truncate', times: 1 });
  // The client never notices that the body was cut short: only a signal of ours ends the wait.
  const signal = AbortSignal.timeout(300);
  await expect(call(pagerduty, '/services', { signal })).rejects.toMatchObject({ status: 200 });
  expect(faults.list()).toEqual([]);
});
