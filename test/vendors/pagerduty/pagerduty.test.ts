import { readFile } from 'node:fs/promises';
import { globalAgent } from 'node:https';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { Faults } from '../../../sandbox/faults.ts';
import { Journal } from '../../../sandbox/journal.ts';
import { type Certificate, makeCertificate } from '../../../sandbox/pagerduty/certificate.ts';
import { startPagerDuty } from '../../../sandbox/pagerduty/server.ts';
import { world } from '../../../sandbox/world.ts';
import { connectPagerDuty, createPagerDutyReader } from '../../../src/vendors/pagerduty/connect.ts';
import { createPageWriter } from '../../../src/vendors/pagerduty/page-writer.ts';
import type { PagerDutyService } from '../../../src/vendors/pagerduty/services.ts';
import { startOddServer } from '../../support/odd-server.ts';

const now = () => new Date('2026-03-10T12:00:00Z');
const closers: (() => Promise<void>)[] = [];
const signal = () => new AbortController().signal;
const anyState = ['triggered', 'acknowledged', 'resolved'] as const;
const services = new Map<string, PagerDutyService>([
  ...world.pagerduty.services.map(({ name, id, integrationKey }): [string, PagerDutyService] => [
    name,
    { id, routingKey: integrationKey },
  ]),
  ['unkeyed', { id: 'PSOPS01', routingKey: null }],
  ['silent', { id: 'PGONE01', routingKey: null }],
]);
const { apiToken: token, fromEmail: from } = world.pagerduty;

const page = {
  service: 'ops',
  dedupKey: 'cs-run-1-page',
  summary: 'OPS has 24 open P1 tickets; the SLA allows 20',
  severity: 'critical' as const,
  details: { requested_by: '@ben', approved_by: '@chiara' },
  mark: 'cs-run-1-page',
  link: { href: 'https://acme.slack.com/archives/C0OPS/p1', text: 'Thread in Slack' },
};

async function start(own: { readonly certificate?: Certificate } = {}) {
  const faults = new Faults();
  const journal = new Journal(now);
  const vendor = await startPagerDuty({ world, faults, journal, now, ...own });
  closers.push(() => vendor.close());
  globalAgent.options.ca = await readFile(vendor.caPath, 'utf8');
  const reader = createPagerDutyReader({ apiUrl: vendor.restUrl, token, now, services });
  const access = { apiUrl: vendor.restUrl, token, from, eventsHost: vendor.eventsHost, services, now };
  const writer = connectPagerDuty(access).writers.pagerduty;
  const sent = () => journal.list({ vendor: 'pagerduty-events' }).length;
  return { access, faults, journal, vendor, reader, writer, sent };
}

afterEach(async () => {
  globalAgent.options.ca = undefined;
  await Promise.all(closers.splice(0).map((close) => close()));
});

test('a page is sent without invisible characters in its summary and its details', async () => {
  const { writer, vendor } = await start();
  const hidden = 'OPS\u202e is\u0007 down\u200b';
  await writer.page({ ...page, summary: hidden, details: { text: hidden } }, signal());
  const [incident] = vendor.store.incidents();
  expect(JSON.stringify(incident)).toContain('OPS is down');
  expect(JSON.stringify(incident)).not.toMatch(/\p{Cf}|\\u0007/u);
});

test("on-call people come from the service's escalation policy, first level first, each once", async () => {
  const { reader } = await start();
  const people = await reader.oncall('ops', signal());
  expect(people[0]).toEqual({
    id: 'PANA01',
    name: 'Ana Ruiz',
    email: 'ana@acme.example',
    level: 1,
    timeZone: 'Europe/Madrid',
    until: expect.stringMatching(/^2026-03-10T18:00:00/),
  });
  expect(people.map(({ level }) => level)).toEqual(people.map(({ level }) => level).toSorted());
  expect(new Set(people.map(({ id }) => id)).size).toBe(people.length);
  await expect(reader.oncall('nowhere', signal())).rejects.toMatchObject({ code: 'unknown_service' });
});

test('a page goes out once under its key with text, people and thread, and can be found again', async () => {
  const { reader, writer, sent, journal } = await start();
  expect(await reader.pageByKey('ops', page.dedupKey, anyState, signal())).toBeNull();
  expect(await writer.page(page, signal())).toEqual({ dedupKey: page.dedupKey });
  expect(sent()).toBe(1);
  expect(journal.list({ vendor: 'pagerduty-events' })[0]?.body).toMatchObject({
    event_action: 'trigger',
    dedup_key: page.dedupKey,
    payload: {
      summary: page.summary,
      severity: 'critical',
      custom_details: { ...page.details, countersign: page.mark },
    },
    links: [page.link],
  });
  expect(await reader.pageByKey('ops', page.dedupKey, anyState, signal())).toMatchObject({
    incident: { state: 'triggered' },
    mark: page.mark,
  });
  expect(await reader.pageByKey('ops', 'cs-run-1-other', anyState, signal())).toBeNull();

  const long = `${'€'.repeat(600)}${'😀'.repeat(300)}`;
  await writer.page({ ...page, dedupKey: 'long', summary: long }, signal());
  expect(journal.list({ vendor: 'pagerduty-events' })[1]?.body).toMatchObject({
    payload: {
      summary: expect.stringMatching(/^€+(😀)+… \(cut; the full text is in the details\)$/u),
      custom_details: { text: long, ...page.details, countersign: page.mark },
    },
  });
});

test('a page is found by its mark although a later one with its key opened another incident', async () => {
  const { reader, writer, vendor } = await start();
  for (const mark of ['cs-run-1-page', 'cs-run-2-page']) {
    await writer.page({ ...page, mark }, signal());
    const [open] = vendor.store.incidents().filter(({ status }) => status !== 'resolved');
    vendor.store.setStatus(open ?? expect.fail(), 'resolved', 'PANA01');
  }
  const found = (mark?: string) => reader.pageByKey(null, page.dedupKey, anyState, signal(), mark);
  expect(await found()).toMatchObject({ mark: 'cs-run-2-page' });
  expect(await found('cs-run-1-page')).toMatchObject({ mark: 'cs-run-1-page' });
  expect(await found('cs-run-3-page')).toMatchObject({ mark: 'cs-run-2-page', noted: false });
  const [first] = vendor.store.incidents();
  await writer.note({ incidentId: first?.id ?? '', text: 'x', mark: 'cs-run-3-page' }, signal());
  const joined = await found('cs-run-3-page');
  expect(joined).toMatchObject({ incident: { id: first?.id }, mark: 'cs-run-1-page', noted: true });
});

test('each failed page knows whether it may have happened, after exactly one request', async () => {
  const { faults, writer, sent } = await start();
  const cases = [
    [{ kind: 'status', status: 400 }, 'refused', false],
    [{ kind: 'status', status: 403 }, 'forbidden', false],
    [{ kind: 'status', status: 429, retryAfterSeconds: 9 }, 'rate_limited', false],
    [{ kind: 'status', status: 500 }, 'vendor_down', true],
    [{ kind: 'status', status: 502, body: '<html>bad gateway</html>' }, 'vendor_down', true],
    [{ kind: 'reset' }, 'connection_lost', true],
    [{ kind: 'lost-answer' }, 'connection_lost', true],
  ] as const;
  for (const [index, [fault, code, mayHaveHappened]] of cases.entries()) {
    faults.add({ vendor: 'pagerduty-events', times: 1, ...fault });
    const sending = writer.page({ ...page, dedupKey: `key-${index}` }, signal());
    await expect(sending).rejects.toMatchObject({ code, mayHaveHappened });
    expect(sent()).toBe(index + 1);
  }
  faults.add({ vendor: 'pagerduty-events', kind: 'status', status: 429, retryAfterSeconds: 9, times: 1 });
  await expect(writer.page(page, signal())).rejects.toMatchObject({ retryAfterMs: 9_000 });

  faults.add({ vendor: 'pagerduty-events', kind: 'hang', times: 1 });
  const controller = new AbortController();
  const hanging = writer.page(page, controller.signal);
  await expect.poll(() => faults.list().length).toBe(0);
  controller.abort();
  await expect(hanging).rejects.toMatchObject({ code: 'timeout', mayHaveHappened: true });
});

test('an accepted page with a truncated answer is a success, because 202 was seen', async () => {
  const { faults, writer, sent } = await start();
  faults.add({ vendor: 'pagerduty-events', kind: 'truncate', times: 1 });
  expect(await writer.page(page, signal())).toEqual({ dedupKey: page.dedupKey });
  expect(sent()).toBe(1);
  const gone = await startOddServer(() => {});
  await gone.close();
  const nowhere = createPageWriter({
    eventsHost: new URL(gone.url).host,
    routing: { of: async () => 'a'.repeat(32) },
    now,
  });
  await expect(nowhere.page(page, signal())).rejects.toMatchObject({
    code: 'unreachable',
    mayHaveHappened: false,
  });
});

test('a service without a key in the settings is paged by the key that PagerDuty tells, asked for once', async () => {
  const { writer, vendor, journal } = await start();
  await writer.page({ ...page, service: 'unkeyed' }, signal());
  await writer.page({ ...page, service: 'unkeyed', dedupKey: 'cs-run-2-page' }, signal());
  expect(vendor.store.incidents().map(({ service }) => service)).toEqual(['PSOPS01', 'PSOPS01']);
  expect(journal.list({ vendor: 'pagerduty-rest' })).toHaveLength(1);
});

test('keys that were looked up at the start serve a page while the REST API is down', async () => {
  const { access, faults, vendor } = await start();
  const { loadKeys, writers } = connectPagerDuty(access);
  expect(await loadKeys(signal())).toEqual(['silent (PGONE01) is no service that the token can see']);
  faults.add({ vendor: 'pagerduty-rest', kind: 'status', status: 500 });
  await writers.pagerduty.page({ ...page, service: 'unkeyed' }, signal());
  expect(vendor.store.incidents()).toHaveLength(1);
});

test('nothing is sent to an untrusted certificate, or for a service without a routing key', async () => {
  const certificate = await makeCertificate();
  onTestFinished(() => certificate.remove());
  const { writer, sent } = await start({ certificate });
  globalAgent.options.ca = undefined;
  await expect(writer.page(page, signal())).rejects.toMatchObject({
    code: 'unreachable',
    mayHaveHappened: false,
    retryable: false,
    message: expect.stringContaining('certificate'),
  });
  const to = (service: string) => writer.page({ ...page, service }, signal());
  await expect(to('silent')).rejects.toMatchObject({ code: 'no_routing_key', mayHaveHappened: false });
  await expect(to('nowhere')).rejects.toMatchObject({ code: 'unknown_service', mayHaveHappened: false });
  expect(sent()).toBe(0);
});

test('REST failures are errors in plain words, a 429 is left to the caller, and no redirect is followed', async () => {
  const { faults, reader, vendor, journal } = await start();
  const stranger = createPagerDutyReader({ apiUrl: vendor.restUrl, token: 'wrong', now, services });
  await expect(stranger.oncall('ops', signal())).rejects.toMatchObject({
    code: 'token_invalid',
    message: expect.stringContaining('PagerDuty says the token is not valid: check PAGERDUTY_API_TOKEN'),
  });
  const before = journal.list({ vendor: 'pagerduty-rest' }).length;
  faults.add({ vendor: 'pagerduty-rest', kind: 'status', status: 429, retryAfterSeconds: 3 });
  await expect(reader.oncall('ops', signal())).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfterMs: 3_000,
  });
  expect(journal.list({ vendor: 'pagerduty-rest' }).length).toBe(before + 1);
  faults.clear();
  for (const [kind, code] of [
    ['reset', 'connection_lost'],
    ['truncate', 'bad_answer'],
  ] as const) {
    faults.add({ vendor: 'pagerduty-rest', kind, times: 1 });
    await expect(reader.oncall('ops', signal())).rejects.toMatchObject({ code, retryable: true });
  }
  const bodies: [number, string, string][] = [
    [302, '', 'redirected'],
    [200, '<html>', 'bad_answer'],
    [200, '{"service":{}}', 'bad_answer'],
    [503, '<html>', 'vendor_down'],
  ];
  const odd = await startOddServer((_request, response, count) => {
    const [status, body] = bodies[count - 1] ?? [500, ''];
    response.writeHead(status, { location: vendor.restUrl, 'content-type': 'text/html' }).end(body);
  });
  closers.push(() => odd.close());
  const oddReader = createPagerDutyReader({ apiUrl: odd.url, token, now, services });
  for (const [, , code] of bodies) {
    await expect(oddReader.oncall('ops', signal())).rejects.toMatchObject({ code });
  }
});
