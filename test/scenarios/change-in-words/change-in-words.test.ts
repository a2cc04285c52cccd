/** Why: on a phone people say "threshold 15" instead of filling in fields; chatter in the thread changes nothing. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockText } from '../../support/block-text.ts';
import { finish, known, rows } from '../../support/scenario.ts';
import { type Message, Workspace, wordsOf } from '../../support/workspace.ts';

const goal = 'if OPS has more than 20 open P1 tickets, page ops';
const titleOf = ({ blocks }: Message) =>
  blocks?.flatMap((block) => (block.type === 'header' ? [blockText([block])] : [])).join('');
const linksIn = ({ blocks }: Message) =>
  [...JSON.stringify(blocks).matchAll(/"url":"([^"]*)"/g)].map(([, url]) => url);
const numbers = () =>
  rows(
    workspace,
    `select number, state from revisions where request_id in (select id from requests where goal = '${goal}') order by number`,
  );

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterAll(() => finish(workspace));

test('a change in words in the edit form makes a new revision', async () => {
  await workspace.plan('ben', goal);
  const card = await workspace.card(goal);
  await workspace.click('ben', card, 'plan.edit');
  const { id: viewId } = await workspace.modal('ben');
  const values = { words: { v: 'threshold 12' } };
  expect(
    (await workspace.sandbox.slack.submitView({ as: 'ben', viewId, values })).fieldErrors,
  ).toBeUndefined();
  const changed = await workspace.card(/Changed:.*Revision 2 /s);
  expect(wordsOf(changed)).toContain('there are more than 12 open P1 tickets in OPS');
  expect(titleOf(changed)).toBe('Page the on-call of ops if there are more than 12 open P1 tickets in OPS');
});

test('a reply in the thread makes the next revision', async () => {
  const card = await workspace.card(/Changed:.*Revision 2 /s);
  await workspace.sandbox.slack.postAs({
    as: 'dev',
    channel: 'ops',
    threadTs: card.ts,
    text: 'threshold 15',
  });
  const changed = await workspace.card(/Changed:.*Revision 3 /s);
  expect(wordsOf(changed)).toContain('there are more than 15 open P1 tickets in OPS');
  const old = await workspace.becomes(card, /Replaced by revision 3.*Use the newer card/);
  const word = await workspace.reply(card, /This plan was changed.*Revision 3/);
  const path = `/archives/${changed.channel}/p${changed.ts.replace('.', '')}`;
  for (const message of [old, word]) expect(linksIn(message)).toEqual([expect.stringContaining(path)]);
});

test('chatter in the thread is ignored, and a reply to the bot that is not a change is rejected', async () => {
  const card = await workspace.card(/Changed:.*Revision 3 /s);
  const say = (text: string) =>
    workspace.sandbox.slack.postAs({ as: 'eva', channel: 'ops', threadTs: card.ts, text });
  await say('morning all, who has the keys to the data centre?');
  const others = ['ben is on it', 'i changed my mind', 'PAY is always like this on mondays', 'P2s are worse'];
  for (const talk of ['@ana can you approve?', 'why not P2?', 'PAY has the same issue', 'ok', ...others])
    await say(talk);
  await say('@countersign hmm, I am not so sure about that one');
  await workspace.whisper('eva', 'I did not understand that change.');
  expect(await numbers()).toEqual([
    { number: 1, state: 'superseded' },
    { number: 2, state: 'superseded' },
    { number: 3, state: 'proposed' },
  ]);
});

test('the title describes the changed plan, not the original one', async () => {
  await workspace.plan('ben', 'Check open P1 tickets in OPS against the SLA and page on-call if breached');
  const card = await workspace.card(/^Compare open P1/);
  await workspace.sandbox.slack.postAs({
    as: 'ben',
    channel: 'ops',
    threadTs: card.ts,
    text: 'also tell #incidents',
  });
  const changed = await workspace.card(/ost to #incidents if/);
  expect(titleOf(changed)).toMatch(
    /^Page the on-call of ops, post to #incidents if open P1 tickets in OPS > /,
  );
});

test('a change understood only in part is rejected, and the next one is applied', async () => {
  await workspace.plan('ben', 'page checkout: basket broken');
  const card = await workspace.card('basket broken');
  const say = (text: string) =>
    workspace.sandbox.slack.postAs({ as: 'ben', channel: 'ops', threadTs: card.ts, text });
  await say('low urgency and louder please');
  await workspace.whisper('ben', /I did not understand that change.*louder please/s);
  await say('only if nobody acked #1');
  await workspace.whisper('ben', /I did not understand that change.*nobody acked #1/s);
  await say('low urgency');
  await workspace.card(/basket broken.*Revision 2 /s);
});

test('the last revision is what runs', async () => {
  const card = await workspace.card(/Changed:.*Revision 3 /s);
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  expect(workspace.pages()).toHaveLength(1);
});

test('a plan has a revision limit, for changes in words and by form', async () => {
  const other = 'if OPS has more than 200 open P1 tickets, page ops';
  await workspace.plan('ben', other);
  let card = await workspace.card(other);
  await known(workspace, card);
  for (let number = 2; number <= 30; number += 1) {
    const text = `threshold ${200 + number}`;
    await workspace.sandbox.slack.postAs({ as: 'dev', channel: 'ops', threadTs: card.ts, text });
    card = await workspace.card(new RegExp(`more than ${200 + number} open.*Revision ${number} `, 's'));
    await known(workspace, card);
  }
  const bound = 'at most 30 revisions';
  const { slack } = workspace.sandbox;
  await slack.postAs({ as: 'dev', channel: 'ops', threadTs: card.ts, text: 'threshold 900' });
  await workspace.whisper('dev', bound);
  await workspace.click('ben', card, 'plan.edit');
  const { id: viewId } = await workspace.modal('ben');
  await slack.submitView({ as: 'ben', viewId, values: { 'if:page:to': { v: '901' } } });
  const direct = () => workspace.messages(workspace.person('ben'), workspace.person('ben')).map(wordsOf);
  await workspace.until(() => direct().some((words) => words.includes(bound)), 'a word to Ben');
});

test('a question about a step is answered in the thread, without a mention and from the plan', async () => {
  await workspace.plan('ben', 'page payments-api: the queue is full');
  const card = await workspace.card('the queue is full');
  const say = (as: string, text: string) =>
    workspace.sandbox.slack.postAs({ as, channel: 'ops', threadTs: card.ts, text });
  await say('eva', 'what’s step 1?');
  const answer = await workspace.reply(card, /^Step 1 of 1: /);
  expect(wordsOf(answer)).toMatch(
    /Page the on-call of payments-api: “the queue is full”.*→ pages Ben Okafor/s,
  );
  expect(wordsOf(answer)).toContain('It writes, after an approval.');
  await say('ben', 'what is step 2?');
  await workspace.reply(card, 'This plan has 1 step.');
  await say('ben', 'no, page ops instead');
  const changed = await workspace.card(/service payments-api → ops/);
  expect(titleOf(changed)).toBe('Page the on-call of ops');
  await say('dev', 'the first step is done, I think');
  await say('ben', 'explain the last step');
  await workspace.reply(card, /^Step 1 of 1:\s+Page the on-call of ops: “the queue is full”/);
  expect(workspace.messages().filter((one) => wordsOf(one).includes('This plan has'))).toHaveLength(1);
});

test('a reason behind the order is the text of a page, and any other part that no step carries is on the card', async () => {
  await workspace.plan('ben', 'page whoever is on call for payments, db is down');
  const page = await workspace.card('page whoever is on call for payments');
  expect(wordsOf(page)).toContain('Page the on-call of payments-api: “db is down”');
  expect(wordsOf(page)).not.toContain('Not covered');
  await workspace.plan('ben', 'page ops if OPS has more than 18 open P1 tickets, the db is down');
  const card = await workspace.card('more than 18 open P1');
  expect(wordsOf(card)).toContain('Not covered: “the db is down”.');
});

test('an order in place of another one becomes the step of the changed plan', async () => {
  await workspace.plan('ben', 'page ops if there are more than 17 open P1s in OPS');
  const card = await workspace.card('more than 17 open P1');
  const text = 'actually dont page, open a ticket in OPS instead';
  await workspace.sandbox.slack.postAs({ as: 'ben', channel: 'ops', threadTs: card.ts, text });
  const changed = await workspace.card(/reate a ticket in OPS if there are more than 17.*Left out/s);
  expect(wordsOf(changed)).not.toContain('Not covered');
});

test('words that only their requester can mean for the bot are never met with silence', async () => {
  await workspace.plan('chiara', 'page checkout: images are broken');
  const card = await workspace.card('images are broken');
  const say = (as: string, text: string) =>
    workspace.sandbox.slack.postAs({ as, channel: 'ops', threadTs: card.ts, text });
  const told = () => workspace.messages('ops', 'U0CHIARA').filter((one) => one.ephemeralFor === 'U0CHIARA');
  await say('chiara', 'hold on dont send it yet');
  await workspace.whisper('chiara', /I did not understand that change.*hold on dont send it yet/s);
  const before = told().length;
  await say('chiara', 'ok thx');
  await say('eva', 'the images come from the new bucket');
  await say('chiara', 'hold on dont touch the bucket yet');
  await say('chiara', 'low urgency');
  await workspace.card(/images are broken.*Revision 2 /s);
  expect(told()).toHaveLength(before);
});

test('“never mind” below one’s own card ends its newest revision', async () => {
  const card = await workspace.card(/images are broken.*Revision 2 /s);
  await workspace.sandbox.slack.postAs({ as: 'chiara', channel: 'ops', threadTs: card.ts, text: 'nvm' });
  await workspace.becomes(card, /Rejected\s+by.*Nothing ran/s);
});
