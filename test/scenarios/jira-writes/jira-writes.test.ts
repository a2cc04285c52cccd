/** Why: tickets are moved and made as the card said, once, also when Jira's answer is lost; what Jira does not take is said before the yes. */
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

test('a ticket is moved by the name of a status, and the card says from where to where', async () => {
  const { key } = ticket({ summary: 'Disk <!channel> *full*' });
  const card = await approved(`jira.transition key=${key} status="In Progress"`, `Move ${key}`);
  expect(wordsOf(card)).toMatch(
    new RegExp(`oves ${key} from To Do to In Progress: “Disk <!channel> \\*full\\*”`),
  );
  await workspace.reply(card, /^Done/);
  expect(store().find(key).status).toBe('In Progress');
  expect(wordsOf(await workspace.reply(card, 'from To Do to In Progress'))).toContain('oved');
});

test('a status that cannot be reached is on the card before anybody approves, with those that can', async () => {
  const { key } = ticket();
  const card = await approved(`jira.transition key=${key} status="In Review"`, `Move ${key}`);
  expect(wordsOf(card)).toMatch(
    /is “To Do”, and from there it can go to “In Progress”, “Blocked”, “Resolved”/,
  );
  expect(wordsOf(await workspace.reply(card, /^Failed/))).toContain('“In Review”');
  expect(store().find(key).status).toBe('To Do');
  expect(posts(`/rest/api/3/issue/${key}/transitions`)).toEqual([]);
});

test('somebody who moved the ticket meanwhile is not undone: what was approved does not fit any more', async () => {
  const { key } = ticket({ status: 'In Progress' });
  const card = await proposed(`jira.transition key=${key} status=Done`, `Move ${key}`);
  store().transition(store().find(key), '21');
  await workspace.click('ana', card, 'plan.approve');
  expect(wordsOf(await workspace.reply(card, /^(Failed|Partly)/))).toContain(
    `moves ${key} from Blocked to Resolved`,
  );
  expect(store().find(key).status).toBe('Blocked');
});

test('a move whose answer is lost is recognised by its mark and not made again', async () => {
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
  expect(wordsOf(await workspace.reply(card, 'found afterwards'))).toContain('Blocked');
  expect(posts(path)).toHaveLength(1);
});

test('a follow-up is created once, linked to its incident, with who asked and approved; text stays text', async () => {
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
  expect(description).toMatch(/Follow-up of OPS-\d+.*asked for by @\S*ben, approved by @\S*ana/);
  expect(description).not.toMatch(/"type":"(mention|inlineCard)"|"marks"/);
  expect(wordsOf(await workspace.reply(card, made[0]?.key ?? ''))).toContain('follow-up of');
});

test('a ticket whose answer is lost is found by its mark; one that Jira does not show is left to people', async () => {
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

test('what the project needs is said on the card, and nothing is created without it', async () => {
  const card = await proposed(
    'jira.create project=PAY type=incident summary="Payouts stopped"',
    'Payouts stopped',
  );
  expect(wordsOf(card)).toMatch(/PAY needs “Components” for “Incident”.*argument component: “Gateway”/);
  await workspace.click('ana', card, 'plan.approve');
  expect(wordsOf(await workspace.reply(card, /^Failed/))).toContain('argument component');
  expect(
    store()
      .issues()
      .some(({ summary }) => summary === 'Payouts stopped'),
  ).toBe(false);
  const fixed = await approved(
    'jira.create project=PAY type=incident component=gateway summary="Payouts stopped"',
    'component: gateway',
  );
  await workspace.reply(fixed, /^Done/);
  expect(
    store()
      .issues()
      .filter(({ summary }) => summary === 'Payouts stopped'),
  ).toHaveLength(1);
});

test('a bot without the permission says so, and nothing else is touched', async () => {
  const { key } = ticket();
  const path = `/rest/api/3/issue/${key}/transitions`;
  workspace.sandbox.faults.add({
    vendor: 'jira',
    match: { path, method: 'POST' },
    kind: 'status',
    status: 403,
  });
  const card = await approved(`jira.transition key=${key} status=Blocked`, `Move ${key}`);
  expect(wordsOf(await workspace.reply(card, /^Failed/))).toContain(
    "Jira does not allow this with the bot's token",
  );
  expect(store().find(key).status).toBe('To Do');
});

/** The reply of the step, once the run is over. */
async function done(card: Message): Promise<Message> {
  await workspace.reply(card, /^Done/);
  return workspace.reply(card, /^✓/);
}

test('what was moved can be moved back from its reply, as a plan of its own that needs its own yes', async () => {
  const { key } = ticket();
  const card = await approved(`jira.transition key=${key} status=Blocked`, `Move ${key}`);
  const reply = await done(card);
  await workspace.click('ben', reply, 'step.undo');
  const back = await workspace.reply(card, `Move ${key} to To Do`);
  expect(actionsOf(back.blocks)).toContain('plan.approve');
  expect(store().find(key).status).toBe('Blocked');
  // The workflow has no way back to it from there; that is said before anybody approves.
  expect(wordsOf(back)).toMatch(/is “Blocked”, and from there it can go to “In Progress”, “Resolved”/);

  const second = await approved(`jira.transition key=${key} status=Resolved`, `Move ${key} to Resolved`);
  await workspace.click('ben', await done(second), 'step.undo');
  expect(wordsOf(await workspace.reply(second, `Move ${key} to Blocked`))).toContain('“To Do”');

  const started = ticket({ status: 'In Progress' }).key;
  const third = await approved(`jira.transition key=${started} status=Blocked`, `Move ${started}`);
  await workspace.click('ben', await done(third), 'step.undo');
  const undoing = await workspace.reply(third, `Move ${started} to In Progress`);
  await workspace.click('ana', undoing, 'plan.approve');
  await expect.poll(() => store().find(started).status, { timeout: 15_000 }).toBe('In Progress');
});

test('a ticket that was made can be closed from its reply; nothing is offered where nothing was changed', async () => {
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
  await expect.poll(() => made()?.status, { timeout: 15_000 }).toBe('Resolved');

  const same = await approved(`jira.transition key=${made()?.key} status=Resolved`, 'is Resolved already');
  expect(actionsOf((await done(same)).blocks)).not.toContain('step.undo');
});

test('a button that nobody of us wrote takes nothing back', async () => {
  const { key } = ticket();
  const card = await approved(`jira.transition key=${key} status=Blocked`, `Move ${key}`);
  const reply = await done(card);
  const value = buttonValue(reply, 'step.undo') ?? '';
  const forged = value.replace(/"d":"./, '"d":"0').replace(/"s":"[^"]*"/, '"s":"other"');
  await forgedClick(workspace, { as: 'ben', message: reply, actionId: 'step.undo', value: forged });
  await workspace.whisper('ben', 'nothing to take back');
  expect(workspace.messages().some((m) => wordsOf(m).includes(`Move ${key} to To Do`))).toBe(false);
});
