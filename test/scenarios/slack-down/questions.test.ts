/** Why: a question that Slack did not take is one that nobody can answer; it arrives as surely as a card does, and once. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Fault } from '../../../sandbox/faults.ts';
import { finish, rows } from '../../support/scenario.ts';
import { actionsOf, type Message, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterEach(() => workspace.sandbox.faults.clear());
// Slack's client library logs every refusal as an error of its own.
afterAll(() => finish(workspace, /Slack client error|slack/i));

const fault = (path: string, kind: Fault['kind'], more: Partial<Fault> = {}): void => {
  workspace.sandbox.faults.add({ vendor: 'slack', match: { path: `/api/${path}` }, kind, ...more });
};
const which = 'Which channel or person';

function questions(about: string, channel = 'ops'): Message[] {
  return workspace.messages(channel).filter((one) => one.isBot && wordsOf(one).includes(about));
}

/** A question as people see it; nothing is known of what the bot knows. */
const question = (about: string, ms?: number) =>
  workspace.card(new RegExp(`${about}[\\s\\S]*${which}`), 'ops', ms);

const say = (text: string, { channel, ts, threadTs = ts }: Message, as = 'ben') =>
  workspace.sandbox.slack.postAs({ as, channel, text, threadTs });

async function requestOf(goal: string): Promise<Record<string, unknown>> {
  const [row] = await rows(workspace, 'select state, question from requests where goal = $1', [goal]);
  return row ?? {};
}

async function postponed(): Promise<void> {
  const count = () => workspace.bot.log().split('Message delivery postponed').length;
  const before = count();
  await workspace.until(() => count() > before, 'a message that has to wait', 20_000);
}

test('a question that Slack posts after twelve seconds of silence is there once, and leads to a card', async () => {
  fault('chat.postMessage', 'delay', { delayMs: 12_000, times: 1 });
  await workspace.plan('ben', 'tell the team that the lift is stuck');
  await workspace.click('ben', await question('the lift is stuck', 25_000), 'clarify.answer.1');
  await workspace.card(/the lift is stuck[\s\S]*WRITE/, 'ops', 25_000);
  const posts = workspace.sandbox.journal.list({ vendor: 'slack', path: '/api/chat.postMessage' });
  await workspace.until(() => posts.every(({ status }) => status !== null), 'all that was posted');
  expect(questions('the lift is stuck').filter((one) => wordsOf(one).includes(which))).toHaveLength(1);
}, 60_000);

test('a rate limit delays a question', async () => {
  fault('chat.postMessage', 'status', { status: 429, retryAfterSeconds: 6, times: 1 });
  await workspace.plan('ben', 'tell the team that the tap drips');
  await question('the tap drips', 25_000);
  expect(await requestOf('tell the team that the tap drips')).toMatchObject({ state: 'asking' });
}, 40_000);

test('a question whose answer from Slack was lost is not asked twice; a click counts before it is found', async () => {
  fault('chat.postMessage', 'lost-answer', { times: 1 });
  fault('conversations.history', 'delay');
  await workspace.plan('ben', 'tell the team that the door jams');
  const asked = await question('the door jams');
  await workspace.click('ben', asked, 'clarify.answer.1');
  const isAnswered = async () => (await requestOf('tell the team that the door jams')).state !== 'asking';
  await expect.poll(isAnswered, { timeout: 10_000 }).toBe(true);
  workspace.sandbox.faults.clear();
  await workspace.card(/the door jams[\s\S]*WRITE/, 'ops', 20_000);
  expect(actionsOf((await workspace.becomes(asked, /answered:/)).blocks)).toEqual([]);
  expect(questions('the door jams').filter((one) => wordsOf(one).includes(which))).toHaveLength(1);
}, 60_000);

test('a reply below a question counts although the bot is still looking for where the question is', async () => {
  fault('chat.postMessage', 'lost-answer', { times: 1 });
  await workspace.plan('ben', 'tell the team that the roof leaks');
  const asked = await question('the roof leaks');
  await say('the usual place', asked);
  const again = await workspace.reply(asked, 'couldn’t use “the usual place”', 20_000);
  await say('#ops', again);
  await workspace.card(/Post to #ops: “(?:the )?roof leaks”/);
}, 60_000);

test('words in the thread of a request do not answer a question that was posted after them', async () => {
  const { slack, world } = workspace.sandbox;
  const start = await slack.postAs({ as: 'ben', channel: 'incidents', text: 'the fan is loud' });
  const thread = { channel: 'incidents', ts: start.ts ?? '' } as Message;
  fault('chat.postMessage', 'hang', { times: 1 });
  await say(`<@${world.bot.userId}> tell the team that the fan is loud`, thread);
  await workspace.until(() => workspace.sandbox.faults.list().length === 0, 'a question that hangs');
  await say('I am looking at it', thread);
  const inThread = () =>
    workspace.messages('incidents').find((one) => one.isBot && wordsOf(one).includes(which));
  await workspace.until(() => inThread() !== undefined, 'the question', 25_000);
  const asked = inThread() ?? expect.fail('it is gone');
  expect(asked.threadTs).toBe(thread.ts);
  await say('#ops', asked);
  await workspace.until(
    () =>
      workspace
        .messages('incidents')
        .some((one) => /Post to #ops: “(?:the )?fan is loud”/.test(wordsOf(one))),
    'the card',
  );
  expect(JSON.stringify((await requestOf('tell the team that the fan is loud')).question)).not.toContain(
    'looking',
  );
}, 60_000);

test('an answered question loses its buttons once Slack is back, and the card follows it', async () => {
  await workspace.plan('ben', 'tell the team that the heat is off');
  const asked = await question('the heat is off');
  fault('chat.', 'status', { status: 503 });
  const waits = postponed();
  await workspace.click('ben', asked, 'clarify.answer.1');
  await waits;
  workspace.sandbox.faults.clear();
  await workspace.card(/the heat is off[\s\S]*WRITE/, 'ops', 20_000);
  expect(actionsOf((await workspace.becomes(asked, /answered:/, 20_000)).blocks)).toEqual([]);
}, 60_000);

test('a question that Slack refuses closes its request, and the requester is told to ask again', async () => {
  const body = { ok: false, error: 'is_archived' };
  fault('chat.postMessage', 'status', { status: 200, body, times: 1 });
  await workspace.plan('eva', 'tell the team that the pump is dry');
  const told = await workspace.whisper('eva', /the pump is dry[\s\S]*archived/);
  expect(wordsOf(told)).toContain('Ask again');
  expect(await requestOf('tell the team that the pump is dry')).toMatchObject({ state: 'refused' });
});

test('the answer to a question about a step waits for Slack as well', async () => {
  await workspace.plan('ben', 'page ops: the queue is stuck');
  const card = await workspace.card('the queue is stuck');
  fault('chat.postMessage', 'status', { status: 503 });
  const waits = postponed();
  await say('what is step 1?', card);
  await waits;
  workspace.sandbox.faults.clear();
  await workspace.reply(card, 'Step 1 of 1', 20_000);
}, 40_000);
