import { afterEach, describe, expect, test } from 'vitest';
import { below } from '../../src/vendors/http/egress.ts';
import { createJiraReader } from '../../src/vendors/jira/reader.ts';
import { modelFetch } from '../../src/vendors/model/fetch.ts';
import { createPagerDutyReader } from '../../src/vendors/pagerduty/connect.ts';
import { createPageWriter } from '../../src/vendors/pagerduty/page-writer.ts';
import { createSlackGateway } from '../../src/vendors/slack/gateway.ts';
import { mockHost } from '../support/http-mock.ts';
import { pagerDutyIncident } from '../support/pagerduty-answers.ts';

const now = () => new Date('2026-01-10T12:00:00Z');
const signal = () => AbortSignal.timeout(5_000);
const nobody = { idOf: () => null, emailOf: async () => null };
const anyState = ['triggered', 'acknowledged', 'resolved'] as const;
const services = new Map([['ops', { id: 'PSOPS01', routingKey: 'a'.repeat(32) }]]);
const routing = { of: async () => 'a'.repeat(32) };
const open: ReturnType<typeof mockHost>[] = [];

function host(address: string): ReturnType<typeof mockHost> {
  const mock = mockHost(address);
  open.push(mock);
  return mock;
}

function queryOf(path = ''): Record<string, string> {
  return Object.fromEntries(new URL(path, 'https://vendor.example').searchParams);
}

afterEach(() => {
  for (const mock of open.splice(0)) mock.done();
});

describe('requests to the vendors', () => {
  test('count in Jira Cloud with a limit, basic authentication and escaped literals', async () => {
    const jira = host('https://acme.atlassian.net');
    jira.expect({
      method: 'POST',
      path: '/rest/api/3/search/jql',
      status: 200,
      answer: { issues: Array.from({ length: 24 }, (_, id) => ({ id: String(id) })), isLast: true },
    });
    const reader = createJiraReader({
      host: 'https://acme.atlassian.net',
      email: 'bot@acme.example',
      apiToken: 'secret',
      fetch,
      now,
      priorities: { P1: 'Highest' },
      projects: ['OPS'],
      people: nobody,
    });
    const query = { project: 'OPS', priority: 'P1', status: 'open', text: 'disk "full" OR 1=1' };
    expect(await reader.count(query, signal())).toMatchObject({ total: 24, approximate: false });
    const [sent] = jira.requests;
    expect(sent?.headers.authorization).toBe(
      `Basic ${Buffer.from('bot@acme.example:secret').toString('base64')}`,
    );
    const jql = JSON.stringify(sent?.body);
    expect(jql).toContain('project = \\"OPS\\"');
    expect(jql).toContain('\\"Highest\\"');
    expect(jql).toContain('statusCategory');
    expect(jql).not.toMatch(/"full" OR/);
  });

  test('send one PagerDuty event with our dedup key, and look it up by that key', async () => {
    const events = host('https://events.pagerduty.com');
    events.expect({
      method: 'POST',
      path: '/v2/enqueue',
      status: 202,
      answer: { status: 'success', dedup_key: 'cs-1' },
    });
    const writer = createPageWriter({ eventsHost: 'events.pagerduty.com', routing, now });
    const page = {
      service: 'ops',
      dedupKey: 'cs-1',
      summary: 'OPS has 24',
      severity: 'critical',
      details: {},
      mark: 'cs-run-1-page',
      link: null,
    } as const;
    expect(await writer.page(page, signal())).toEqual({ dedupKey: 'cs-1' });
    // All of it: the event's schema has no other members.
    const payload = {
      summary: 'OPS has 24',
      source: 'countersign',
      severity: 'critical',
      custom_details: { countersign: 'cs-run-1-page' },
    };
    expect(events.requests[0]?.body).toEqual({
      routing_key: 'a'.repeat(32),
      event_action: 'trigger',
      dedup_key: 'cs-1',
      payload,
    });

    const rest = host('https://api.pagerduty.com');
    const incident = pagerDutyIncident({ incident_key: 'cs-1' });
    rest.expect({ method: 'GET', path: /^\/incidents\?/, status: 200, answer: { incidents: [incident] } });
    const alert = {
      alert_key: 'cs-1',
      body: { type: 'alert_body', details: { countersign: 'cs-run-1-page' } },
    };
    rest.expect({
      method: 'GET',
      path: /^\/incidents\/PX1\/alerts\?/,
      status: 200,
      answer: { alerts: [alert] },
    });
    const reader = createPagerDutyReader({
      apiUrl: 'https://api.pagerduty.com',
      token: 'rest-token',
      services,
      now,
    });
    expect(await reader.pageByKey('ops', 'cs-1', ['triggered'], signal())).toMatchObject({
      incident: { id: 'PX1', number: 12, service: 'ops', state: 'triggered' },
      mark: 'cs-run-1-page',
    });
    expect(rest.requests[0]?.headers).toMatchObject({
      authorization: 'Token token=rest-token',
      accept: 'application/vnd.pagerduty+json;version=2',
    });
    expect(queryOf(rest.requests[0]?.path)).toEqual({
      incident_key: 'cs-1',
      'service_ids[]': 'PSOPS01',
      'statuses[]': 'triggered',
      date_range: 'all',
      sort_by: 'created_at:desc',
    });
  });

  test('search in Jira with only the documented members, and ignore extra ones in the answer', async () => {
    const jira = host('https://acme.atlassian.net');
    const self = 'https://acme.atlassian.net/rest/api/3';
    const status = {
      self: `${self}/status/1`,
      name: 'To Do',
      id: '1',
      statusCategory: { id: 2, key: 'new' },
    };
    const times = { created: '2026-01-09T10:00:00.000+0100', updated: '2026-01-09T11:30:00.000+0100' };
    const issue = {
      expand: 'renderedFields,names,schema,operations,editmeta,changelog,versionedRepresentations',
      id: '10001',
      self: `${self}/issue/10001`,
      key: 'OPS-1',
      // A project without the priority field, and an unassigned issue.
      fields: {
        summary: 'Disk full',
        project: { projectTypeKey: 'software' },
        status,
        priority: null,
        assignee: null,
        ...times,
      },
    };
    const first = { issues: [issue], nextPageToken: 'next', isLast: false };
    const answers = [first, { issues: [], nextPageToken: null, isLast: true }];
    for (const answer of answers) {
      jira.expect({ method: 'POST', path: '/rest/api/3/search/jql', status: 200, answer });
    }
    const reader = createJiraReader({
      host: 'https://acme.atlassian.net',
      email: 'bot@acme.example',
      apiToken: 'secret',
      fetch,
      now,
      priorities: {},
      projects: ['OPS'],
      people: nobody,
    });
    const found = await reader.search({ project: 'OPS' }, { limit: 10, order: 'newest' }, signal());
    expect(found).toMatchObject({
      more: false,
      issues: [{ key: 'OPS-1', priority: '', assignee: '', url: 'https://acme.atlassian.net/browse/OPS-1' }],
    });
    const jql = 'project = "OPS" ORDER BY created DESC';
    const fields = [
      'summary',
      'status',
      'priority',
      'assignee',
      'project',
      'created',
      'updated',
      'resolutiondate',
    ];
    expect(jira.requests.map(({ body }) => body)).toEqual([
      { jql, fields, maxResults: 10 },
      { jql, fields, maxResults: 9, nextPageToken: 'next' },
    ]);
    expect(jira.requests[0]?.headers).toMatchObject({
      accept: 'application/json',
      'content-type': 'application/json',
    });
  });

  test("look up the on-call people of all levels and pages, with PagerDuty's names", async () => {
    const rest = host('https://api.pagerduty.com');
    const policy = { id: 'PEOPS01', type: 'escalation_policy_reference', summary: 'ops' };
    const service = {
      id: 'PSOPS01',
      status: 'active',
      escalation_policy: policy,
      acknowledgement_timeout: null,
    };
    rest.expect({ method: 'GET', path: '/services/PSOPS01', status: 200, answer: { service } });
    const user = { id: 'PANA01', type: 'user', name: 'Ana Ruiz', email: 'ana@acme.example' };
    const reference = { id: 'PBOT01', type: 'user_reference', summary: 'Ben Okafor', email: null };
    const entry = { escalation_policy: policy, schedule: null, start: null };
    const page = (oncalls: object[], more: boolean) => ({
      oncalls,
      limit: 100,
      offset: 0,
      more,
      total: null,
    });
    const always = { ...entry, user: reference, escalation_level: 2, end: null };
    const shift = { ...entry, user, escalation_level: 1, end: '2026-01-10T18:00:00Z' };
    rest.expect({ method: 'GET', path: /^\/oncalls\?/, status: 200, answer: page([always], true) });
    rest.expect({ method: 'GET', path: /^\/oncalls\?/, status: 200, answer: page([shift], false) });
    const reader = createPagerDutyReader({
      apiUrl: 'https://api.pagerduty.com',
      token: 'rest-token',
      services,
      now,
    });
    expect(await reader.oncall('ops', signal())).toEqual([
      { id: 'PANA01', name: 'Ana Ruiz', email: 'ana@acme.example', level: 1, until: '2026-01-10T18:00:00Z' },
      { id: 'PBOT01', name: 'Ben Okafor', email: '', level: 2, until: null },
    ]);
    const asked = {
      'escalation_policy_ids[]': 'PEOPS01',
      'include[]': 'schedules',
      time_zone: 'UTC',
      limit: '100',
    };
    expect(rest.requests.slice(1).map(({ path }) => queryOf(path))).toEqual([
      { ...asked, offset: '0' },
      { ...asked, offset: '100' },
    ]);
  });

  test('post a Slack message without live names or previews, and report a refusal', async () => {
    const slack = host('https://slack.com');
    slack.expect({
      method: 'POST',
      path: '/api/chat.postMessage',
      status: 200,
      answer: { ok: true, channel: 'C1', ts: '1.2' },
    });
    slack.expect({
      method: 'POST',
      path: '/api/chat.postMessage',
      status: 200,
      answer: { ok: false, error: 'not_in_channel' },
    });
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const gateway = createSlackGateway({
      token: 'xoxb-1',
      apiUrl: 'https://slack.com/api/',
      log,
      fetch,
      now,
    });
    const message = { text: 'hello', blocks: [] };
    expect(await gateway.post({ channel: 'C1', message, key: 'k1' })).toEqual({ channel: 'C1', ts: '1.2' });
    const sent = new URLSearchParams(String(slack.requests[0]?.body));
    expect(Object.fromEntries(sent)).toMatchObject({
      link_names: 'false',
      unfurl_links: 'false',
      unfurl_media: 'false',
    });
    expect(sent.get('metadata')).toContain('k1');
    await expect(gateway.post({ channel: 'C9', message, key: 'k2' })).rejects.toMatchObject({
      code: 'slack_not_in_channel',
      retryable: false,
      mayHaveHappened: false,
    });
  });
});

test("a token or key repeated in a vendor's or proxy's refusal is in no message", async () => {
  const routingKey = 'a'.repeat(32);
  host('https://events.pagerduty.com').expect({
    method: 'POST',
    path: '/v2/enqueue',
    status: 400,
    answer: { message: 'Event object is invalid', errors: [`routing_key ${routingKey} is not known`] },
  });
  const writer = createPageWriter({ eventsHost: 'events.pagerduty.com', routing, now });
  const page = {
    service: 'ops',
    dedupKey: 'cs-1',
    summary: 'x',
    severity: 'critical',
    details: {},
    mark: 'm',
  } as const;
  await expect(writer.page({ ...page, link: null }, signal())).rejects.toMatchObject({
    message: expect.stringMatching(/routing_key \[secret\] is not known/),
  });

  host('https://api.pagerduty.com').expect({
    method: 'GET',
    path: /^\/incidents\?/,
    status: 401,
    answer: { error: 'Token token=rest-token is not valid' },
  });
  const access = { apiUrl: 'https://api.pagerduty.com', token: 'rest-token', services, now };
  await expect(
    createPagerDutyReader(access).pageByKey('ops', 'cs-1', anyState, signal()),
  ).rejects.toMatchObject({
    message: expect.not.stringContaining('rest-token'),
  });

  const basic = Buffer.from('bot@acme.example:jira-token').toString('base64');
  host('https://acme.atlassian.net').expect({
    method: 'POST',
    path: '/rest/api/3/search/jql',
    status: 400,
    answer: { errorMessages: [`Header "Basic ${basic}" (bot@acme.example:jira-token) was not accepted`] },
  });
  const jira = createJiraReader({
    ...{ host: 'https://acme.atlassian.net', email: 'bot@acme.example', apiToken: 'jira-token' },
    ...{ fetch, now, priorities: {}, projects: ['OPS'], people: nobody },
  });
  await expect(jira.count({ project: 'OPS' }, signal())).rejects.toMatchObject({
    message: expect.stringMatching(/"Basic \[secret\]" \(bot@acme.example:\[secret\]\)/),
  });
});

test('a redirected page is in doubt, and another incident is not our page', async () => {
  const elsewhere = mockHost('https://evil.example');
  elsewhere.expect({ method: 'POST', path: '/v2/enqueue', status: 202 });
  const headers = { location: 'https://evil.example/v2/enqueue' };
  const redirected = { method: 'POST', path: '/v2/enqueue', status: 302, answer: {}, headers } as const;
  host('https://events.pagerduty.com').expect(redirected);
  const writer = createPageWriter({ eventsHost: 'events.pagerduty.com', routing, now });
  const page = {
    service: 'ops',
    dedupKey: 'cs-1',
    summary: 'x',
    severity: 'critical',
    details: {},
    mark: 'm',
  } as const;
  await expect(writer.page({ ...page, link: null }, signal())).rejects.toMatchObject({
    code: 'redirected',
    mayHaveHappened: true,
  });
  const incident = pagerDutyIncident({ incident_key: 'another' });
  const answer = { incidents: [incident] };
  host('https://api.pagerduty.com').expect({ method: 'GET', path: /^\/incidents\?/, status: 200, answer });
  const access = { apiUrl: 'https://api.pagerduty.com', token: 'rest-token', services, now };
  expect(await createPagerDutyReader(access).pageByKey('ops', 'cs-1', anyState, signal())).toBeNull();
  expect(() => elsewhere.done()).toThrow('never came');
});

test('no address leaves the configured host, however it is written', async () => {
  const base = new URL('https://acme.atlassian.net');
  expect(below(base, '/rest/api/3/x?y=1').href).toBe('https://acme.atlassian.net/rest/api/3/x?y=1');
  for (const path of ['//evil.example/x', '/\\evil.example/x', '@evil.example/', 'https://evil.example/x']) {
    expect(below(base, path).host).toBe(base.host);
  }
  const sent: unknown[] = [];
  const model = modelFetch('https://model.example/v1', 'key', async (address) => {
    sent.push(address);
    return new Response('{}');
  });
  await expect(model('https://evil.example/v1/chat/completions')).rejects.toMatchObject({
    code: 'model_egress',
  });
  expect(sent).toEqual([]);
  await model('https://model.example/v1/chat/completions');
  expect(sent).toHaveLength(1);
});
