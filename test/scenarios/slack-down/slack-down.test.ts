/** Why: Slack is where we report, not what we run on. A run ends without it, and the report follows, in order. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Fault } from '../../../sandbox/faults.ts';
import { breach, finish, rows, until } from '../../support/scenario.ts';
import { actionsOf, type Message, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterEach(() => workspace.sandbox.faults.clear());
// Slack's client library logs every refusal as an error of its own.
afterAll(() => finish(workspace, /Slack client error|slack/i));

const slack = (path: string, kind: Fault['kind'], more: Partial<Fault> = {}): Fault => ({
  ...{ vendor: 'slack', match: { path: `/api/${path}` }, kind },
  ...more,
});

function threadOf(card: Message): string[] {
  return workspace
    .messages()
    .filter((message) => message.threadTs === card.ts && message.ts !== card.ts)
    .map(wordsOf);
}

async function approved(goal: string): Promise<Message> {
  await workspace.plan('ben', goal);
  const card = await workspace.card(goal);
  await workspace.click('ana', card, 'plan.approve');
  return card;
}

async function reported(card: Message): Promise<void> {
  await workspace.reply(card, /^Done/, 25_000);
  const thread = threadOf(card);
  expect(thread).toHaveLength(1);
  expect(thread[0]).toMatch(/^Done: .*(?:was paged|already open)/s);
  expect(
    actionsOf((await workspace.becomes(card, 'finished')).blocks).filter((id) => id.startsWith('plan.')),
  ).toEqual([]);
}

test('during a Slack outage the run ends and the page goes out; the report follows once, in order', async () => {
  await workspace.plan('ben', breach);
  const card = await workspace.card(breach);
  workspace.sandbox.faults.add(slack('chat.', 'status', { status: 503 }));
  await workspace.click('ana', card, 'plan.approve');
  await workspace.until(() => workspace.pages().length === 1, 'the page');
  await untilRunsAreOver();
  expect(threadOf(card)).toEqual([]);
  workspace.sandbox.faults.clear();
  await reported(card);
  expect(workspace.pages()).toHaveLength(1);
});

test('a rate limit is respected, and nothing is lost or posted twice', async () => {
  workspace.sandbox.faults.add(
    slack('chat.postMessage', 'status', { status: 429, retryAfterSeconds: 1, times: 2 }),
  );
  await reported(await approved('Compare open P1 tickets in OPS with the SLA and page on-call if breached'));
});

test('a lost answer, a reset and a truncated answer cause no duplicate message', async () => {
  const kinds = ['lost-answer', 'reset', 'truncate', 'lost-answer'] as const;
  for (const kind of kinds) {
    workspace.sandbox.faults.add(slack('chat.postMessage', kind, { times: 1 }));
  }
  const card = await approved('if OPS has more than 3 open P1 tickets, page ops');
  await workspace.reply(card, /^Done/, 25_000);
  const thread = threadOf(card);
  expect(thread).toHaveLength(1);
});

test("a revoked token is reported to the person through the command's response URL", async () => {
  const body = { ok: false, error: 'token_revoked' };
  workspace.sandbox.faults.add(slack('', 'status', { status: 200, body }));
  await workspace.plan('dev', 'how many open P2 tickets in OPS');
  await workspace.whisper('dev', /on my side\.[\s\S]*SLACK_BOT_TOKEN was revoked: install the app/);
});

test('a click that fails while Slack is down is reported to the person once Slack is back', async () => {
  const goal = 'page ops: queue is stuck';
  await workspace.plan('ben', goal);
  const card = await workspace.card(goal);
  workspace.sandbox.faults.add({ vendor: 'slack', kind: 'status', status: 503 });
  await workspace.click('ana', card, 'plan.approve');
  const waiting = "select id from outbox where key like 'failure:%'";
  await until(async () => (await rows(workspace, waiting)).length === 1);
  workspace.sandbox.faults.clear();
  const told = () =>
    workspace.sandbox.slack
      .state(workspace.person('ana'))
      .channels.flatMap(({ messages }) => messages.map(wordsOf));
  await workspace.until(() => told().some((words) => /refused the response/.test(words)), 'a word to ana');
});

async function untilRunsAreOver(): Promise<void> {
  const open = "select id from runs where state <> 'finished'";
  await until(async () => (await rows(workspace, open)).length === 0);
}
