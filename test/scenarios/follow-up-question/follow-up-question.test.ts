/** Why: below an answer people ask on without a mention; that is answered, and talk between them is not. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finish, rows } from '../../support/scenario.ts';
import { labelsOf, type Message, Workspace } from '../../support/workspace.ts';

let workspace: Workspace;
let answer: Message;
beforeAll(async () => {
  workspace = await Workspace.start();
  await workspace.plan('ben', 'how many P1 tickets are open in OPS?');
  answer = await workspace.card('24 open P1 tickets in OPS');
});
afterAll(() => finish(workspace));

const say = (as: string, text: string) =>
  workspace.sandbox.slack.postAs({ as, channel: 'ops', text, threadTs: answer.ts });
const privateWords = (as: string) =>
  workspace.messages('ops', workspace.person(as)).filter((one) => one.ephemeralFor === workspace.person(as));

test('the same question about another project is answered', async () => {
  await say('dev', 'and in PAY?');
  await workspace.card(/open P1 tickets? in PAY/);
});

test('a question that is not understood is reported to its requester only, and talk to nobody', async () => {
  const requests = 'select id from requests';
  const before = (await rows(workspace, requests)).length;
  for (const talk of ['thanks', 'dev, can you look at that?', 'PAY has the same issue', '@ana why?'])
    await say('ben', talk);
  await say('eva', 'why?');
  await say('ben', 'why?');
  await workspace.whisper('ben', 'I did not understand that.');
  expect([privateWords('ben').length, privateWords('eva').length]).toEqual([1, 0]);
  expect((await rows(workspace, requests)).length).toBe(before);
});

test('a question without its mark gets a private word with requests that work', async () => {
  await say('ben', 'which is the oldest ticket');
  const word = await workspace.whisper('ben', /which is the oldest ticket/);
  expect(labelsOf(word.blocks)).not.toEqual([]);
});

test('a filter that is not understood gets a private word', async () => {
  await say('eva', 'created this week');
  await say('ben', 'created this week');
  await workspace.whisper('ben', /created this week/);
  expect(privateWords('eva')).toEqual([]);
});

test('a question of its own is answered in the thread', async () => {
  await say('eva', 'who is on call for ops?');
  await workspace.reply(answer, 'Ana Ruiz is on call for ops');
});

test('a question that lacks only a name is asked about it', async () => {
  await say('eva', 'and the last deploy?');
  const question = await workspace.card('Which service is this about?');
  expect(labelsOf(question.blocks)).toEqual(['checkout', 'payments-api']);
});

test('corrections and filters below an answer keep what was said before', async () => {
  await workspace.plan('ben', 'open P1s of WEB');
  const first = await workspace.card('open P1s of WEB');
  const reply = (as: string, text: string) =>
    workspace.sandbox.slack.postAs({ as, channel: 'ops', text, threadTs: first.ts });
  await reply('ben', 'not WEB, OPS');
  await workspace.reply(first, /24 open P1 tickets in OPS/);
  await reply('ana', 'only mine');
  await workspace.reply(first, /open P1 tickets? in OPS assigned to @?ana/);
  await reply('ben', 'by status');
  await workspace.reply(first, /open P1 tickets? in OPS assigned to @?ana.*by status/s);
});

test('a reply below a plan that is over gets a private word, and a question there its answer', async () => {
  await workspace.plan('ben', 'page ops: the lift is stuck');
  const card = await workspace.card('the lift is stuck');
  await workspace.click('chiara', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  const reply = (text: string) =>
    workspace.sandbox.slack.postAs({ as: 'ben', channel: 'ops', text, threadTs: card.ts });
  await reply('low urgency');
  await workspace.whisper('ben', /I did nothing with that.*low urgency/s);
  await reply('who is on call for checkout?');
  await workspace.reply(card, 'Chiara Conti is on call for checkout');
});
