/** Why: a write that was made has not helped yet. What was approved says how that is looked up, and the thread says what was found. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type BotProcess, startHere } from '../../support/bot.ts';
import { finish, rows } from '../../support/scenario.ts';
import { type Message, Workspace, wordsOf } from '../../support/workspace.ts';

const count = 'jira.count project=OPS priority=P1 status=open';
const before = `before = ${count}\n  on error: continue`;
const close = (key: string, verify: string) =>
  `${before}\njira.transition key=${key} status=Done\n  verify: ${verify}`;

let workspace: Workspace;
let spawned: Workspace<BotProcess>;
beforeAll(async () => {
  spawned = await Workspace.spawn();
  workspace = spawned;
});
afterEach(() => workspace.sandbox.faults.clear());
afterAll(() => finish(workspace));

async function approved(plan: string, key: string): Promise<Message> {
  await workspace.plan('ben', plan);
  const card = await workspace.card(new RegExp(`Move ${key} to Done`));
  await workspace.click('ana', card, 'plan.approve');
  return card;
}

const checks = () => rows(workspace, 'select outcome, words, look_at from checks order by until');

test('the card says how the write is checked, and the thread that it helped, with both numbers', async () => {
  await workspace.plan('ben', close('OPS-1', `within 10s after.total < before.total: ${count}`));
  const card = await workspace.card(/Move OPS-1 to Done/);
  expect(wordsOf(card)).toContain(
    'checked for up to 10 seconds: Count open P1 tickets in OPS; helped if open P1 tickets in OPS < open P1 tickets in OPS',
  );
  await workspace.click('ana', card, 'plan.approve');
  expect(wordsOf(await workspace.reply(card, /^Done/))).toMatch(/Checking until .* whether it helped\./);
  const told = wordsOf(await workspace.reply(card, /^Helped/));
  expect(told).toMatch(/^Helped: +Move OPS-1 to Done.*Before: 24 open P1 tickets in OPS; after: 23 open/s);
  expect(await checks()).toEqual([
    { outcome: 'helped', look_at: null, words: expect.stringContaining('23') },
  ]);
  const [line] = await rows(workspace, "select data::jsonb as data from audit where kind = 'write.checked'");
  expect(line?.data).toMatchObject({ step: 'transition', outcome: 'helped' });
  expect(wordsOf(await workspace.becomes(card, /Helped/))).toMatch(/Done\s*\..*Approved.*finished.*Helped/s);
  const id = /[0-9a-f]{4} [0-9a-f]{4}/.exec(wordsOf(card))?.[0];
  await workspace.plan('ben', `show ${id}`);
  expect(wordsOf(await workspace.whisper('ben', /Verified/))).toMatch(/Helped *: before: 24/);
});

test('a write that did not help in time offers to undo it, and a next step', async () => {
  const card = await approved(close('OPS-2', `within 5s after.total > before.total: ${count}`), 'OPS-2');
  const told = await workspace.reply(card, /^Did not help within 5 seconds/);
  expect(wordsOf(told)).toMatch(/Before: 23 open P1 tickets in OPS; after: 22 open/);
  await workspace.click('ben', told, 'plan.next');
  expect(JSON.stringify(await workspace.modal('ben'))).toContain('plan.ask.submit');
  await workspace.click('ben', told, 'step.undo');
  await workspace.reply(card, /Where to instead\?/);
});

test('a source that is down says nothing about the write', async () => {
  await workspace.plan('ben', close('OPS-3', `within 6s after.total > before.total: ${count}`));
  const card = await workspace.card(/Move OPS-3 to Done/);
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  workspace.sandbox.faults.add({
    vendor: 'jira',
    match: { path: '/rest/api/3/search' },
    kind: 'status',
    status: 500,
  });
  const told = wordsOf(await workspace.reply(card, /^Could not be checked whether it helped/, 30_000));
  expect(told).not.toContain('Did not help');
});

test('a check that needs a value which was not read is said to be none', async () => {
  const seen = 'before = jira.search project=OPS label=nothing';
  const verify = 'verify: within 5s after.done: jira.get key={before.first}';
  await workspace.plan('ben', `${seen}\nslack.post channel=#general text="Nothing is left."\n  ${verify}`);
  const card = await workspace.card(/Nothing is left/);
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  expect(wordsOf(await workspace.reply(card, /^Could not be checked/))).toMatch(
    /labelled nothing is not known/,
  );
});

test('a changed check is another plan to approve', async () => {
  const plan = (within: string) => close('OPS-4', `within ${within} after.total < before.total: ${count}`);
  await workspace.plan('ben', plan('10m'));
  const card = await workspace.card(/checked for up to 10 minutes/);
  await workspace.plan('ben', plan('20m'));
  const other = await workspace.card(/checked for up to 20 minutes/);
  expect(other.ts).not.toBe(card.ts);
  const [one, two] = await rows(
    workspace,
    "select distinct digest from revisions where bytes like '%OPS-4%'",
  );
  expect(one?.digest).not.toBe(two?.digest);
});

test('a check that a killed process left open is done by the next one, once', async () => {
  const card = await approved(close('OPS-5', `within 8s after.total > before.total: ${count}`), 'OPS-5');
  await workspace.reply(card, /^Done/);
  await spawned.bot.kill();
  expect((await checks()).filter(({ outcome }) => outcome === null)).toHaveLength(1);
  workspace.bot = await startHere(workspace.sandbox, workspace.env);
  await workspace.reply(card, /^Did not help within 8 seconds/, 30_000);
  const thread = workspace.messages(card.channel).filter(({ threadTs }) => threadTs === card.ts);
  expect(thread.filter((message) => wordsOf(message).startsWith('Did not help'))).toHaveLength(1);
  const lines = await rows(workspace, "select 1 from audit where kind = 'write.checked'");
  expect(lines).toHaveLength(5);
});
