/** Why: at 3 a.m. a card that nobody answers must reach somebody who does, and end visibly. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockText } from '../../support/block-text.ts';
import type { Bot } from '../../support/bot.ts';
import { configWith, finish, rows } from '../../support/scenario.ts';
import { type Message, Workspace, wordsOf } from '../../support/workspace.ts';

const rules = [
  { name: 'no announcements', channels: ['general'], deny: 'the company channel is for people' },
  {
    name: 'pages',
    tools: ['pagerduty.page'],
    approvers: ['U0CHIARA'],
    backup: ['U0ANA', 'U0DEV'],
    needed: 2,
  },
  { name: 'posts', tools: ['slack.post'], approvers: ['U0CHIARA'] },
];
const approval = { four_eyes: true, break_glass: ['U0DEV', 'U0BEN'] };

let workspace: Workspace;
let second: Bot;
beforeAll(async () => {
  workspace = await Workspace.start({ config: configWith({ rules, approval }) });
  second = await workspace.startAnother();
});
afterAll(async () => {
  await second.stop();
  await finish(workspace);
});

const page = (text: string) => `pagerduty.page service=ops text="${text}"`;

async function asked(as: string, words: string, fits: string): Promise<Message> {
  await workspace.plan(as, words);
  const card = await workspace.card(fits);
  await workspace.until(() => workspace.messages().some(({ ts }) => ts === card.ts), 'the card');
  return card;
}

/** Advances time for the open card, in the database. */
async function passes(change: string): Promise<void> {
  await rows(workspace, `update revisions set ${change} where state = 'proposed'`);
}

const now = "clock_timestamp() - interval '1 second'";

function said(card: Message, text: RegExp): Message[] {
  return workspace.messages().filter((m) => m.threadTs === card.ts && text.test(wordsOf(m)));
}

function direct(as: string): string[] {
  const id = workspace.person(as);
  return workspace.messages(id, id).map(wordsOf);
}

let card: Message;

test('halfway to expiry the thread is reminded once of the missing approvers, across two processes', async () => {
  card = await asked('dev', page('the disk is full'), 'the disk is full');
  await passes(`nudge_at = ${now}`);
  const word = await workspace.reply(card, /Still waiting for approval/);
  expect(JSON.stringify(word.blocks)).toContain('U0CHIARA');
  expect(word.text).toContain('<@U0CHIARA>');
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(said(card, /Still waiting/)).toHaveLength(1);
  expect(direct('ana')).toEqual([]);
});

test('then the back-ups who may approve get a direct message, even after a restart', async () => {
  expect(await workspace.bot.stop()).toBe(0);
  await passes(`nudge_at = ${now}`);
  workspace.bot = await workspace.startAnother();
  await workspace.until(
    () => direct('ana').some((words) => words.includes('you are the back-up')),
    'a word to Ana',
  );
  await workspace.reply(card, /I have written to/);
  // Dev is the requester, so a second person has to approve.
  expect(direct('dev')).toEqual([]);
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(direct('ana')).toHaveLength(1);
  const lines = await rows(
    workspace,
    "select kind from audit where kind in ('revision.reminded', 'revision.escalated') order by seq",
  );
  expect(lines).toEqual([{ kind: 'revision.reminded' }, { kind: 'revision.escalated' }]);
});

test('cards that wait in one channel get one reminder, which lists them', async () => {
  const texts = ['first of three', 'second of three', 'third of three'];
  const cards: Message[] = [];
  for (const text of texts) cards.push(await asked('dev', page(text), text));
  const [first, ...others] = cards as [Message, ...Message[]];
  await workspace.plan('dev', 'slack.post channel=ops text="elsewhere"', 'incidents');
  const elsewhere = await workspace.card('elsewhere', 'incidents');
  const at =
    "case when bytes like '%first of three%' then clock_timestamp() - interval '1 second' else clock_timestamp() + interval '5 minutes' end";
  await rows(
    workspace,
    `update revisions set nudge_at = ${at} where state = 'proposed' and bytes ~ 'of three|elsewhere'`,
  );
  const word = await workspace.reply(first, /3 plans are still waiting for approval/);
  expect(blockText(word.blocks)).toContain('@U0CHIARA');
  expect(word.text).toContain('<@U0CHIARA>');
  for (const one of cards) expect(JSON.stringify(word.blocks)).toContain(one.ts.replace('.', ''));
  const reminded = "select count(*)::int as n from revisions where bytes like '%of three%' and nudges = 1";
  await expect.poll(async () => (await rows(workspace, reminded))[0]?.n, { timeout: 10_000 }).toBe(3);
  expect(others.flatMap((one) => said(one, /waiting for approval/))).toEqual([]);
  expect(said(first, /waiting for approval/)).toHaveLength(1);
  expect(workspace.messages('incidents').filter((m) => m.threadTs === elsewhere.ts)).toEqual([]);
  const ended =
    "update revisions set state = 'cancelled' where state = 'proposed' and bytes ~ 'of three|elsewhere'";
  await rows(workspace, ended);
});

test('a back-up may say yes, and whoever asked is told when the card expires anyway', async () => {
  await workspace.click('ana', card, 'plan.approve');
  await workspace.becomes(card, /1 of 2/);
  await passes(`expires_at = ${now}`);
  await workspace.becomes(card, /Expired/);
  const word = await workspace.reply(card, /Nobody decided in time, so nothing ran/);
  expect(JSON.stringify(word.blocks)).toContain('U0DEV');
  expect(said(card, /Nobody decided/)).toHaveLength(1);
  expect(workspace.pages()).toEqual([]);
});

async function breakGlass(as: string, reason: string): Promise<void> {
  await workspace.plan(as, 'break-glass');
  const { id: viewId } = await workspace.modal(as);
  const values = { glass_reason: { v: reason }, read_all: { v: ['yes'] } };
  await workspace.sandbox.slack.submitView({ as, viewId, values });
}

test('only a named person can break glass, and only with a reason', async () => {
  card = await asked('dev', page('everything burns'), 'everything burns');
  await workspace.plan('eva', 'break-glass');
  await workspace.whisper('eva', 'You cannot do that. Nothing was approved.');
  await breakGlass('dev', 'now');
  expect(workspace.pages()).toEqual([]);
  expect(await rows(workspace, 'select run_id from grants')).toEqual([]);
});

test('a named person approves alone after seeing the whole plan, and the reason is posted', async () => {
  const { id: viewId, ...view } = await workspace.modal('dev');
  expect(wordsOf({ blocks: JSON.parse(JSON.stringify(view)) })).toContain('everything burns');
  const values = { glass_reason: { v: 'both approvers are on a plane' }, read_all: { v: ['yes'] } };
  await workspace.sandbox.slack.submitView({ as: 'dev', viewId, values });
  await workspace.reply(card, /^Done/);
  const done = await workspace.becomes(card, 'finished');
  expect(blockText(done.blocks)).toContain('Approved alone, breaking glass, by @U0DEV, ');
  const by = { approved_by: '@dev alone, breaking glass' };
  expect(workspace.pages().at(-1)?.details).toMatchObject(by);
  const loud = await workspace.card('Break-glass');
  expect(wordsOf(loud)).toContain('both approvers are on a plane');
  // The approvers who were bypassed are mentioned.
  expect(blockText(loud.blocks)).toMatch(/Its usual approvers: .*@U0/s);
  expect(workspace.pages()).toHaveLength(1);
  const [line] = await rows(workspace, "select actor, data from audit where kind = 'revision.approved'");
  expect(line?.actor).toBe('U0DEV');
  expect(JSON.parse(String(line?.data))).toMatchObject({
    glass: true,
    reason: 'both approvers are on a plane',
  });
});

test('breaking glass does not override a deny rule', async () => {
  await asked('eva', 'slack.post channel=#general text="glass for all"', 'glass for all');
  await workspace.plan('ben', 'break-glass');
  await workspace.whisper('ben', 'Nobody may approve this');
  expect(workspace.sandbox.slack.state('U0BEN').views.U0BEN ?? []).toEqual([]);
  expect(workspace.messages('general').filter((m) => m.isBot)).toEqual([]);
});
