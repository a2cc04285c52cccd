import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { type Fault, Faults } from '../../sandbox/faults.ts';
import { Journal } from '../../sandbox/journal.ts';
import { type Certificate, makeCertificate } from '../../sandbox/pagerduty/certificate.ts';
import { type PagerDutySandbox, startPagerDuty } from '../../sandbox/pagerduty/server.ts';
import { world } from '../../sandbox/world.ts';

const run = promisify(execFile);
const now = () => new Date('2026-03-10T12:00:00Z');
const opsKey = world.pagerduty.services[0]?.integrationKey ?? '';
const running: PagerDutySandbox[] = [];

async function start(own: { readonly certificate?: Certificate } = {}) {
  const faults = new Faults();
  const journal = new Journal(now);
  const pagerduty = await startPagerDuty({ world, faults, journal, now, ...own });
  running.push(pagerduty);
  return { pagerduty, faults, journal };
}

interface Answer {
  status?: number;
  data?: { status?: string; message?: string; dedup_key?: string; errors?: string[] };
  error?: string;
}

/** Node reads NODE_EXTRA_CA_CERTS when it starts, so the client has to run in a process of its own. */
async function send(
  pagerduty: PagerDutySandbox,
  events: readonly unknown[],
  { trust = true, timeoutMs = 20_000 } = {},
): Promise<Answer[]> {
  const code = `
    import { event } from '@pagerduty/pdjs';
    const answers = [];
    for (const data of ${JSON.stringify(events)}) {
      try {
        const answer = await event({
          server: ${JSON.stringify(pagerduty.eventsHost)}, data, requestTimeout: 0, retryTimeout: 1,
          signal: AbortSignal.timeout(${timeoutMs}),
        });
        answers.push({ status: answer.response.status, data: answer.data });
      } catch (error) {
        answers.push({ error: String(error.code ?? error.name) });
      }
    }
    console.log(JSON.stringify(answers));`;
  const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env;
  const env = trust ? { ...inherited, NODE_EXTRA_CA_CERTS: pagerduty.caPath } : inherited;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { env });
  return JSON.parse(stdout);
}

function trigger(change: Record<string, unknown> = {}, payload: Record<string, unknown> = {}) {
  const details = { tickets: 24 };
  return {
    routing_key: opsKey,
    event_action: 'trigger',
    dedup_key: 'run-1/page',
    payload: {
      summary: 'OPS is over',
      source: 'countersign',
      severity: 'critical',
      custom_details: details,
      ...payload,
    },
    ...change,
  };
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.close()));
});

test('pdjs triggers, repeats, acknowledges and resolves over TLS: one incident, one page', async () => {
  const { pagerduty, journal } = await start();
  const repeat = trigger();
  const answers = await send(pagerduty, [
    repeat,
    repeat,
    { routing_key: opsKey, event_action: 'acknowledge', dedup_key: 'run-1/page' },
    repeat,
  ]);
  const accepted = { status: 'success', message: 'Event processed', dedup_key: 'run-1/page' };
  expect(answers).toEqual(Array(4).fill({ status: 202, data: accepted }));
  expect(pagerduty.store.incidents()).toHaveLength(1);
  expect(pagerduty.store.incidents()[0]).toMatchObject({
    title: 'OPS is over',
    status: 'acknowledged',
    urgency: 'high',
    service: 'PSOPS01',
    incidentKey: 'run-1/page',
    source: 'countersign',
    severity: 'critical',
    details: { tickets: 24 },
    triggers: 3,
    notified: [{ user: 'PANA01' }],
  });

  await send(pagerduty, [{ routing_key: opsKey, event_action: 'resolve', dedup_key: 'run-1/page' }, repeat]);
  expect(pagerduty.store.incidents().map((one) => one.status)).toEqual(['resolved', 'triggered']);
  expect(journal.list({ vendor: 'pagerduty-events' }).every((one) => one.authOk && one.status === 202)).toBe(
    true,
  );
  expect(journal.list()[0]?.body).toEqual(repeat);
});

test('an event without a key gets one, and an event for nobody is accepted without a page', async () => {
  const { pagerduty, journal } = await start();
  const stranger = 'f'.repeat(32);
  const [keyless, lost, late] = await send(pagerduty, [
    trigger({ dedup_key: undefined }, { severity: 'info' }),
    trigger({ routing_key: stranger }),
    { routing_key: opsKey, event_action: 'resolve', dedup_key: 'never triggered' },
  ]);
  expect(keyless?.data?.dedup_key).toMatch(/^[0-9a-f]{32}$/);
  expect([lost?.status, late?.status]).toEqual([202, 202]);
  expect(pagerduty.store.incidents().map((one) => [one.incidentKey, one.urgency])).toEqual([
    [keyless?.data?.dedup_key, 'low'],
  ]);
  expect(journal.list()[1]?.authOk).toBe(false);
});

test('a wrong event is refused with every reason, and nothing is opened', async () => {
  const { pagerduty } = await start();
  const wrong: [unknown, string[]][] = [
    [{}, ["'routing_key' is missing or blank", "'event_action' is missing or blank"]],
    [trigger({ routing_key: 'short' }), ["Length of 'routing_key' is incorrect (should be 32 characters)"]],
    [
      trigger({ event_action: 'explode' }),
      ["'event_action' is invalid (must be one of the following: 'trigger', 'acknowledge' or 'resolve')"],
    ],
    [trigger({ payload: undefined }), ["'payload' is missing or blank"]],
    [
      trigger({}, { summary: ' ', source: '', severity: 'bad' }),
      [
        "'payload.summary' is missing or blank",
        "'payload.source' is missing or blank",
        "'payload.severity' is invalid (must be one of the following: 'critical', 'warning', 'error' or 'info')",
      ],
    ],
    [
      trigger({}, { summary: 'x'.repeat(1_025) }),
      ["'payload.summary' is too long (maximum is 1024 characters)"],
    ],
    [trigger({ dedup_key: 'x'.repeat(256) }), ["'dedup_key' is too long (maximum is 255 characters)"]],
    [trigger({}, { timestamp: 'noon' }), ["'payload.timestamp' is not a valid ISO 8601 timestamp"]],
    [trigger({ links: [{ text: 'no address' }] }), ["'links.href' is missing or is not a valid URL"]],
    [trigger({ links: [{ href: 'thread', text: 'x' }] }), ["'links.href' is missing or is not a valid URL"]],
    [trigger({ links: {} }), ["'links' is not an array"]],
    [{ routing_key: opsKey, event_action: 'resolve' }, ["'dedup_key' is missing or blank"]],
    [
      { routing_key: opsKey, event_action: 'acknowledge', dedup_key: '' },
      ["'dedup_key' is missing or blank"],
    ],
  ];
  const answers = await send(
    pagerduty,
    wrong.map(([body]) => body),
  );
  expect(answers).toEqual(
    wrong.map(([, errors]) => ({
      status: 400,
      data: { status: 'invalid event', message: 'Event object is invalid', errors },
    })),
  );
  const edge = [trigger({ dedup_key: 'x'.repeat(255) }, { summary: 'x'.repeat(1_024) }), 'not an object'];
  const [longest, unreadable] = await send(pagerduty, edge);
  expect(longest?.status).toBe(202);
  expect(unreadable?.data?.errors).toEqual(['JSON parse error']);
  expect(pagerduty.store.incidents()).toHaveLength(1);
});

test('without the authority nothing gets through', async () => {
  const certificate = await makeCertificate();
  onTestFinished(() => certificate.remove());
  const { pagerduty, journal } = await start({ certificate });
  expect(await send(pagerduty, [trigger()], { trust: false })).toEqual([
    { error: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' },
  ]);
  expect(journal.list()).toEqual([]);
});

test('the sandboxes of a process have one authority, whose file goes with the process', async () => {
  const [first, second] = [await start(), await start()];
  expect(second.pagerduty.caPath).toBe(first.pagerduty.caPath);
  const code = `import { ownCertificate } from './sandbox/pagerduty/certificate.ts';
    import { existsSync } from 'node:fs';
    const { caPath } = await ownCertificate();
    console.log(JSON.stringify({ caPath, isThere: existsSync(caPath) }));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code]);
  const { caPath, isThere } = JSON.parse(stdout);
  expect([isThere, existsSync(caPath)]).toEqual([true, false]);
});

test.each<[Fault['kind'], Partial<Fault>, Partial<Answer>, number]>([
  ['reset', {}, { error: 'ECONNRESET' }, 0],
  ['lost-answer', {}, { error: 'ECONNRESET' }, 1],
  ['hang', {}, { error: 'AbortError' }, 0],
  ['status', { status: 503 }, { status: 503 }, 0],
  ['delay', { delayMs: 5 }, { status: 202 }, 1],
])(
  'a %s fault on a page is seen by pdjs, and the page is sent or not as the fault says',
  async (kind, fault, answer, pages) => {
    const { pagerduty, faults } = await start();
    faults.add({ vendor: 'pagerduty-events', kind, times: 1, ...fault });
    // Only a hanging answer is given up on; elsewhere a short limit would measure the machine.
    const [got] = await send(pagerduty, [trigger()], kind === 'hang' ? { timeoutMs: 2_000 } : {});
    expect(got).toMatchObject(answer);
    expect(pagerduty.store.incidents()).toHaveLength(pages);
  },
);

test('pdjs repeats a throttled page three times and then hands the 429 back', async () => {
  const { pagerduty, faults, journal } = await start();
  faults.add({ vendor: 'pagerduty-events', kind: 'status', status: 429 });
  const [throttled] = await send(pagerduty, [trigger()]);
  expect(throttled).toMatchObject({ status: 429, data: { status: 'throttle exceeded' } });
  expect(journal.list()).toHaveLength(4);
  expect(pagerduty.store.incidents()).toEqual([]);
});
