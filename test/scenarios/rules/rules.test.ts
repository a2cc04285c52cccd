/** Why: who may approve depends on the target, the place, the time, and who is on call; some plans nobody may. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockText } from '../../support/block-text.ts';
import { breach, buttonValue, configWith, finish, forgedClick, rows } from '../../support/scenario.ts';
import { actionsOf, type Message, Workspace, wordsOf } from '../../support/workspace.ts';

const rules = [
  { name: 'payments pages', tools: ['pagerduty.page'], services: ['payments-api'], approvers: ['oncall'] },
  {
    name: 'ops pages',
    tools: ['pagerduty.page'],
    services: ['ops'],
    approvers: ['oncall', 'S0SRE'],
    needed: 2,
  },
  { name: 'no announcements', channels: ['general'], deny: 'the company channel is for people' },
  { name: 'posts', tools: ['slack.post'], approvers: ['U0ANA', 'U0BEN', 'U0CHIARA'], needed: 2 },
];

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start({ config: configWith({ rules, approval: { four_eyes: false } }) });
  onCall('ops', 'dev');
  onCall('payments-api', 'ben');
});
afterAll(() => finish(workspace));

/** Puts somebody on call for a service. */
function onCall(service: string, handle: string): void {
  const { store } = workspace.sandbox.pagerduty;
  const { pagerduty, people } = workspace.sandbox.world;
  const found = pagerduty.services.find(({ name }) => name === service);
  const person = people.find(({ name }) => name === handle);
  if (found === undefined || person === undefined) throw new Error(`no ${service} or ${handle}`);
  store.setOnCall(found, person.pagerdutyId, new Date(Date.now() + 8 * 3_600_000));
}

async function asked(as: string, words: string, fits: string): Promise<Message> {
  await workspace.plan(as, words);
  return workspace.card(fits);
}

async function approvedRuns(): Promise<unknown[]> {
  return rows(workspace, 'select run_id from grants');
}

test('the on-call of payments approves its pages; the on-call of ops does not', async () => {
  const card = await asked(
    'eva',
    'pagerduty.page service=payments-api text="card payments fail"',
    'card payments fail',
  );
  expect(wordsOf(card)).toContain('whoever is on call for payments-api');
  await workspace.click('dev', card, 'plan.approve');
  const word = await workspace.whisper('dev', 'You cannot approve this one.');
  expect(wordsOf(word)).toContain('whoever is on call for payments-api');
  expect(await approvedRuns()).toEqual([]);
  await workspace.click('ben', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  expect(workspace.pages()).toHaveLength(1);
});

/** A card that nobody may approve has no such button, so its click is forged. */
async function pressApprove(as: string, message: Message): Promise<void> {
  const value = buttonValue(message, 'plan.edit') ?? '';
  await forgedClick(workspace, { as, message, actionId: 'plan.approve', value });
}

let shared: Message;

test('if two approvals are needed, one runs nothing and the card says who is missing', async () => {
  shared = await asked('eva', 'pagerduty.page service=ops text="two must agree"', 'two must agree');
  await workspace.click('dev', shared, 'plan.approve');
  await workspace.whisper('dev', 'Your approval counts. Nothing runs yet.');
  const waiting = await workspace.becomes(shared, 'Said yes:');
  expect(wordsOf(waiting)).toMatch(/1 of 2.*Still needed: 1 of/s);
  expect(actionsOf(waiting.blocks)).toContain('plan.approve');
  await workspace.plan('dev', 'mine');
  await workspace.whisper('dev', /Nothing waits for your approval/);
  await workspace.plan('chiara', 'mine');
  await workspace.whisper('chiara', /Waiting for you Waiting/);
  await workspace.click('dev', shared, 'plan.approve');
  await workspace.whisper('dev', 'Your approval counts. Nothing runs yet.');
  expect(await rows(workspace, 'select approver from approvals where approver = $1', ['U0DEV'])).toHaveLength(
    1,
  );
  expect(await approvedRuns()).toHaveLength(1);
});

test('an earlier approval stops counting when its approver is no longer on call', async () => {
  onCall('ops', 'ana');
  await workspace.click('chiara', shared, 'plan.approve');
  await workspace.whisper('chiara', 'Your approval counts. Nothing runs yet.');
  expect(await approvedRuns()).toHaveLength(1);
  onCall('ops', 'dev');
});

test('the last of several approvals grants the run, once', async () => {
  await Promise.all(['ana', 'chiara', 'dev'].map((as) => workspace.click(as, shared, 'plan.approve')));
  await workspace.reply(shared, /^Done/);
  expect(await approvedRuns()).toHaveLength(2);
  expect(workspace.pages()).toHaveLength(2);
});

test('the card and the page name every approver', async () => {
  const done = await workspace.becomes(shared, 'finished');
  expect(blockText(done.blocks)).toMatch(/Approved by (@U0\w+(, | and )?){2,}, /);
  expect(workspace.pages().at(-1)?.details.approved_by).toMatch(/^@\w+(, @\w+)? and @\w+$/);
});

test('two simultaneous approvals are enough and make one run', async () => {
  const card = await asked('eva', 'slack.post channel=#incidents text="at once"', 'at once');
  await Promise.all(['ana', 'ben', 'chiara'].map((as) => workspace.click(as, card, 'plan.approve')));
  await workspace.reply(card, /^Done/);
  expect(workspace.messages('incidents').filter((m) => m.isBot)).toHaveLength(1);
});

test('an edit voids earlier approvals', async () => {
  const first = await asked('eva', 'slack.post channel=#incidents text="first text"', 'first text');
  await workspace.click('ana', first, 'plan.approve');
  await workspace.becomes(first, 'Said yes:');
  await workspace.sandbox.slack.postAs({
    as: 'eva',
    channel: 'ops',
    threadTs: first.ts,
    text: 'slack.post channel=#incidents text="second text"',
  });
  const second = await workspace.card('second text');
  await workspace.click('ben', second, 'plan.approve');
  await workspace.becomes(second, /1 of 2/);
  expect(workspace.messages('incidents').filter((m) => m.isBot)).toHaveLength(1);
});

test('an approver who has left the company does not count', async () => {
  const card = await asked('eva', 'slack.post channel=#incidents text="who is left"', 'who is left');
  await workspace.click('ben', card, 'plan.approve');
  await workspace.becomes(card, 'Said yes:');
  const user = { id: 'U0BEN', team_id: workspace.sandbox.world.team.id, deleted: true };
  const body = { ok: true, user };
  const match = { path: '/api/users.info' };
  // Clicks within one second share a lookup.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  const gone = workspace.sandbox.faults.add({ vendor: 'slack', kind: 'status', status: 200, body, match });
  await workspace.click('ben', card, 'plan.approve');
  await workspace.whisper('ben', 'Only full members of this workspace can');
  workspace.sandbox.faults.remove(gone);
  expect(workspace.messages('incidents').filter((m) => m.isBot)).toHaveLength(1);
});

test('a denied plan cannot be approved, and the card and the refusal say why', async () => {
  const card = await asked('eva', 'slack.post channel=#general text="hello everybody"', 'hello everybody');
  expect(wordsOf(card)).toMatch(/Nobody may approve .*the company channel is for people/s);
  expect(wordsOf(card)).toContain('Would write:');
  expect(actionsOf(card.blocks)).not.toContain('plan.approve');
  await pressApprove('ana', card);
  expect(wordsOf(await workspace.whisper('ana', 'Nobody may approve this.'))).toContain(
    '“no announcements” denies',
  );
  expect(workspace.messages('general').filter((m) => m.isBot)).toEqual([]);
});

test('a plan that no rule covers cannot be approved', async () => {
  const card = await asked('eva', 'pagerduty.page service=checkout text="no rule"', 'no rule');
  expect(actionsOf(card.blocks)).not.toContain('plan.approve');
  await pressApprove('ana', card);
  await workspace.whisper('ana', 'No rule in countersign.yml covers “Page the on-call of checkout” here');
  expect(workspace.pages()).toHaveLength(2);
});

test('the rules for a goal can be checked before requesting it', async () => {
  await workspace.plan('eva', `policy ${breach}`);
  const word = await workspace.whisper('eva', /Who may approve/);
  expect(wordsOf(word)).toMatch(
    /Page the on-call of ops.*the rule “ops pages” fits: this kind of write, service ops.*2 of/s,
  );
  await workspace.plan('eva', 'policy');
  await workspace.whisper('eva', /no announcements.*the company channel is for people.*payments pages/s);
});
