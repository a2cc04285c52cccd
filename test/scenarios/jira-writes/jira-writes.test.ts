/** Why: tickets are moved and created once, as the card said, even if Jira's answer is lost; problems show before approval. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { buttonValue, configWith, finish, forgedClick } from '../../support/scenario.ts';
import { actionsOf, type Message, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start({ config: configWith({ rules: [{ approvers: ['U0ANA'] }] }) });
});
afterEach(() => workspace.sandbox.faults.clear());
afterAll(() => finish(workspace));

const store = () => workspace.sandbox.jira.store;

function ticket(fields: Partial<Parameters<ReturnType<typeof store>['create']>[0]> = {}) {
  return store().create({ project: 'OPS', summary: 'Disk almost full', reporter: store().bot, ...fields });
}

async function proposed(notation: string, words: string | RegExp): Promise<Message> {
  await workspace.plan('ben', notation);
  return workspace.card(words);
}

async function approved(notation: string, words: string | RegExp): Promise<Message> {
  const card = await proposed(notation, words);
  await workspace.click('ana', card, 'plan.approve');
  return card;
}

const posts = (path: string) =>
  workspace.sandbox.journal.list({ vendor: 'jira', path }).filter(({ method }) => method === 'POST');

test('a ticket is moved by status name, and the card shows the old and new status', async () => {
  const { key } = ticket({ summary: 'Disk <!channel> *full*' });
  const card = await approved(`jira.transition key=${key} status="In Progress"`, `Move ${key}`);
  expect(wordsOf(card)).toMatch(
    new RegExp(`oves ${key} from To Do to In Progress: “Disk <!channel> \\*full\\*”`),
  );
  await workspace.reply(card, /^Done/);
  expect(store().find(key).status).toBe('In Progress');
  expect(wordsOf(await workspace.reply(card, 'from To Do to In Progress'))).toContain('oved');
});

test('a move to the status that a ticket has is answered in words: there is nothing to approve', async () => {
  const { key } = ticket();
  await workspace.plan('ben', `jira.transition key=${key} status="To Do"`);
  const answer = await workspace.card(`${key} is “To Do” already`);
  expect(actionsOf(answer.blocks)).not.toContain('plan.approve');
  const both = `jira.transition key=${key} status="To Do"; slack.post channel=ops text="Looked at ${key}."`;
  const card = await approved(both, `Looked at ${key}.`);
  await workspace.reply(card, /^Done/);
});

/** The create screen of OPS as Jira gives it, with other fields. */
function createScreen(fields: readonly object[]): void {
  const match = { method: 'GET', path: '/rest/api/3/issue/createmeta/OPS/issuetypes/' };
  const body = { startAt: 0, maxResults: 200, total: fields.length, fields };
  workspace.sandbox.faults.add({ vendor: 'jira', kind: 'status', status: 200, match, body });
}

const summaryField = { fieldId: 'summary', name: 'Summary', required: true, schema: { type: 'string' } };
const teamField = { fieldId: 'customfield_10001', name: 'Team', required: true, schema: { type: 'team' } };

test.each([
  ['a priority that the screen lacks', [summaryField], / priority cannot be set: OPS does not have it/],
  [
    'a required field that the bot cannot fill in',
    [summaryField, teamField],
    /OPS needs “Team”.*cannot fill in “Team”/,
  ],
])('a ticket with %s cannot be approved, and the card says why', async (what, fields, why) => {
  createScreen(fields);
  const priority = what.includes('priority') ? 'priority=P2' : '';
  const card = await proposed(
    `jira.create project=OPS ${priority} summary="${what}" text="x"`,
    /Can’t be approved yet/,
  );
  expect(wordsOf(card)).toMatch(why);
  expect(actionsOf(card.blocks)).not.toContain('plan.approve');
  await workspace.click('ben', card, 'plan.reject');
  const { id: viewId } = await workspace.modal('ben');
  await workspace.sandbox.slack.submitView({ as: 'ben', viewId, values: { reason: { v: 'not now' } } });
  await workspace.becomes(card, 'Rejected');
});

test('disabled options are not offered, and a field without a name or schema is asked for by its id', async () => {
  const option = (name: string, disabled = false) => ({ id: name, value: name, disabled });
  const cause = {
    ...{ fieldId: 'customfield_10002', name: 'Root cause', required: true, schema: { type: 'option' } },
    allowedValues: [option('Deploy'), option('Old value', true), option('Load')],
  };
  createScreen([summaryField, cause]);
  const question = await proposed('jira.create project=OPS summary="options" text="x"', /needs “Root cause”/);
  expect(wordsOf(question)).not.toContain('Old value');
  expect(wordsOf(question)).toContain('Deploy Load');
  workspace.sandbox.faults.clear();
  const nameless = { fieldId: 'customfield_10003', required: true, schema: 'odd' };
  createScreen([summaryField, nameless, { name: 'Without an id' }]);
  const card = await proposed('jira.create project=OPS summary="nameless" text="x"', /Can’t be approved yet/);
  expect(wordsOf(card)).toContain('OPS needs “customfield_10003”');
  expect(wordsOf(card)).not.toContain('null');
});

test('a move that Jira accepts and does not make is told as unknown, with where the ticket stands', async () => {
  const { key } = ticket();
  const path = `/rest/api/3/issue/${key}/transitions`;
  workspace.sandbox.faults.add({
    ...{ vendor: 'jira', kind: 'status', status: 204, match: { method: 'POST', path } },
  });
  const card = await approved(`jira.transition key=${key} status=Blocked`, `Move ${key}`);
  expect(wordsOf(card)).toContain(`then looked up: ${key} is in Blocked`);
  const told = wordsOf(await workspace.reply(card, /does not show/));
  expect(told).toContain(
    `Jira took it, but a look afterwards does not show that ${key} is in Blocked: ${key} is To Do`,
  );
  await workspace.becomes(card, /[Uu]nknown/);
  expect(posts(path)).toHaveLength(1);
  // The same step is a card of its own, and nothing happens without another approval.
  const again = await workspace.card(/^Again: [\s\S]*Revision 2/);
  expect(wordsOf(again)).toContain('Jira took it, but a look afterwards does not show');
  expect(wordsOf(again)).not.toContain('It may have happened');
  workspace.sandbox.faults.clear();
  await workspace.click('ana', again, 'plan.approve');
  await workspace.reply(again, /^Done/);
  expect(store().find(key).status).toBe('Blocked');
  expect(posts(path)).toHaveLength(2);
});

test('an unreachable status asks for a reachable one, and the card has the choice', async () => {
  const { key } = ticket();
  const question = await proposed(`jira.transition key=${key} status="In Review"`, `${key} is “To Do”`);
  expect(wordsOf(question)).toMatch(
    /its workflow does not lead to “In Review”\. Where to instead\?[\s\S]* In Progress Blocked Resolved$/,
  );
  await workspace.click('ben', question, 'clarify.answer.1');
  const card = await workspace.card(`oves ${key} from To Do to Blocked`);
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  expect(store().find(key).status).toBe('Blocked');
});

test('a failed move to a status missing from the workflow asks for another instead of retrying', async () => {
  const { key } = ticket();
  workspace.sandbox.faults.add({ vendor: 'jira', kind: 'status', status: 503 });
  const card = await proposed(`jira.transition key=${key} status="In Review"`, `Move ${key} to In Review`);
  workspace.sandbox.faults.clear();
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Failed/);
  const question = await workspace.card(new RegExp(`${key}[\\s\\S]*Where to instead`));
  await workspace.click('ben', question, 'clarify.answer.1');
  const next = await workspace.card(`oves ${key} from To Do to Blocked`);
  await workspace.click('ana', next, 'plan.approve');
  await workspace.reply(next, /^Done/);
  expect(store().find(key).status).toBe('Blocked');
});

test('a move made by somebody else meanwhile is left alone, because it was not approved', async () => {
  const { key } = ticket({ status: 'In Progress' });
  const card = await proposed(`jira.transition key=${key} status=Done`, `Move ${key}`);
  store().transition(store().find(key), '21');
  await workspace.click('ana', card, 'plan.approve');
  expect(wordsOf(await workspace.reply(card, /^(Failed|Partly)/))).toContain(
    `moves ${key} from Blocked to Resolved`,
  );
  expect(store().find(key).status).toBe('Blocked');
});

test('a move whose answer was lost is recognised by its mark and not repeated', async () => {
  const { key } = ticket();
  const path = `/rest/api/3/issue/${key}/transitions`;
  workspace.sandbox.faults.add({
    vendor: 'jira',
    match: { path, method: 'POST' },
    kind: 'lost-answer',
    times: 1,
  });
  const card = await approved(`jira.transition key=${key} status=Blocked`, `Move ${key}`);
  expect(wordsOf(await workspace.reply(card, /^Done/, 25_000))).toContain(`from To Do to Blocked`);
  expect(wordsOf(await workspace.reply(card, 'a look afterwards showed that it was done'))).toContain(
    'Blocked',
  );
  expect(posts(path)).toHaveLength(1);
});

test('a follow-up is created once, linked to its incident, with requester and approver, as plain text', async () => {
  const incident = ticket().key;
  const text = 'Write it down *bold* @ana [link](https://evil.example)';
  const card = await approved(
    `jira.create project=PAY type=bug summary="Review of ${incident}" text="${text}" assignee=me follows=${incident}`,
    `Review of ${incident}`,
  );
  expect(wordsOf(card)).toContain(`a Bug in PAY, assigned to Ben Okafor, linked to ${incident}`);
  await workspace.reply(card, /^Done/);
  const made = store()
    .issues()
    .filter(({ summary }) => summary === `Review of ${incident}`);
  expect(made).toHaveLength(1);
  expect(made[0]).toMatchObject({
    issueType: 'Bug',
    links: [incident],
    assignee: { displayName: 'Ben Okafor' },
  });
  const description = JSON.stringify(made[0]?.description);
  expect(description).toContain(text);
  expect(description).toMatch(/Follow-up of OPS-\d+.*"text":"Requested by @\S*ben, approved by @\S*ana"/);
  expect(description).not.toMatch(/"type":"(mention|inlineCard)"|"marks"/);
  expect(wordsOf(await workspace.reply(card, made[0]?.key ?? ''))).toContain('follow-up of');
});

test('a ticket whose answer was lost is found by its mark; one that Jira does not show is left as unknown', async () => {
  const fault = {
    vendor: 'jira',
    match: { path: '/rest/api/3/issue', method: 'POST', exact: true },
  } as const;
  workspace.sandbox.faults.add({ ...fault, kind: 'lost-answer', times: 1 });
  const found = await approved('jira.create project=OPS summary="Lost and found"', 'Lost and found');
  await workspace.reply(found, /^Done/, 25_000);
  expect(
    store()
      .issues()
      .filter(({ summary }) => summary === 'Lost and found'),
  ).toHaveLength(1);

  workspace.sandbox.faults.add({ ...fault, kind: 'reset', times: 1 });
  const lost = await approved('jira.create project=OPS summary="Never seen"', 'Never seen');
  const final = wordsOf(await workspace.reply(lost, /UNKNOWN/, 25_000));
  expect(final).toMatch(/not found afterwards/);
  expect(posts('/rest/api/3/issue').filter(({ path }) => path === '/rest/api/3/issue')).toHaveLength(3);
});

test('a follow-up is linked separately if the screen has no links, and a failed link is reported', async () => {
  const incident = ticket().key;
  const order = (summary: string) =>
    approved(`jira.create project=WEB type=bug summary="${summary}" follows=${incident}`, summary);
  const card = await order('Pool too small');
  expect(wordsOf(card)).toContain(`a Bug in WEB, linked to ${incident}`);
  await workspace.reply(card, /^Done:\s+created\s+WEB-\d+\s+as a follow-up/);
  const linked = store()
    .issues()
    .filter(({ summary }) => summary === 'Pool too small');
  expect(linked).toMatchObject([{ links: [incident] }]);

  const match = { path: '/rest/api/3/issueLink' };
  const body = { errorMessages: ['No Link Issue Permission for issue'] };
  workspace.sandbox.faults.add({ vendor: 'jira', match, kind: 'status', status: 404, body });
  const alone = await order('Pool still too small');
  expect(wordsOf(await workspace.reply(alone, /^Done/))).toMatch(
    new RegExp(
      `created\\s+WEB-\\d+\\s*, which names\\s+${incident}\\s+but is not linked to it: .*No Link Issue Permission`,
    ),
  );
  expect(store().find(incident).links).toHaveLength(1);
});

test.each([
  [
    'jira.transition key=OPS-99999 status=Done',
    'Jira has no ticket OPS-99999, or does not show it to the bot',
  ],
  ['jira.comment key=OPS-99998 text=hello', 'Jira has no ticket OPS-99998, or does not show it to the bot'],
  ['jira.create project=PAY type=Unicorn summary=x', 'PAY has no type “Unicorn”'],
  ['jira.create project=PAY type=task label="two words" summary=x', 'a label in Jira has no spaces'],
  ['jira.create project=PAY type=task assignee="Zoe Nobody" summary=x', 'Jira knows nobody by that name'],
])('%s asks a question and cannot be approved', async (plan, words) => {
  const question = await proposed(plan, words);
  expect(wordsOf(question)).toMatch(/(Which|What|Who)[^?]*\?\s+(Choose one, or a|A)nswer in this thread/);
  expect(actionsOf(question.blocks)).not.toContain('plan.approve');
});

test('a field that the project requires is asked for before the card, with its allowed values', async () => {
  const plan = 'jira.create project=PAY type=incident summary="Payouts stopped"';
  const question = await proposed(plan, 'PAY needs “Components” for “Incident”');
  expect(wordsOf(question)).toMatch(
    /Which one\?\s+Choose one, or answer in this thread\. Gateway Database Web$/,
  );
  expect(actionsOf(question.blocks)).not.toContain('plan.approve');
  await workspace.click('ben', question, 'clarify.answer.0');
  const card = await workspace.card('component: Gateway');
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  const made = store()
    .issues()
    .filter(({ summary }) => summary === 'Payouts stopped');
  expect(made).toMatchObject([{ components: ['Gateway'], issueType: 'Incident' }]);
});

test('a required custom field is asked for, and asked again if Jira does not accept the answer', async () => {
  const { key } = ticket({ project: 'PAY', status: 'In Progress' });
  const question = await proposed(
    `jira.transition key=${key} status=Done`,
    `${key} needs the field “Root cause”`,
  );
  const answer = (text: string) =>
    workspace.sandbox.slack.postAs({ as: 'ben', channel: 'ops', threadTs: question.ts, text });
  await answer('the <!channel> moon');
  const again = await workspace.card(
    /“Root cause” is “the @channel moon”|“Root cause” is “the <!channel> moon”/,
  );
  expect(wordsOf(again)).toContain('it can only be “Deploy”, “Third party”. What should it be?');
  await workspace.click('ben', again, 'clarify.answer.0');
  const card = await workspace.card(/Root cause: Deploy/);
  expect(wordsOf(card)).toContain(`oves ${key} from In Progress to Done`);
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  expect(store().find(key)).toMatchObject({
    status: 'Done',
    custom: { customfield_10050: { id: '10200', value: 'Deploy' } },
  });
});

test('a multi-line field takes the answer as plain text', async () => {
  const question = await proposed(
    'jira.create project=WEB type=incident summary="Basket is empty"',
    'WEB needs “Customer impact” for “Incident”. What is it? (a few words)',
  );
  const text = 'nobody can *pay* @ https://evil.example';
  await workspace.sandbox.slack.postAs({ as: 'ben', channel: 'ops', threadTs: question.ts, text });
  const card = await workspace.card(/Customer impact: nobody can/);
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  const made = store()
    .issues()
    .find(({ summary }) => summary === 'Basket is empty');
  const impact = JSON.stringify(made?.custom);
  expect(impact).toContain('nobody can *pay* @ ');
  expect(impact).not.toMatch(/"type":"(mention|inlineCard)"|"marks"/);
});

test('a missing permission is reported, and nothing else is changed', async () => {
  const { key } = ticket();
  const path = `/rest/api/3/issue/${key}/transitions`;
  workspace.sandbox.faults.add({
    vendor: 'jira',
    match: { path, method: 'POST' },
    kind: 'status',
    status: 403,
    body: { errorMessages: ['You may not move this issue'], errors: {} },
  });
  const card = await approved(`jira.transition key=${key} status=Blocked`, `Move ${key}`);
  expect(wordsOf(await workspace.reply(card, /^Failed/))).toContain(
    'Jira does not allow this with the bot’s token: You may not move this issue. ' +
      'The account of JIRA_EMAIL needs the permission in that project (docs/jira.md)',
  );
  expect(store().find(key).status).toBe('To Do');
});

/** The reply at the end of the run. */
const done = (card: Message): Promise<Message> => workspace.reply(card, /^Done/);

test('a move can be undone from its reply, as its own plan with its own approval', async () => {
  const { key } = ticket();
  const card = await approved(`jira.transition key=${key} status=Blocked`, `Move ${key}`);
  const reply = await done(card);
  await workspace.click('ben', reply, 'step.undo');
  // The workflow has no way back from there, so it asks for one of the statuses it has.
  const back = await workspace.reply(card, `${key} is “Blocked”`);
  expect(wordsOf(back)).toMatch(/does not lead to “To Do”\. Where to instead\?[\s\S]*In Progress Resolved$/);
  expect(store().find(key).status).toBe('Blocked');

  const started = ticket({ status: 'In Progress' }).key;
  const second = await approved(`jira.transition key=${started} status=Blocked`, `Move ${started}`);
  await workspace.click('ben', await done(second), 'step.undo');
  const undoing = await workspace.reply(second, `Move ${started} to In Progress`);
  await workspace.click('ana', undoing, 'plan.approve');
  await expect.poll(() => store().find(started).status).toBe('In Progress');
});

test('a new ticket can be closed from its reply; a step that changed nothing offers no undo', async () => {
  const card = await approved('jira.create project=OPS summary="Made by mistake"', 'Made by mistake');
  const made = () =>
    store()
      .issues()
      .find(({ summary }) => summary === 'Made by mistake');
  const reply = await done(card);
  await workspace.click('ben', reply, 'step.undo');
  const closing = await workspace.reply(card, `Move ${made()?.key} to Closed`);
  expect(wordsOf(closing)).toContain(`oves ${made()?.key} from To Do to Resolved`);
  await workspace.click('ana', closing, 'plan.approve');
  await expect.poll(() => made()?.status).toBe('Resolved');

  const same = await proposed(`jira.transition key=${made()?.key} status=Resolved`, 'is “Resolved” already');
  expect(actionsOf(same.blocks)).not.toContain('step.undo');
});

test('a forged Undo button does nothing', async () => {
  const { key } = ticket();
  const card = await approved(`jira.transition key=${key} status=Blocked`, `Move ${key}`);
  const reply = await done(card);
  const value = buttonValue(reply, 'step.undo') ?? '';
  const forged = value.replace(/"d":"./, '"d":"0').replace(/"s":"[^"]*"/, '"s":"other"');
  await forgedClick(workspace, { as: 'ben', message: reply, actionId: 'step.undo', value: forged });
  await workspace.whisper('ben', 'nothing to undo');
  expect(workspace.messages().some((m) => wordsOf(m).includes(`Move ${key} to To Do`))).toBe(false);
});
