/** Why: after the page people look at the thread, and must see there who has it, without forged events. */
import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { LogEntry } from '../../../sandbox/pagerduty/model.ts';
import { type Delivery, deliveryOf } from '../../../sandbox/pagerduty/webhooks.ts';
import { newestPage, paged } from '../../support/pages.ts';
import { freePort } from '../../support/port.ts';
import { configWith, finish, rows } from '../../support/scenario.ts';
import { actionsOf, type Message, Workspace, wordsOf } from '../../support/workspace.ts';

const secret = 'the-secret-of-a-webhook-for-tests';
const older = 'the-secret-from-before-it-was-changed';

let workspace: Workspace;
let url: string;
beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}/pagerduty/webhook`;
  const config = configWith({ rules: [{ approvers: ['U0ANA'] }], caps: { pages_per_hour: 100 } });
  workspace = await Workspace.start({
    config,
    sandbox: { webhooks: { url, secrets: [secret] } },
    env: { PORT: String(port), PAGERDUTY_WEBHOOK_SECRET: `${secret},${older}` },
  });
});
afterEach(() => {
  workspace.sandbox.faults.clear();
  workspace.resolvePages();
});
afterAll(() => finish(workspace));

const store = () => workspace.sandbox.pagerduty.store;

/** Counts the matching messages in a thread. */
const said = (card: Message, words: RegExp) =>
  workspace.messages().filter((m) => m.threadTs === card.ts && words.test(wordsOf(m))).length;

function entryOf(kind: LogEntry['kind']): LogEntry {
  const entry = store()
    .log()
    .findLast((one) => one.kind === kind);
  if (entry === undefined) throw new Error(`no ${kind}`);
  return entry;
}

function delivery(kind: LogEntry['kind'], secrets = [secret]): Delivery {
  const made = deliveryOf(workspace.sandbox.pagerduty.site, entryOf(kind), secrets);
  if (made === null) throw new Error('not an event');
  return made;
}

async function deliver({ headers, body }: Delivery): Promise<number> {
  return (await fetch(url, { method: 'POST', headers: { ...headers }, body })).status;
}

test('an acknowledgement in PagerDuty reaches the thread and the top of the card', async () => {
  const card = await paged(workspace, 'Disk full');
  store().setStatus(newestPage(workspace), 'acknowledged', 'PCHIARA01');
  const news = await workspace.reply(card, /^Acknowledged\s+by Chiara Conti/);
  expect(wordsOf(news)).toMatch(/by Chiara Conti\s+(?:after \d|at once)/);
  expect(actionsOf(news.blocks)).toEqual([
    'step.next.pagerduty.resolve',
    'step.next.pagerduty.note',
    'step.next.jira.create',
  ]);
  const shown = await workspace.becomes(card, /Acknowledged.*by Chiara Conti/s);
  expect(shown.text).toMatch(/^Acknowledged by Chiara Conti .*: Page the on-call of ops/);
});

test('the thread of a page has one reply when the run is done, and one for each later event', async () => {
  await workspace.plan('ben', 'if OPS has more than 20 open P1 tickets, page ops');
  const card = await workspace.card('if OPS has more than 20');
  await workspace.click('ana', card, 'plan.approve');
  const done = await workspace.reply(card, /^Done/);
  expect(wordsOf(done)).toMatch(/24 open P1 tickets.*Ana Ruiz was paged.*because 24 > 20/s);
  expect(actionsOf(done.blocks)).toContain('step.next.pagerduty.ack');
  store().setStatus(newestPage(workspace), 'acknowledged', 'PCHIARA01');
  await workspace.reply(card, /^Acknowledged/);
  store().setStatus(newestPage(workspace), 'resolved', 'PCHIARA01');
  await workspace.reply(card, /^Resolved/);
  const thread = workspace.messages().filter((m) => m.threadTs === card.ts && m.ts !== card.ts);
  expect(thread.map((m) => wordsOf(m).split(/\W/)[0])).toEqual(['Done', 'Acknowledged', 'Resolved']);
});

test('an event is stored once where its incident is followed, and nowhere else', async () => {
  const stored = async ({ body }: Delivery) => {
    const { event } = JSON.parse(body) as { event: { id: string } };
    return (await rows(workspace, 'select team_id from inbox where key = $1', [`pagerduty:${event.id}`]))
      .length;
  };
  const card = await paged(workspace, 'Followed');
  store().setStatus(newestPage(workspace), 'acknowledged', 'PCHIARA01');
  await workspace.reply(card, /^Acknowledged/);
  const own = delivery('acknowledge');
  expect([await deliver(own), await deliver(own)]).toEqual([202, 202]);
  expect(await stored(own)).toBe(1);
  const [known] = store().incidents();
  const body = JSON.stringify({
    event: { id: 'of-another', event_type: 'incident.triggered', data: { type: 'incident', id: known?.id } },
  });
  const sign = createHmac('sha256', secret).update(body).digest('hex');
  const other = { body, headers: { 'x-pagerduty-signature': `v1=${sign}` } };
  expect(await deliver(other)).toBe(202);
  expect(await stored(other)).toBe(0);
});

test('an incident that was merged into another is told as merged, with how that stands, in thread, card and answer', async () => {
  await paged(workspace, 'Stays open');
  const into = newestPage(workspace);
  const card = await paged(workspace, 'Is merged');
  const merged = newestPage(workspace);
  store().merge(merged, into, 'PCHIARA01');
  const words = new RegExp(`Merged into\\s+#${into.number}\\s*, which is open`);
  const news = await workspace.reply(card, words);
  expect(wordsOf(news)).not.toContain('Resolved');
  expect(JSON.stringify(news.blocks)).toContain(`/incidents/${into.id}`);
  const shown = await workspace.becomes(card, words);
  expect(wordsOf(shown)).not.toMatch(/Resolved\s+by/);
  await workspace.plan('ben', `pagerduty.get incident=${merged.id}`);
  await workspace.card(
    new RegExp(`#${merged.number}\\s+was merged into #${into.number}, which is open: Is merged`),
  );
});

test('only the newest word of a thread has the buttons: those above it would be out of date', async () => {
  const card = await paged(workspace, 'Old buttons');
  const withButtons = () =>
    workspace
      .messages()
      .filter((m) => m.threadTs === card.ts && m.ts !== card.ts)
      .filter((m) => actionsOf(m.blocks).some((id) => id.startsWith('step.next.')))
      .map((m) => wordsOf(m).split(/\s/)[0]);
  expect(withButtons()).toEqual(['Done:']);
  store().setStatus(newestPage(workspace), 'acknowledged', 'PCHIARA01');
  await workspace.reply(card, /^Acknowledged/);
  await workspace.until(() => withButtons().join() === 'Acknowledged', 'buttons at the news alone');
  const page = await workspace.reply(card, /^Done/);
  expect(wordsOf(page)).toContain('was paged');
  const news = await workspace.reply(card, /^Acknowledged/);
  await workspace.click('ana', news, 'step.next.pagerduty.resolve');
  await workspace.reply(card, /is resolved/);
  const offered = () => actionsOf(workspace.messages().find(({ ts }) => ts === news.ts)?.blocks ?? []);
  await workspace.until(
    () => offered().join() === 'step.next.pagerduty.note,step.next.jira.create',
    'what is left',
  );
  expect(withButtons()).toEqual(['Acknowledged']);
});

test('escalated, reassigned and resolved are reported in that order, once each', async () => {
  const card = await paged(workspace, 'Search is down');
  const incident = newestPage(workspace);
  store().escalate(incident, 'PBEN01', null);
  store().assign(incident, ['PCHIARA01'], 'PBEN01');
  store().setStatus(incident, 'resolved', 'PCHIARA01');
  await workspace.reply(card, /^Resolved/);
  const lines = workspace
    .messages()
    .filter((m) => m.threadTs === card.ts)
    .map(wordsOf)
    .filter((words) => /^(Escalated|Reassigned|Resolved)/.test(words));
  expect(lines).toEqual([
    expect.stringMatching(/^Escalated to Ben Okafor/),
    expect.stringMatching(/^Reassigned to Chiara Conti\s+by Ben Okafor/),
    expect.stringMatching(/^Resolved\s+by Chiara Conti/),
  ]);
  expect(actionsOf((await workspace.becomes(card, /Resolved/)).blocks)).not.toContain(
    'step.next.pagerduty.ack',
  );
});

test('forged: a missing or wrong signature or a changed body is rejected', async () => {
  const card = await paged(workspace, 'Queue is stuck');
  workspace.sandbox.pagerduty.store.setStatus(newestPage(workspace), 'acknowledged', 'PANA01');
  await workspace.reply(card, /^Acknowledged/);
  const genuine = delivery('acknowledge');
  const { 'x-pagerduty-signature': signature = '', ...unsigned } = genuine.headers;
  expect(await deliver({ ...genuine, headers: unsigned })).toBe(401);
  expect(await deliver(delivery('acknowledge', ['another-secret-that-is-not-ours']))).toBe(401);
  expect(await deliver({ ...genuine, body: genuine.body.replace('acknowledged', 'resolved') })).toBe(401);
  expect(
    await deliver({
      ...genuine,
      headers: { ...genuine.headers, 'x-pagerduty-signature': `v0=${signature.slice(3)}` },
    }),
  ).toBe(401);
  const fat = { ...genuine, body: JSON.stringify({ event: 'x'.repeat(300_000) }) };
  expect(await deliver(fat)).toBe(413);
  expect((await fetch(url.replace('webhook', 'other'), { method: 'POST' })).status).toBe(404);
  expect(said(card, /^Acknowledged/)).toBe(1);
});

test('during a secret rotation either signature is accepted', async () => {
  const card = await paged(workspace, 'Cache is cold');
  store().setStatus(newestPage(workspace), 'acknowledged', 'PANA01');
  await workspace.reply(card, /^Acknowledged/);
  expect(await deliver(delivery('acknowledge', ['unknown-so-far-and-long-enough', older]))).toBe(202);
  expect(await deliver(delivery('acknowledge', [older]))).toBe(202);
});

test('repeated: ten equal deliveries, or one event under other ids, are reported once', async () => {
  const card = await paged(workspace, 'Index is red');
  store().setStatus(newestPage(workspace), 'acknowledged', 'PANA01');
  await workspace.reply(card, /^Acknowledged/);
  const same = delivery('acknowledge');
  const answers = await Promise.all(Array.from({ length: 10 }, () => deliver(same)));
  expect(new Set(answers)).toEqual(new Set([202]));
  await deliver(delivery('acknowledge'));
  store().setStatus(newestPage(workspace), 'resolved', 'PANA01');
  await workspace.reply(card, /^Resolved/);
  expect(said(card, /^Acknowledged/)).toBe(1);
  const kept = await rows(
    workspace,
    "select count(*)::int as n from inbox where key like 'pagerduty:%' and done_at is null",
  );
  expect(kept).toEqual([{ n: 0 }]);
});

test('out of order: a late event does not undo a newer one', async () => {
  const card = await paged(workspace, 'Mail is slow');
  const incident = newestPage(workspace);
  store().setStatus(incident, 'acknowledged', 'PANA01');
  const late = delivery('acknowledge');
  store().setStatus(incident, 'resolved', 'PANA01');
  await workspace.reply(card, /^Resolved/);
  expect(await deliver(late)).toBe(202);
  await workspace.becomes(card, /Resolved/);
  expect(said(card, /^Acknowledged/)).toBe(1);
  expect(said(card, /^Resolved/)).toBe(1);
});

test("a tap in Slack is reported by its own reply with the Slack name, not by PagerDuty's event", async () => {
  const card = await paged(workspace, 'Taps');
  await workspace.click('ana', card, 'step.next.pagerduty.ack');
  const shown = await workspace.becomes(card, /Acknowledged/);
  expect(JSON.stringify(shown.blocks)).toContain('"user_id":"U0ANA"');
  store().setStatus(newestPage(workspace), 'resolved', 'PCHIARA01');
  await workspace.reply(card, /^Resolved\s+by Chiara Conti/);
  expect(said(card, /^Acknowledged/)).toBe(0);
});

test('a signed event about another incident is accepted and not posted', async () => {
  const before = workspace.messages().length;
  store().create({
    ...{
      service: 'PSOPS01',
      title: 'Somebody else’s',
      incidentKey: 'not-ours',
      urgency: 'high',
      by: 'PBEN01',
    },
  });
  store().setStatus(newestPage(workspace), 'acknowledged', 'PBEN01');
  expect(await deliver(delivery('acknowledge'))).toBe(202);
  const ping = JSON.stringify({
    event: { id: 'p', event_type: 'pagey.ping', data: { type: 'ping', message: 'Hi' } },
  });
  const { createHmac } = await import('node:crypto');
  const sign = (body: string) => `v1=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const odd = ['{', 'null', '[]', '{"event":{"id":7}}', ping];
  for (const body of odd) {
    expect(await deliver({ headers: { 'x-pagerduty-signature': sign(body) }, body })).toBe(202);
  }
  expect(workspace.messages()).toHaveLength(before);
  expect(workspace.transcript()).not.toContain('Somebody else’s');
});

test('names from PagerDuty are plain text', async () => {
  const card = await paged(workspace, 'Names');
  const ben = workspace.sandbox.world.people.find(({ name }) => name === 'ben');
  const name = ben?.realName ?? '';
  Object.assign(ben ?? {}, { realName: '<!channel> *Approved* by <@U0ANA>' });
  try {
    store().setStatus(newestPage(workspace), 'acknowledged', 'PBEN01');
    const news = await workspace.reply(card, /^Acknowledged/);
    expect(JSON.stringify(news.blocks)).not.toContain('"user_id"');
    expect(news.text).not.toMatch(/<!channel>|<@/);
  } finally {
    Object.assign(ben ?? {}, { realName: name });
  }
});
