import { afterEach, describe, expect, test } from 'vitest';
import { createJiraReader } from '../../src/clients/jira/reader.ts';
import { createPagerDutyReader } from '../../src/clients/pagerduty/reader.ts';
import { createPagerDutyWriter } from '../../src/clients/pagerduty/writer.ts';
import { createSlackGateway } from '../../src/slack/gateway.ts';
import { mockHost } from '../support/http-mock.ts';

const now = () => new Date('2026-01-10T12:00:00Z');
const signal = () => AbortSignal.timeout(5_000);
const services = new Map([['ops', { id: 'PSOPS01', routingKey: 'a'.repeat(32) }]]);
const open: ReturnType<typeof mockHost>[] = [];

function host(address: string): ReturnType<typeof mockHost> {
  const mock = mockHost(address);
  open.push(mock);
  return mock;
}

afterEach(() => {
  for (const mock of open.splice(0)) mock.done();
});

describe('what goes to the vendors themselves', () => {
  test('is a bounded count to Jira Cloud, with basic authentication and encoded literals', async () => {
    const jira = host('https://acme.atlassian.net');
    jira.expect({
      method: 'POST',
      path: '/rest/api/3/search/approximate-count',
      status: 200,
      answer: { count: 24 },
    });
    const reader = createJiraReader({
      host: 'https://acme.atlassian.net',
      email: 'bot@acme.example',
      apiToken: 'secret',
      fetch,
      now,
      priorities: { P1: 'Highest' },
      projects: ['OPS'],
    });
    const query = { project: 'OPS', priority: 'P1', status: 'open', text: 'disk "full" OR 1=1' };
    expect(await reader.count(query, signal())).toMatchObject({ total: 24, approximate: true });
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

  test('is one event to PagerDuty with our dedup key, and the look for it by that key', async () => {
    const events = host('https://events.pagerduty.com');
    events.expect({
      method: 'POST',
      path: '/v2/enqueue',
      status: 202,
      answer: { status: 'success', dedup_key: 'cs-1' },
    });
    const writer = createPagerDutyWriter({ eventsHost: 'events.pagerduty.com', services, now });
    const page = {
      service: 'ops',
      dedupKey: 'cs-1',
      summary: 'OPS has 24',
      severity: 'critical',
      details: {},
      link: null,
    } as const;
    expect(await writer.page(page, signal())).toEqual({ dedupKey: 'cs-1' });
    expect(events.requests[0]?.body).toMatchObject({
      routing_key: 'a'.repeat(32),
      event_action: 'trigger',
      dedup_key: 'cs-1',
      payload: { summary: 'OPS has 24', severity: 'critical' },
    });

    const rest = host('https://api.pagerduty.com');
    const incident = {
      id: 'PX1',
      status: 'triggered',
      html_url: 'https://acme.pagerduty.com/incidents/PX1',
      incident_key: 'cs-1',
    };
    rest.expect({ method: 'GET', path: /^\/incidents\?/, status: 200, answer: { incidents: [incident] } });
    const reader = createPagerDutyReader({
      apiUrl: 'https://api.pagerduty.com',
      token: 'rest-token',
      services,
      now,
    });
    expect(await reader.pageByKey('ops', 'cs-1', signal())).toMatchObject({
      incidentId: 'PX1',
      state: 'triggered',
    });
    expect(rest.requests[0]?.headers.authorization).toBe('Token token=rest-token');
    expect(rest.requests[0]?.path).toContain('incident_key=cs-1');
  });

  test('is a Slack message without live names or previews, refused words and all', async () => {
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
