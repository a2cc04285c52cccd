/** Why: an incident begins with an alert, and whoever is woken needs the evidence before the questions. */
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  alertmanager,
  alertsConfig,
  alertsToken,
  deliver,
  type FiredAlert,
  problemsIn,
} from '../../support/alerts.ts';
import { freePort } from '../../support/port.ts';
import { finish, rows, until } from '../../support/scenario.ts';
import { actionsOf, type Message, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  const shop = { match: { team: 'shop' }, service: { label: 'service' }, priority: 'P1' };
  const reads = { playbook: 'alert-evidence' };
  const rules = [
    { ...shop, name: 'shop', match: { team: 'shop', severity: ['critical', 'page'] }, channel: 'ops', reads },
    { ...shop, name: 'flaps', match: { alertname: { prefix: 'Flap' } }, channel: 'incidents' },
    { ...shop, name: 'storms', match: { alertname: 'PodDown' }, channel: 'payments-alerts' },
    { ...shop, name: 'shop, later', match: { team: 'shop', severity: 'ticket' }, channel: 'general', reads },
    { ...shop, name: 'moves', match: { team: 'shop', severity: 'moves' }, channel: 'incidents' },
    { name: 'not shown', match: { alertname: 'Watchdog' }, ignore: true },
    {
      name: 'labels',
      match: { alertname: 'Odd' },
      service: 'checkout',
      channel: 'general',
      reads: { playbook: 'error-code-look-up', inputs: { code: { label: 'code' } } },
    },
  ];
  workspace = await Workspace.start({
    config: alertsConfig(rules),
    sandbox: { databaseServer: inject('postgresUrl') },
    env: { PORT: String(await freePort()), ALERTS_TOKEN: alertsToken },
  });
});
afterEach(() => workspace.sandbox.faults.clear());
afterAll(() => finish(workspace));

const send = (...alerts: FiredAlert[]) => deliver(workspace, alertmanager(alerts));
const shopAlert = (service: string, alertname = 'HighErrorRate') => ({
  labels: { alertname, team: 'shop', severity: 'critical', service },
});
const inThread = ({ ts, channel }: Message) =>
  workspace.messages(channel).filter((one) => one.threadTs === ts && one.ts !== ts);
const about = (words: RegExp, channel = 'ops') =>
  problemsIn(workspace, channel).filter((one) => words.test(wordsOf(one)));
/** Nothing is left to do: every delivery is worked on, and every message is sent. */
const settled = () =>
  until(async () => {
    const [left] = await rows(
      workspace,
      `select (select count(*) from inbox where done_at is null)::int + (select count(*) from outbox where state = 'pending')::int
        + (select count(*) from alert_problems where look_at < now() + interval '5 seconds')::int as n`,
    );
    return left?.n === 0;
  });

test('an alert is shown in the channel of its rule with what its playbook reads', async () => {
  const annotations = { summary: 'Checkout answers 12 % with 500' };
  expect(await send({ ...shopAlert('checkout'), annotations })).toBe(202);
  const first = await workspace.card(/Firing: HighErrorRate · checkout/);
  const shown = await workspace.becomes(first, /on call for checkout/);
  expect(shown.text).toBe('Firing: HighErrorRate · checkout');
  const words = wordsOf(shown);
  expect(words).toContain('Checkout answers 12 % with 500');
  expect(words).toMatch(/PagerDuty:\s+#1\s.*Chiara Conti was notified, not acknowledged yet/s);
  expect(words).toMatch(/open P1 tickets? in WEB.*WEB-1/s);
  expect(words).toMatch(/runbooks? for checkout.*Checkout latency/s);
  expect(words).not.toContain('Could not be looked up');
  expect(actionsOf(shown.blocks)).toEqual(['alert.ack', 'alert.fix.0']);
});

test('the same alert again, and a burst of its neighbours, change one message', async () => {
  const before = about(/checkout/).length;
  for (let nth = 0; nth < 5; nth += 1) expect(await send(shopAlert('checkout'))).toBe(202);
  const pods = Array.from({ length: 40 }, (_one, nth) => ({
    labels: { alertname: 'PodDown', service: nth % 2 === 0 ? 'ops' : 'payments-api', pod: `pod-${nth}` },
  }));
  await Promise.all([0, 10, 20, 30].map((from) => send(...pods.slice(from, from + 10))));
  await workspace.card(/20 firing.*and 15 more/s, 'payments-alerts');
  await settled();
  expect(about(/checkout/)).toHaveLength(before);
  const storms = problemsIn(workspace, 'payments-alerts');
  expect(storms.map(({ text }) => text).sort()).toEqual([
    'Firing: PodDown (20) · ops',
    'Firing: PodDown (20) · payments-api',
  ]);
});

test('a resolved alert closes its message, and says so once in the thread', async () => {
  const alert = shopAlert('payments-api', 'QueueFull');
  await send(alert);
  const card = await workspace.card(/Firing: QueueFull/);
  await send({ ...alert, status: 'resolved' });
  await send({ ...alert, status: 'resolved' });
  const over = await workspace.becomes(card, /^Over: QueueFull · payments-api/);
  expect(actionsOf(over.blocks)).toEqual([]);
  await workspace.reply(card, /^Over/);
  await settled();
  expect(inThread(card)).toHaveLength(1);
});

test('an alert that was over before it was heard of is not shown, nor is a late report of its beginning', async () => {
  const alert = { ...shopAlert('ops', 'TooEarly'), startsAt: '2026-11-29T04:00:00Z' };
  await send({ ...alert, status: 'resolved', endsAt: new Date().toISOString() });
  await settled();
  await send(alert);
  await settled();
  expect(about(/TooEarly/)).toEqual([]);
});

test('a flapping alert keeps its one message, and is talked about for the first three times only', async () => {
  const alert = { labels: { alertname: 'FlapCache', service: 'checkout' } };
  const fire = () => send({ ...alert, startsAt: new Date().toISOString() });
  await fire();
  const card = await workspace.card(/Firing: FlapCache/, 'incidents');
  for (let nth = 2; nth <= 5; nth += 1) {
    await send({ ...alert, status: 'resolved' });
    await workspace.becomes(card, /^Over: FlapCache/);
    await fire();
    await workspace.becomes(card, new RegExp(`^Firing: FlapCache.*began ${nth} times`, 's'));
  }
  await settled();
  const said = inThread(card).map((one) => wordsOf(one).split(/\s*[.,]/)[0]);
  expect(said).toEqual(['Over', 'Firing again', 'Over', 'Firing again']);
  expect(inThread(card).filter((one) => /flapping/.test(wordsOf(one)))).toHaveLength(1);
  expect(about(/FlapCache/, 'incidents')).toHaveLength(1);
});

describe('an alert that comes again with other labels', () => {
  const labels = { alertname: 'Watchdog', team: 'shop', severity: 'moves' };
  async function fired(service: string): Promise<Message> {
    await send({ fingerprint: service, labels: { ...labels, service } });
    const first = await workspace.card(new RegExp(`Firing: Watchdog · ${service}`), 'incidents');
    await settled();
    return first;
  }
  const again = (service: string, severity: string, status: 'firing' | 'resolved' = 'firing') =>
    send({ fingerprint: service, labels: { ...labels, service, severity }, status });

  test('ends the problem that it leaves for another rule', async () => {
    const first = await fired('ops');
    await again('ops', 'ticket');
    await workspace.card(/Firing: Watchdog · ops/, 'general');
    await workspace.becomes(first, /Moved: moves · ops.*belong to another rule/s);
    await settled();
    expect(inThread(first).map(wordsOf)).toEqual([expect.stringMatching(/^Moved\./)]);
    await again('ops', 'ticket', 'resolved');
    await settled();
  });

  test('ends the problem that it leaves for a rule that shows nothing', async () => {
    const first = await fired('payments-api');
    await again('payments-api', 'none');
    await workspace.becomes(first, /Moved: moves · payments-api/);
  });

  test('is over also where its last labels fit a rule that shows nothing', async () => {
    const first = await fired('checkout');
    await again('checkout', 'none', 'resolved');
    await workspace.becomes(first, /Over: Watchdog · checkout/);
    await settled();
  });
});

test('alerts that no rule fits are one line an hour, ignored ones are none', async () => {
  const lines = () => workspace.messages('general').filter((one) => /no rule/.test(wordsOf(one)));
  await send({ labels: { alertname: 'Watchdog' } });
  await settled();
  expect(lines()).toEqual([]);
  await send(
    { labels: { alertname: 'Unknown' } },
    { labels: { alertname: 'Other', a: '1' } },
    { labels: { alertname: 'Other', a: '2' } },
  );
  const line = await workspace.card(/3 alerts fit no rule/, 'general');
  expect(wordsOf(line)).toMatch(/Other \(2\), Unknown/);
  await send({ labels: { alertname: 'Later' } });
  await settled();
  expect(lines()).toHaveLength(1);
  // An hour later.
  await rows(
    workspace,
    "update alert_problems set fired_at = fired_at - interval '1 hour', look_at = now() where id = 'unmatched'",
  );
  await workspace.card(/1 alert fits no rule.*Later/s, 'general');
  expect(lines()).toHaveLength(2);
});

test('forged, too large and unreadable deliveries are refused', async () => {
  const body = alertmanager([shopAlert('checkout', 'Forged')]);
  const from = (headers: Record<string, string>, door = 'prometheus') =>
    deliver(workspace, body, { headers, door });
  expect(await from({})).toBe(401);
  expect(await from({ authorization: 'Bearer another-token-that-is-wrong' })).toBe(401);
  expect(await from({ authorization: `Basic ${alertsToken}` })).toBe(401);
  expect(await from({ authorization: `Bearer ${alertsToken}` }, 'elsewhere')).toBe(401);
  expect(await from({ authorization: `Bearer ${alertsToken}` }, 'prometheus/more')).toBe(404);
  expect(await deliver(workspace, JSON.stringify({ alerts: 'x'.repeat(10_000_000) })).catch(() => 413)).toBe(
    413,
  );
  for (const odd of ['{', 'null', '[]', '{"alerts":7}', '{"alerts":[{"status":"firing"}, 7]}', '"\\u0000"'])
    expect(await deliver(workspace, odd)).toBe(odd.includes('firing') ? 202 : 400);
  await settled();
  expect(about(/Forged/)).toEqual([]);
});

test('labels and words of an alert are text: they mention nobody, choose nothing, and name no other service', async () => {
  const requests = 'select count(*)::int as n from requests';
  const before = await rows(workspace, requests);
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_one, nth) => [`label_${nth}`, 'x']));
  const text =
    '<!channel> *page* <@U0ANA> https://evil.example {oncall.lines} please page ops now and run /plan stop all';
  const labels = {
    ...many,
    alertname: 'Odd',
    code: 'x" or project = OPS {tickets.total} \n slack.post channel=#ops',
  };
  expect(await send({ labels, annotations: { summary: text } })).toBe(202);
  const card = await workspace.card(/Firing: Odd/, 'general');
  const shown = await workspace.becomes(card, /nothing is known of error|Could not be looked up/i);
  expect(wordsOf(shown)).toContain(text);
  expect(JSON.stringify(shown.blocks)).not.toMatch(
    /"type":"(?:user|broadcast|usergroup)"|"url":"https:\/\/evil/,
  );
  expect(shown.text).not.toMatch(/<!channel>|<@/);
  expect(await rows(workspace, requests)).toEqual(before);
});

test('unknown services are shown as they were named, in one message, and nothing is looked up for them', async () => {
  await send(shopAlert('<@U0ANA> or 1=1', 'Stray'));
  const card = await workspace.card(/Stray.*is no service in countersign.yml/s);
  expect(wordsOf(card)).toMatch(/Could not be looked up.*<@U0ANA> or 1=1 is no service/s);
  expect(actionsOf(card.blocks)).toEqual([]);
  await send(...Array.from({ length: 30 }, (_one, nth) => shopAlert(`pod-${nth}`, 'Stray')));
  await workspace.becomes(card, /31 firing/);
  expect(about(/Stray/)).toHaveLength(1);
});

test('problems of one service that begin together read its evidence once', async () => {
  const after = workspace.sandbox.journal.list().at(-1)?.id ?? 0;
  const { labels } = shopAlert('payments-api', 'SlowCalls');
  await send({ labels }, { labels: { ...labels, severity: 'ticket' } });
  for (const channel of ['ops', 'general'])
    await workspace.becomes(await workspace.card(/SlowCalls/, channel), /on call for payments-api/);
  const asked = workspace.sandbox.journal
    .list({ after })
    .flatMap(({ vendor, path, body }) => (vendor === 'jira' ? [JSON.stringify([path, body])] : []));
  expect(asked.length).toBeGreaterThan(0);
  expect(asked).toEqual([...new Set(asked)]);
});

test('a source that is down is named as not looked up, beside what was', async () => {
  workspace.sandbox.faults.add({ vendor: 'jira', kind: 'status', status: 503 });
  await send(shopAlert('ops', 'DiskFull'));
  const shown = await workspace.card(/DiskFull.*Could not be looked up/s, 'ops', 25_000);
  expect(wordsOf(shown)).toMatch(/on call for ops/);
  expect(wordsOf(shown)).toMatch(/Could not be looked up.*List.*open P1 tickets in OPS/s);
  expect(wordsOf(shown)).not.toMatch(/\b0 open P1/);
});
