/** Why: a part of a request that no step carries stays visible, through an option, an answer, a watch and a change. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finish } from '../../support/scenario.ts';
import { type Message, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterAll(() => finish(workspace));

const firstOption = (question: Message) => workspace.click('ben', question, 'clarify.answer.0');

test('words that the question was not sure about stand on the card of the chosen option', async () => {
  await workspace.plan('ben', 'close OPS-3, false alarm');
  await firstOption(await workspace.card('I’m not sure about “false alarm”.'));
  await workspace.card(/Not covered: “false alarm”\..*close OPS-3, false alarm/s);
  await workspace.plan('ben', 'page ops in 20 minutes unless the P1s drop below 10');
  await firstOption(await workspace.card('I’m not sure about “in 20 minutes”.'));
  await workspace.card('Not covered: “in 20 minutes”.');
});

test('a name that is answered instead is not in the plan either', async () => {
  await workspace.plan('ben', 'page the CEO');
  await firstOption(await workspace.card('Which service'));
  await workspace.card(/Not covered: “CEO”\..*page the CEO/s);
});

test('a page is not for a person of another role', async () => {
  await workspace.plan('ben', 'page the boss of payments-api');
  await firstOption(await workspace.card('I’m not sure about “boss”.'));
  await workspace.card('Not covered: “boss”.');
});

test('an answer says which of two questions it does not answer', async () => {
  await workspace.plan('ben', 'how many errors did checkout log in the last 15 min and is that normal');
  const answer = await workspace.card('Not covered: “is that normal”.');
  expect(wordsOf(answer)).toContain('errors of checkout in the last 15 minutes');
  await workspace.plan('ben', 'how many p1s does web have, more than were allowed?');
  const asked = await workspace.card('how many p1s does web have');
  expect(wordsOf(asked)).toContain('“how many p1s does web have”');
});

test('an order that the likeliest plan drops is asked about, and stands on the card of the plan without it', async () => {
  await workspace.plan('ben', 'page ops if OPS has more than 16 open P1 tickets and open a ticket');
  const question = await workspace.card(
    'Page ops, create a ticket in OPS if more than 16 open P1 tickets in OPS',
  );
  await workspace.click('ben', question, 'clarify.answer.1');
  const card = await workspace.card('Not covered: “open a ticket”.');
  expect(wordsOf(card)).toContain('Page the on-call of ops');
});

test('a text behind a colon is the text, whole', async () => {
  await workspace.plan('ben', 'page payments-api: refunds are stuck, case 7712');
  const question = await workspace.card('refunds are stuck, case 7712');
  expect(wordsOf(question)).not.toContain('at least 7712');
  await firstOption(question);
  const card = await workspace.card('Page the on-call of payments-api: “refunds are stuck, case 7712”');
  expect(wordsOf(card)).not.toContain('Not covered');
});

test('an order to the bot and the end of a relative clause wake nobody as a text', async () => {
  await workspace.plan('ben', 'page ops about the vpn, wait for 2 approvals');
  await firstOption(await workspace.card('I’m not sure about “wait for 2 approvals”.'));
  const card = await workspace.card('Not covered: “wait for 2 approvals”.');
  expect(wordsOf(card)).toContain('Page the on-call of ops: “the vpn”');
  await workspace.plan('ben', 'page whoever is on call for the thing that is broken');
  const question = await workspace.card('the thing that is broken');
  expect(wordsOf(question)).toContain('Which service');
});

test('a watch shows its text and what it leaves out, and takes all projects as all', async () => {
  await workspace.plan('ben', 'every weekday 7:30 tell #ops how many P1 and P2 are open in all projects');
  const made = wordsOf(await workspace.card('Watching'));
  expect(made).toContain('Text: “Open P1 tickets: {open P1 tickets} Open P2 tickets: {open P2 tickets}”');
  expect(made).not.toContain('No project was named');
});

test('a change keeps what the card left out, and “otherwise do nothing” leaves nothing out', async () => {
  await workspace.plan('ben', 'page ops if OPS has more than 18 open P1 tickets, the db is down');
  const card = await workspace.card('more than 18 open P1');
  await workspace.sandbox.slack.postAs({
    as: 'ben',
    channel: 'ops',
    threadTs: card.ts,
    text: 'threshold 23',
  });
  const changed = await workspace.card('more than 23 open P1');
  expect(wordsOf(changed)).toContain('Not covered: “the db is down”.');
  await workspace.plan('ben', 'page ops if there are more than 27 open P1s in OPS, otherwise do nothing');
  expect(wordsOf(await workspace.card('more than 27 open P1'))).not.toContain('Not covered');
});

const reply = (card: Message, text: string) =>
  workspace.sandbox.slack.postAs({ as: 'ben', channel: 'ops', threadTs: card.ts, text });

test('a part that a reply adds is no longer left out, and any other one still is', async () => {
  await workspace.plan('ben', 'close OPS-4, false alarm');
  await firstOption(await workspace.card(/close OPS-4.*I’m not sure about “false alarm”/s));
  const card = await workspace.card(/Not covered: “false alarm”.*close OPS-4, false alarm/s);
  await reply(card, 'also comment “false alarm” on OPS-4');
  const changed = await workspace.card(/comment on OPS-4.*Revision 2/is);
  expect(wordsOf(changed)).not.toContain('Not covered');
});

test('an order that was left out is asked for again in a reply, and then stands on the card as a step only', async () => {
  await workspace.plan('ben', 'page ops if OPS has more than 15 open P1 tickets and open a ticket');
  const question = await workspace.card('Page ops, create a ticket in OPS if more than 15 open P1 tickets');
  await workspace.click('ben', question, 'clarify.answer.1');
  const card = await workspace.card(/more than 15 [\s\S]*Not covered: “open a ticket”/);
  await reply(card, 'also open a ticket in OPS');
  const changed = await workspace.card(/reate a ticket in OPS[\s\S]*more than 15[\s\S]*Revision 2/);
  expect(wordsOf(changed)).not.toContain('Not covered');
});

test.each([
  ['lots of', '14'],
  ['many', '13'],
])('an amount without a number is asked for, and its number takes its place: %s', async (amount, number) => {
  await workspace.plan('ben', `page ops if OPS has ${amount} open P1 tickets`);
  const question = await workspace.card(new RegExp(`has ${amount} open P1 .*From what number on\\?`, 's'));
  await reply(question, number);
  const card = await workspace.card(`at least ${number} open P1 tickets`);
  expect(wordsOf(card)).not.toContain('Not covered');
});

test('an amount that an option left out is no longer left out once a reply gives its number', async () => {
  await workspace.plan('ben', 'page ops if OPS has several P1 tickets');
  await firstOption(await workspace.card(/has several P1 tickets.*From what number on\?/s));
  const card = await workspace.card('Not covered: “several”.');
  await reply(card, 'more than 11');
  expect(wordsOf(await workspace.card(/more than 11 .*Revision 2/s))).not.toContain('Not covered');
});
