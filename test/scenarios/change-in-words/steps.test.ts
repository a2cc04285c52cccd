/** Why: a reply takes a step out of a card, puts one in, or gives it other words; nothing that stays is lost with it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockText } from '../../support/block-text.ts';
import { finish } from '../../support/scenario.ts';
import { type Message, Workspace, wordsOf } from '../../support/workspace.ts';

const titleOf = ({ blocks }: Message) =>
  blocks?.flatMap((block) => (block.type === 'header' ? [blockText([block])] : [])).join('');

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterAll(() => finish(workspace));

/** A card of a plan: what is said about it in its thread names its revision as well. */
async function cardOf(revision: number): Promise<Message> {
  const isCard = (one: Message): boolean =>
    one.threadTs === undefined && wordsOf(one).includes(`Revision ${revision} `) && titleOf(one) !== '';
  await workspace.until(() => workspace.messages().some(isCard), `a card of revision ${revision}`);
  return workspace.messages().findLast(isCard) ?? expect.fail('it is gone');
}

function reply({ channel, ts }: Message, text: string) {
  return workspace.sandbox.slack.postAs({ as: 'ben', channel, threadTs: ts, text });
}

test('steps are left out, given another text and put in, each on a card of its own', async () => {
  await workspace.plan('ben', 'page ops and payments-api and checkout: region eu-west is gone');
  const card = await workspace.card(/region eu-west is gone/);
  await reply(card, 'drop payments');
  const fewer = await cardOf(2);
  expect(titleOf(fewer)).toBe('Page the on-call of ops, page the on-call of checkout');
  await reply(fewer, 'shorter text: eu-west gone');
  const shorter = await cardOf(3);
  expect(wordsOf(shorter)).toContain('text region eu-west is gone → eu-west gone');
  await reply(shorter, 'also open a ticket in OPS');
  const more = await cardOf(4);
  expect(titleOf(more)).toBe('Page the on-call of ops, page the on-call of checkout, create a ticket in OPS');
  await reply(more, 'just the ticket');
  const one = await cardOf(5);
  expect(titleOf(one)).toBe('Create a ticket in OPS');
  await workspace.click('ana', one, 'plan.approve');
  await workspace.reply(one, /^Done/);
  expect(workspace.pages()).toEqual([]);
});

test('a step to add that lacks its words is asked about, and takes the place of nothing', async () => {
  await workspace.plan('ben', 'roll back checkout');
  const card = await workspace.card(/Roll back checkout/);
  await reply(card, 'and open a ticket');
  await workspace.whisper('ben', /What is it about\? Say it in one reply/);
  await reply(card, 'and open a ticket: rolled back');
  expect(titleOf(await workspace.card(/rolled back.*Revision 2 /s))).toBe(
    'Roll back checkout, create a ticket in WEB',
  );
});

test('a list that cannot leave a thing out does not become one of that thing alone', async () => {
  await workspace.plan('ben', 'open incidents');
  const answer = await workspace.card(/open incidents/);
  await reply(answer, 'without checkout');
  await workspace.whisper('ben', /I can’t leave “checkout” out of this/);
});

test('a question below a card is told what the plan does, and a reply nobody understands what would change it', async () => {
  await workspace.plan('ben', 'page payments-api: payouts are stuck');
  const card = await workspace.card(/payouts are stuck/);
  await reply(card, 'what if i approve this, who gets woken?');
  await workspace.whisper(
    'ben',
    /once it is approved:.*Page the on-call of payments-api.*→ pages Ben Okafor/s,
  );
  await reply(card, 'make it sound nicer');
  await workspace.whisper('ben', /Try “ops instead”, “text: …”, or Edit\..*make it sound nicer/s);
});

test('a question to the bot below a card is answered, and the card waits on', async () => {
  await workspace.plan('ben', 'ack 1');
  const card = await workspace.card(/Acknowledge incident/);
  await reply(card, '@countersign who is on call');
  await workspace.reply(card, /is on call for/);
  await reply(card, '@countersign who is on call for payments-api?');
  await workspace.reply(card, /Ben Okafor is on call for payments-api/);
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
});
