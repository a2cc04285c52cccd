/** Why: trouble in PagerDuty must not mean that nobody is paged, and nothing is claimed without proof. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sandboxConfig } from '../../../sandbox/config.ts';
import { configWith, finish, rows, until } from '../../support/scenario.ts';
import { actionsOf, type Message, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  const services: Record<string, object> = Object(sandboxConfig().services);
  const ops = { ...services.ops, phone: '+49 30 901820', backup: 'payments-api' };
  const config = configWith({ caps: { pages_per_hour: 100 }, services: { ...services, ops } });
  // Well formed but without a service, as after an integration was deleted: PagerDuty answers 202 and pages nobody.
  workspace = await Workspace.start({ config, env: { PD_ROUTING_KEY_CHECKOUT: 'f'.repeat(32) } });
});
afterEach(() => {
  workspace.sandbox.faults.clear();
  workspace.resolvePages();
});
afterAll(() => finish(workspace));

const events = { vendor: 'pagerduty-events' } as const;
let lastThreshold = 0;

async function cardOf(service = 'ops'): Promise<Message> {
  lastThreshold += 1;
  await workspace.plan('ben', `if OPS has more than ${lastThreshold} open P1 tickets, page ${service}`);
  return workspace.card(`than ${lastThreshold} open`);
}

async function states(): Promise<unknown[]> {
  return (await rows(workspace, 'select state from writes order by created_at')).map(({ state }) => state);
}

test('a page whose answer was lost is looked up by its key and not sent again if it is there', async () => {
  const card = await cardOf();
  workspace.sandbox.faults.add({ ...events, kind: 'lost-answer', times: 1 });
  await workspace.click('ana', card, 'plan.approve');
  expect(wordsOf(await workspace.reply(card, /^Done: .*Ana Ruiz was paged,/s))).toContain(
    'no answer came back, but a look afterwards showed that it was done',
  );
  expect(workspace.sandbox.journal.list(events)).toHaveLength(1);
  expect(workspace.pages().map(({ triggers }) => triggers)).toEqual([1]);
  expect(await states()).toEqual(['made']);
});

test('server errors do not stop a page from going out', async () => {
  const card = await cardOf();
  const before = workspace.pages().length;
  workspace.sandbox.journal.clear();
  workspace.sandbox.faults.add({ ...events, kind: 'status', status: 500, times: 2 });
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  expect(workspace.sandbox.journal.list(events)).toHaveLength(3);
  expect(workspace.pages()).toHaveLength(before + 1);
});

test('a rate-limited page goes out once, after the pause', async () => {
  const card = await cardOf();
  const before = workspace.pages().length;
  workspace.sandbox.journal.clear();
  workspace.sandbox.faults.add({ ...events, kind: 'status', status: 429, retryAfterSeconds: 1, times: 1 });
  await workspace.click('ana', card, 'plan.approve');
  expect(wordsOf(await workspace.reply(card, /^Done: .*Ana Ruiz was paged,/s))).toContain(
    'PagerDuty did not take it at first: PagerDuty asked the bot to wait for 1 s',
  );
  expect(workspace.sandbox.journal.list(events)).toHaveLength(2);
  expect(workspace.pages()).toHaveLength(before + 1);
  expect((await states()).at(-1)).toBe('made');
});

test('a pause that PagerDuty asks for in its own header is said when it is too long to wait for', async () => {
  const rest = { vendor: 'pagerduty-rest', match: { path: '/oncalls' } } as const;
  workspace.sandbox.journal.clear();
  workspace.sandbox.faults.add({ ...rest, kind: 'status', status: 429, retryAfterSeconds: 41 });
  await workspace.plan('ben', 'pagerduty.oncall service=checkout');
  await workspace.card('PagerDuty asked the bot to wait for 41 s');
  const asked = workspace.sandbox.journal.list({ vendor: 'pagerduty-rest' });
  expect(asked.filter(({ path }) => path === '/oncalls')).toHaveLength(1);
});

test('a page that PagerDuty takes and makes nothing of is no page: a person is told to look', async () => {
  const before = workspace.pages().length;
  workspace.sandbox.journal.clear();
  const card = await cardOf('checkout');
  await workspace.click('ana', card, 'plan.approve');
  const doubt = /^Unknown whether anybody was paged, please check:/;
  const final = wordsOf(await workspace.reply(card, doubt, 25_000));
  expect(final).toMatch(/PagerDuty accepted it but shows no trace of it[\s\S]*its key wrong/);
  expect(final).toContain('Please check. It is sent again only with another approval.');
  expect(final).toMatch(/Look for cs-run-\w+-1-page in PagerDuty/);
  const shown = await workspace.becomes(card, /Unknown whether anybody was paged\s+Outcome unknown/);
  expect(shown.text).toMatch(/^Unknown whether anybody was paged: /);
  expect(workspace.sandbox.journal.list(events)).toMatchObject([{ status: 202 }]);
  expect(workspace.pages()).toHaveLength(before);
});

test('a page in doubt mentions the requester and the approver, and is proposed again as a card of its own', async () => {
  const sent = workspace.sandbox.journal.list(events).length;
  await workspace.plan('ben', 'page checkout: basket broken');
  const card = await workspace.card('basket broken');
  await workspace.click('ana', card, 'plan.approve');
  const doubt = /^Unknown whether anybody was paged, please check:/;
  const final = await workspace.reply(card, doubt, 25_000);
  for (const name of ['ben', 'ana']) expect(JSON.stringify(final.blocks)).toContain(workspace.person(name));
  const waiting = "select 1 from inbox where key like 'failed:%' and event is not null";
  await until(async () => (await rows(workspace, waiting)).length === 0);
  const again = await workspace.card(/^Again: [\s\S]*basket broken[\s\S]*Revision 2/);
  expect(actionsOf(again.blocks)).toContain('plan.approve');
  expect(workspace.sandbox.journal.list(events)).toHaveLength(sent + 1);
});

test('an answer to the question about the rest is a request of its own, and the story has the typed words', async () => {
  const typed =
    't = jira.create project=OPS priority=P2 summary="disk full"; pagerduty.page service=ops text="{t.link}"';
  await workspace.plan('ben', typed);
  const card = await workspace.card('disk full');
  workspace.sandbox.faults.add({ ...events, kind: 'status', status: 400, times: 1 });
  await workspace.click('ana', card, 'plan.approve');
  const question = await workspace.card('What should I do about the rest of the plan?');
  const say = (text: string) =>
    workspace.sandbox.slack.postAs({ as: 'ben', channel: 'ops', text, threadTs: question.ts });
  await say('the other thing');
  const next = await workspace.card(/didn’t understand|not sure what you want|look up or do/);
  await workspace.sandbox.slack.postAs({
    ...{ as: 'ben', channel: 'ops', threadTs: next.ts },
    text: 'page ops: the disk is full again',
  });
  const again = await workspace.card(/disk is full again[\s\S]*Revision 2 /);
  expect(wordsOf(again)).not.toContain('the other thing');
  const before = workspace.pages().length;
  await workspace.click('ana', again, 'plan.approve');
  await workspace.reply(again, /^Done/);
  expect(workspace.pages()).toHaveLength(before + 1);
  await workspace.plan('ben', 'show');
  const story = wordsOf(await workspace.whisper('ben', /Verified/));
  expect(story).toContain(`“${typed}”`);
  expect(story).toMatch(/rest of the plan\?” .*“the other thing”/);
  expect(story).toContain('“page ops: the disk is full again”');
});

test('a page that PagerDuty rejects is clearly reported as not sent', async () => {
  const card = await cardOf();
  const before = workspace.pages().length;
  workspace.sandbox.faults.add({ ...events, kind: 'status', status: 400 });
  await workspace.click('ana', card, 'plan.approve');
  const final = await workspace.reply(card, /^Nobody was paged: +Page the on-call of ops \(/);
  expect(final.text).toMatch(/^Nobody was paged: Page the on-call of ops \(/);
  const shown = await workspace.becomes(card, /Nobody was paged\s+(Partly done|Failed)\s+\. .*finished/);
  expect(shown.text).toMatch(/^Nobody was paged: /);
  expect(workspace.pages()).toHaveLength(before);
  expect((await states()).at(-1)).toBe('failed');
});

test('a page that PagerDuty has not answered for ten seconds is said to be unconfirmed, with whom to call', async () => {
  const card = await cardOf();
  const before = workspace.pages().length;
  workspace.sandbox.faults.add({ ...events, kind: 'delay' });
  await workspace.click('ana', card, 'plan.approve');
  const open = await workspace.reply(card, /^Not confirmed yet/, 25_000);
  expect(wordsOf(open)).toMatch(/nobody may have been paged.*Ana Ruiz.*call +\+49 30 901820/s);
  workspace.sandbox.faults.clear();
  await workspace.reply(card, /^Done.*Ana Ruiz was paged/s, 25_000);
  expect(workspace.pages()).toHaveLength(before + 1);
});

test('a page that did not go out offers a message to the on-call person and the back-up service', async () => {
  await workspace.plan('ben', 'page ops: the pool is empty');
  const card = await workspace.card('the pool is empty');
  workspace.sandbox.faults.add({ ...events, kind: 'status', status: 400, times: 1 });
  await workspace.click('ana', card, 'plan.approve');
  const missed = await workspace.becomes(card, /Nobody was paged/);
  const [message, backup] = ['step.next.slack.post', 'step.next.pagerduty.page'] as const;
  expect(actionsOf(missed.blocks)).toEqual([message, backup]);
  expect(wordsOf(missed)).toMatch(/Message @ana Page payments-api/);
  await workspace.reply(card, /^Nobody was paged.*Call +\+49 30 901820/s);
  for (const action of [message, backup]) {
    await workspace.click('ana', missed, action);
    const { id: viewId, definition } = await workspace.modal('ana');
    expect(JSON.stringify(definition.blocks)).toContain('"initial_value":"the pool is empty"');
    const values = { 'next:text': { v: 'the pool is empty, please look' } };
    await workspace.sandbox.slack.submitView({ as: 'ana', viewId, values });
  }
  await workspace.reply(card, /Posted to @ana/);
  await workspace.reply(card, /Ben Okafor was paged, on call for payments-api/);
  expect(workspace.messages('U0ANA', 'U0ANA').map(wordsOf).join()).toContain(
    'the pool is empty, please look',
  );
  expect(workspace.pages().at(-1)?.title).toBe('the pool is empty, please look');
});

test('if the on-call person changed since the approval, nobody is paged and a new card names the new one', async () => {
  const card = await cardOf();
  const before = workspace.pages().length;
  const { store } = workspace.sandbox.pagerduty;
  const service = store.service('PSOPS01');
  if (service === undefined) throw new Error('no service ops');
  store.setOnCall(service, 'PCHIARA01', new Date(Date.now() + 3_600_000));
  await workspace.click('ana', card, 'plan.approve');
  const final = wordsOf(await workspace.reply(card, /^Nobody was paged: /));
  expect(final).toMatch(/The approved plan pages Ana Ruiz.*now it pages Chiara Conti/);
  expect(workspace.pages()).toHaveLength(before);

  const next = await workspace.card(
    new RegExp(`Again: [^.]* more than ${lastThreshold} open.*Retries only the steps`, 's'),
  );
  expect(wordsOf(next)).toContain('pages Chiara Conti');
  await workspace.click('ana', next, 'plan.approve');
  await workspace.reply(next, /^Done/);
  expect(workspace.pages()).toHaveLength(before + 1);
  expect(
    workspace
      .pages()
      .at(-1)
      ?.notified.map(({ user }) => user),
  ).toEqual(['PCHIARA01']);
});
