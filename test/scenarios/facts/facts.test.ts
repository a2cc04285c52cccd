/** Why: an approval rests on facts. The card shows them, they are read again, and if they changed, a new approval is needed. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { buttonValue, configWith, finish, forgedClick, rows } from '../../support/scenario.ts';
import { openTickets } from '../../support/tickets.ts';
import { actionsOf, labelsOf, type Message, Workspace, wordsOf } from '../../support/workspace.ts';

const count = 'n = jira.count project=OPS priority=P1 status=open';
const page = (limit: number) =>
  `when n.total > ${limit}: pagerduty.page service=ops text="{n.total} open P1 tickets"`;
const post = (limit: number) =>
  `when n.total > ${limit}: slack.post channel=#incidents text="{n.total} open"`;

let workspace: Workspace;
beforeAll(async () => {
  const people = { ana: 'U0ANA', ben: 'U0BEN' };
  workspace = await Workspace.start({ config: configWith({ rules: [{ approvers: ['U0ANA'] }], people }) });
});
afterEach(() => workspace.resolvePages());
afterAll(() => finish(workspace));

async function cardOf(plan: readonly string[], fits: RegExp): Promise<Message> {
  await workspace.plan('ben', plan.join('\n'));
  return workspace.card(fits);
}

test('the card leads with what would be written now and why, without repeating itself', async () => {
  const card = await cardOf([count, page(20), post(30)], /more than 20\./);
  const words = wordsOf(card);
  expect(words).toMatch(/24 open P1 tickets in OPS: {2}more than 20\..*not more than 30\./s);
  expect(words).toMatch(/If approved: {2}pages Ana Ruiz, on call for ops until/);
  expect(words).toMatch(/\(\d\d:\d\d in Europe\/Madrid when this was read/);
  expect(words).toMatch(/Not now: {2}posts to #incidents/);
  expect(words).toContain('24 open P1 tickets Not now:');
  expect(words.indexOf('more than 20.')).toBeLessThan(words.indexOf('Checked again before it runs'));
  expect(card.text).toMatch(/24 open P1 tickets in OPS: more than 20\./);
  const confirm = JSON.stringify(card.blocks).match(/"confirm":\{.*?"title"/)?.[0] ?? '';
  expect(confirm).toMatch(
    /Pages Ana Ruiz.*only if there are more than 20 open P1 tickets in OPS \(now 24 > 20\): “24 open P1 tickets”/,
  );
  const fold = card.blocks.find(({ type }) => type === 'container');
  expect(fold).toMatchObject({ is_collapsible: true, default_collapsed: true });
  expect(workspace.pages()).toEqual([]);
});

test('the audit log ties the approval to the facts that the approver saw', async () => {
  const card = await workspace.card(/more than 20\./);
  await workspace.click('ana', card, 'plan.approve');
  const final = wordsOf(await workspace.reply(card, /^Done/));
  expect(final).toMatch(/Ana Ruiz was paged.*because 24 > 20/);
  expect(final).toMatch(/nothing was posted|not done: Post to #incidents/i);
  const lines = await rows(
    workspace,
    `select kind, data::jsonb ->> 'facts' as facts from audit
      where kind = 'revision.approved' or (kind = 'run.finished' and data::jsonb ? 'facts') order by seq`,
  );
  expect(lines.map(({ kind }) => kind)).toEqual(['run.finished', 'revision.approved']);
  expect(lines[0]?.facts).toMatch(/^[0-9a-f]{64}$/);
  expect(lines[1]?.facts).toBe(lines[0]?.facts);
});

test('a write whose condition became true after the approval is not made; a new card asks for it', async () => {
  const card = await cardOf([count, page(20), post(26)], /not more than 26/);
  const before = workspace.pages().length;
  openTickets(workspace, 3);
  await workspace.click('ana', card, 'plan.approve');
  const final = wordsOf(await workspace.reply(card, /^Partly done/));
  expect(final).toMatch(/Nothing was posted to #incidents: Post to #incidents.*24 > 26 then, 27 > 26 now/);
  expect(workspace.pages()).toHaveLength(before + 1);
  expect(workspace.messages('incidents')).toEqual([]);
  const next = await workspace.card(/Retries only the steps/);
  expect(wordsOf(next)).toMatch(
    /27 open P1 tickets in OPS: {2}more than 26\..*If approved: {2}posts to #incidents/s,
  );
  expect(wordsOf(next)).not.toMatch(/If approved: {2}pages/);
  await workspace.click('ana', next, 'plan.approve');
  await workspace.reply(next, /^Done/);
  expect(workspace.messages('incidents').map(wordsOf).join()).toContain('27 open');
});

test('a write whose condition no longer holds is skipped with both values, and one tap reads again', async () => {
  const card = await cardOf([count, page(25)], /27 open P1 tickets in OPS: {2}more than 25\./);
  const before = workspace.pages().length;
  workspace.sandbox.jira.store.bulkClose('OPS', 'P1', 18);
  await workspace.click('ana', card, 'plan.approve');
  const final = wordsOf(await workspace.reply(card, /^Done/));
  expect(final).toMatch(/nobody was paged.*27 > 25 when it was approved, 18 > 25 now/);
  expect(workspace.pages()).toHaveLength(before);
  const over = await workspace.becomes(card, 'finished');
  expect(actionsOf(over.blocks)).toEqual(['plan.again']);
  await workspace.click('ana', over, 'plan.again');
  const answer = await workspace.card(/18 open P1 tickets in OPS: not more than 25\./);
  expect(actionsOf(answer.blocks)).toEqual(['plan.again', 'plan.edit']);
});

test('a target that changed after the approval is not written to', async () => {
  const plan = [
    'who = pagerduty.oncall service=ops',
    'first = jira.search project=OPS priority=P1 status=open limit=1 order=oldest',
    'when who.count > 0: jira.comment key={first.first} text="On it."',
  ];
  const card = await cardOf(plan, /Comment on .* \(key: OPS-\d+\).*On it\./s);
  // The oldest is closed, so that the search returns another one.
  workspace.sandbox.jira.store.bulkClose('OPS', 'P1', 5);
  await workspace.click('ana', card, 'plan.approve');
  const final = wordsOf(await workspace.reply(card, /^Partly done|^Failed/));
  expect(final).toMatch(/You approved key OPS-\d+; it is now OPS-\d+\. Nothing was sent/);
});

test('the on-call person gets the message through their Slack account, and the card names them', async () => {
  const plan = ['who = pagerduty.oncall service=ops', 'slack.post user={who.user} text="the fix is live"'];
  const card = await cardOf(plan, /the fix is live/);
  expect(wordsOf(card)).toMatch(/If approved: {2}Post to .*\(user: @ana\).*Ana Ruiz is on call for ops/s);
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done.*@ana/s);
  expect(workspace.messages('U0ANA', 'U0ANA').map(wordsOf).join()).toContain('the fix is live');
});

test('after an on-call handover nobody else gets the approved message', async () => {
  const { pagerduty, world } = workspace.sandbox;
  const ops = world.pagerduty.services.find(({ name }) => name === 'ops');
  if (!ops) throw new Error('the local PagerDuty has no ops');
  const onCall = (user: string) =>
    pagerduty.store.rota(ops).set(user, new Date(), new Date(Date.now() + 600_000));
  const plan = ['who = pagerduty.oncall service=ops', 'slack.post user={who.user} text="only for Ana"'];
  const card = await cardOf(plan, /user: @ana.*only for Ana/s);
  onCall('PBEN01');
  await workspace.click('ana', card, 'plan.approve');
  const final = wordsOf(await workspace.reply(card, /^Partly done|^Failed/));
  expect(final).toMatch(/You approved user @ana; it is now @ben\. Nothing was sent/);
  expect(workspace.messages('U0BEN', 'U0BEN').map(wordsOf).join()).not.toContain('only for Ana');
  onCall('PANA01');
});

test('a list with nothing in it is posted in words, as the card has shown it', async () => {
  const none = 'none = jira.search project=WEB status=open label=nothing';
  const card = await cardOf([none, 'slack.post channel=#incidents text={none.lines}'], /labelled nothing/);
  expect(wordsOf(card)).toMatch(/If approved: {2}posts to #incidents 0 open tickets in WEB labelled nothing/);
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  const posted = workspace
    .messages('incidents')
    .filter(({ isBot }) => isBot)
    .map(wordsOf);
  expect(posted.at(-1)).toContain('0 open tickets in WEB labelled nothing');
});

test('an empty list in one branch does not stand in the way of what is done beside it', async () => {
  const none = 'none = jira.search project=WEB status=open label=nothing';
  const otherwise =
    'when n.total <= 20 || none.total == 0: slack.post channel=#incidents text="Still open: {none.lines}"';
  const card = await cardOf([count, none, page(3), otherwise], /more than 3 .*Still open/s);
  expect(actionsOf(card.blocks)).toContain('plan.approve');
  expect(wordsOf(card)).toMatch(/pages Ana.*Still open: 0 open tickets in WEB labelled nothing/s);
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
});

test('an on-call person whom the configuration does not list is not written to, and the card says why', async () => {
  const plan = ['who = pagerduty.oncall schedule="checkout rota"', 'slack.post user={who.user} text=hello'];
  const card = await cardOf(plan, /Can’t be approved yet/);
  expect(wordsOf(card)).toMatch(/on-call person of the schedule checkout rota is not known.*@ana, @ben/s);
});

const list = (limit: number) => `list = jira.search project=OPS priority=P1 status=open limit=${limit}`;
const lastPost = () => wordsOf(workspace.messages('incidents').findLast(({ isBot }) => isBot) ?? {});

test('a long text is on the card as it will be posted, and is posted like that although it changed since', async () => {
  openTickets(workspace, 100);
  const card = await cardOf([list(20), 'slack.post channel=#incidents text={list.lines}'], /posts to #inc/);
  const fold = card.blocks.find(({ block_id }) => block_id === 'text_2_text');
  expect(fold).toMatchObject({ type: 'container', default_collapsed: true });
  const [title = '', ...shown] = wordsOf({ blocks: [fold] }).split(') ');
  expect(title).toMatch(/^The whole text \([\d,]+ characters$/);
  const text = shown.join(') ');
  expect(text.split('\n').length).toBeGreaterThan(19);
  openTickets(workspace, 1);
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /posted to #incidents.*sent as the card showed it; what was read has changed/s);
  expect(lastPost()).toContain(text);
});

test('texts that are too long for a card are in the window that approves it, as they will be posted', async () => {
  const posts = ['#ops', '#general', '#incidents'].map((to) => `slack.post channel=${to} text={list.lines}`);
  const card = await cardOf([list(100), ...posts], /does not fit here/);
  expect(actionsOf(card.blocks)).not.toContain('plan.approve');
  await workspace.click('ana', card, 'plan.details');
  const view = await workspace.modal('ana');
  const values = { read_all: { v: ['yes'] } };
  await workspace.sandbox.slack.submitView({ as: 'ana', viewId: view.id, values });
  await workspace.reply(card, /^Done/);
  // Slack takes a long text in pieces, so only its letters are compared.
  const letters = (text: string) => text.replaceAll(/\s/g, '');
  const posted = letters(lastPost().split('Asked for by')[0] ?? '');
  expect(posted).toMatch(/…\(cut\)$/);
  expect(letters(wordsOf({ blocks: view.definition.blocks }))).toContain(posted);
});

test('a card whose reads failed says so and cannot be approved, even by a forged click', async () => {
  const broken = workspace.sandbox.faults.add({ vendor: 'jira', kind: 'status', status: 401 });
  // The retry card of an earlier test may arrive at the same time.
  const card = await cardOf([count, page(3)], /Can’t be approved yet.*pages Ana/s);
  workspace.sandbox.faults.remove(broken);
  expect(actionsOf(card.blocks)).toEqual(['plan.again', 'plan.edit', 'plan.reject', 'plan.ask.0']);
  expect(wordsOf(card)).toMatch(/Would write: {2}pages Ana.*token is not valid/s);
  expect(wordsOf(card)).not.toContain('0 open');
  const value = buttonValue(card, 'plan.edit') ?? '';
  await forgedClick(workspace, { as: 'ana', message: card, actionId: 'plan.approve', value });
  await workspace.whisper('ana', 'has not been read');
});

test('a condition whose source is down can be asked of another one, or left out in a plan of its own', async () => {
  const broken = workspace.sandbox.faults.add({ vendor: 'azure', kind: 'status', status: 403 });
  const errors = 'n = logs.kql service=checkout named=errors';
  const alarm = 'when n.total > 50: pagerduty.page service=checkout text="{n.total} errors"';
  const card = await cardOf([errors, alarm], /Can’t be approved yet.*errors of checkout/s);
  const anyway = 'plan.ask.1';
  expect(labelsOf(card.blocks)).toContain('Ask Splunk instead');
  await workspace.click('ben', card, 'plan.ask.0');
  const other = await workspace.card(/230 errors of checkout.*more than 50/s);
  expect(actionsOf(other.blocks)).toContain('plan.approve');
  expect(wordsOf(other)).not.toMatch(/logs\.spl|n\.total/);

  expect(labelsOf(card.blocks)).toContain('Page the on-call of checkout anyway');
  await workspace.click('ben', card, anyway);
  const page = await workspace.card(/Not checked: .*more than 50/s);
  expect(actionsOf(page.blocks)).toContain('plan.approve');
  expect(wordsOf(page)).toMatch(/pages Chiara/);
  workspace.sandbox.faults.remove(broken);
});
