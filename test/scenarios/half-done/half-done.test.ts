/** Why: a process may die between any two rows; its successor shows what nobody saw and closes what only looks open. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { buttonValue, finish, known, rows, until } from '../../support/scenario.ts';
import { actionsOf, type Message, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterAll(() => finish(workspace));

let last = 0;
async function cardOf(): Promise<Message> {
  last += 1;
  await workspace.plan('ben', `slack.post channel=#incidents text="News ${last}."`);
  const card = await workspace.card(`News ${last}.`);
  await known(workspace, card);
  return card;
}

const newest = '(select request_id from revisions order by created_at desc limit 1)';

/** Stops the bot, sets the rows to what a crash at that point leaves, and starts another. */
async function dieAt(...statements: readonly string[]): Promise<void> {
  expect(await workspace.bot.stop()).toBe(0);
  for (const statement of statements) await rows(workspace, statement);
  workspace.bot = await workspace.startAnother();
}

async function stateOf(): Promise<unknown> {
  const [row] = await rows(workspace, `select state from requests where id = ${newest}`);
  return row?.state;
}

async function becomes(state: string): Promise<void> {
  await until(async () => (await stateOf()) === state);
}

test('a plan that was stored but not queued gets its card without being planned again', async () => {
  const lost = await cardOf();
  await dieAt(
    `delete from outbox where conversation = ${newest}`,
    `update requests set state = 'planning' where id = ${newest}`,
    `update revisions set card_ts = null, card_channel = null, created_at = created_at - interval '1 minute'
      where request_id = ${newest}`,
  );
  await becomes('review');
  const shown = () => workspace.messages().filter((message) => wordsOf(message).includes(`News ${last}.`));
  await workspace.until(() => shown().length === 2, 'the card is posted again');
  const again = shown().find(({ ts }) => ts !== lost.ts);
  expect(actionsOf(again?.blocks)).toContain('plan.approve');
  expect(await rows(workspace, `select number from revisions where request_id = ${newest}`)).toHaveLength(1);
});

test('a posted card counts even if its request is still marked as planning', async () => {
  await cardOf();
  await dieAt(
    `update requests set state = 'planning' where id = ${newest}`,
    `update revisions set created_at = created_at - interval '1 minute' where request_id = ${newest}`,
  );
  await becomes('review');
  expect(await rows(workspace, `select number from revisions where request_id = ${newest}`)).toHaveLength(1);
});

test('a stored rejection or expiry is shown on its card, and its request is closed', async () => {
  const rejected = await cardOf();
  await dieAt(
    `update revisions set state = 'rejected', decided_by = 'U0ANA', reason = 'not now',
      decided_at = now() - interval '1 minute' where request_id = ${newest}`,
  );
  const card = await workspace.becomes(rejected, /Rejected\s+by/);
  expect(wordsOf(card)).toContain('not now');
  await becomes('closed');

  const expired = await cardOf();
  await dieAt(
    `update revisions set state = 'expired', decided_at = now() - interval '1 minute',
      expires_at = now() - interval '1 minute' where request_id = ${newest}`,
  );
  expect(actionsOf((await workspace.becomes(expired, /Expired/)).blocks)).not.toContain('plan.approve');
  await becomes('closed');
});

test('a plan with unreadable bytes is closed and blocks nobody else', async () => {
  await cardOf();
  await dieAt(
    `update revisions set bytes = '{}', state = 'expired', decided_at = now() - interval '1 minute'
      where request_id = ${newest}`,
  );
  await becomes('closed');
  await workspace.plan('ben', 'how many P2 tickets are open in OPS?');
  await workspace.card('P2');
});

/** An event that a process accepted but did not finish before it died. */
function accepted(event: { readonly key: string; readonly [field: string]: unknown }): string {
  const row = `'T0SANDBOX', '${event.key}', '${JSON.stringify(event)}', 'dead', 1, now()`;
  return `insert into inbox (team_id, key, event, executor, attempts, at) values (${row})`;
}

const ben = { userId: 'U0BEN', teamId: 'T0SANDBOX', home: null };

test('the requester hears of a refusal even if the process that accepted the goal died', async () => {
  const message = { type: 'mention', key: 'message:C0OPS:1.1', channel: 'C0OPS', ts: '1.1', threadTs: null };
  const goal = 'drop the customers table';
  await dieAt(accepted({ ...message, actor: ben, text: goal }));
  await workspace.whisper('ben', /Nothing was stored or run/);
  const left = () => rows(workspace, `select state from requests where goal = '${goal}'`);
  expect(await left()).toEqual([{ state: 'refused' }]);
});

test('an answer after a run becomes a card even if its process died handling it', async () => {
  const card = await cardOf();
  await workspace.click('ana', card, 'plan.approve');
  await workspace.becomes(card, 'finished');
  const text = 'page ops because the disk is full';
  const open = {
    question: 'What should I do about the rest of the plan?',
    missing: ['goal'],
    options: [],
  };
  const question = JSON.stringify({ open, ts: card.ts, answers: [] });
  const message = {
    type: 'mention',
    key: 'message:C0OPS:2.1',
    channel: 'C0OPS',
    ts: '2.1',
    threadTs: card.ts,
  };
  await dieAt(
    `update requests set state = 'asking', question = '${question}' where id = ${newest}`,
    accepted({ ...message, actor: ben, text }),
  );
  await workspace.card(/disk is full[\s\S]*Revision 2 /);
  await becomes('review');
});

test('an answer that was stored but not planned is planned by the process that takes over its event', async () => {
  const key = 'message:C0OPS:3.1';
  const card = await cardOf();
  await workspace.click('ana', card, 'plan.approve');
  await workspace.becomes(card, 'finished');
  const answer = {
    ...{ question: 'What should I do about the rest of the plan?', missing: ['goal'], by: 'U0BEN', key },
    ...{ answer: 'page ops because the queue is full', at: new Date().toISOString() },
  };
  const question = JSON.stringify({ open: null, ts: card.ts, answers: [answer] });
  const message = { type: 'mention', key, channel: 'C0OPS', ts: '3.1', threadTs: card.ts };
  await dieAt(
    `update requests set state = 'planning', question = '${question}' where id = ${newest}`,
    accepted({ ...message, actor: ben, text: answer.answer }),
  );
  await workspace.card(/queue is full[\s\S]*Revision 2 /);
  await becomes('review');
});

test('a click whose process died after it asked the next question is not taken for an answer to that', async () => {
  await workspace.plan('eva', 'tell the team');
  const first = await workspace.card('Which channel or person should get it?');
  await workspace.click('eva', first, 'clarify.answer.0');
  await workspace.card('What should it say');
  const goal = `goal = 'tell the team'`;
  const asked = `select state, question->'answers' as answers from requests where ${goal}`;
  const before = await rows(workspace, asked);
  expect(before).toMatchObject([{ state: 'asking', answers: [{ by: workspace.person('eva') }] }]);
  const { channel, ts } = first;
  const event = {
    ...{ type: 'action', actionId: 'clarify.answer.0', triggerId: '1.1.x', responseUrl: null, view: null },
    ...{ value: buttonValue(first, 'clarify.answer.0'), message: { channel, ts, threadTs: null } },
    actor: { userId: workspace.person('eva'), teamId: workspace.sandbox.world.team.id, home: null },
  };
  await dieAt(
    `update inbox set done_at = null, executor = 'dead',
      event = '${JSON.stringify(event)}'::jsonb || jsonb_build_object('key', key)
      where key = (select question->'answers'->0->>'key' from requests where ${goal})`,
  );
  await until(
    async () => (await rows(workspace, 'select key from inbox where done_at is null')).length === 0,
  );
  expect(await rows(workspace, asked)).toEqual(before);
  const toEva = workspace
    .messages('ops', workspace.person('eva'))
    .filter((one) => one.ephemeralFor !== undefined);
  expect(toEva.map(wordsOf)).toEqual([]);
});
