/** Why: a process can die at any moment. After a restart the run ends, the page exists once, and Slack hears of it once. */

import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Fault } from '../../../sandbox/faults.ts';
import type { JournalFilter } from '../../../sandbox/journal.ts';
import { requestIdOf } from '../../../src/request/intake.ts';
import { startHere } from '../../support/bot.ts';
import { configWith, finish, rows, until } from '../../support/scenario.ts';
import { type Message, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
/** The work in progress at the kill: each is held up by its own fault, and each page is about a different problem. */
const at = {
  reads: 'if OPS has more than 1 open P1 tickets, page checkout',
  write: 'if OPS has more than 2 open P1 tickets, page ops',
  takenWrite: 'if OPS has more than 3 open P1 tickets, page payments-api',
  link: 'jira.create project=WEB type=bug summary="Pool too small" follows=OPS-5',
  planning: 'if PAY has more than 0 open P1 tickets, page ops',
  post: 'if PAY has more than 0 open P1 tickets, page payments-api',
  takenPost: 'if PAY has more than 0 open P1 tickets, page checkout',
  question: 'comment on the ticket that we are on it',
  unasked: 'tell the team that we are on it',
};
const rota: Fault = { vendor: 'pagerduty-rest', match: { path: '/oncalls' }, kind: 'hang', times: 1 };
const write: Fault = { vendor: 'pagerduty-events', match: { path: '/v2/enqueue' }, kind: 'hang', times: 1 };
const link: Fault = { vendor: 'jira', match: { path: '/rest/api/3/issueLink' }, kind: 'hang', times: 1 };
const post: Fault = { vendor: 'slack', match: { path: '/api/chat.postMessage' }, kind: 'hang', times: 1 };
/** A request that arrives is processed after the faults are cleared, when its sender is dead. */
const taken = ({ times: _once, ...fault }: Fault): Fault => ({ ...fault, kind: 'delay' });
const patience = { interval: 50, timeout: 20_000 };
let cards: Readonly<Record<'reads' | 'write' | 'takenWrite' | 'link', Message>>;

/** Resolves when the request that a fault holds up has arrived. */
async function heldUp(fault: Fault, act: () => Promise<unknown>): Promise<void> {
  const { faults, journal } = workspace.sandbox;
  const filter: JournalFilter = { vendor: fault.vendor, path: fault.match?.path ?? '' };
  const before = journal.list(filter).length;
  faults.add(fault);
  await act();
  await workspace.until(() => journal.list(filter).length > before, `a request to ${fault.match?.path}`);
}

// One process is killed in the middle of all this work, and another continues it.
beforeAll(async () => {
  const spawned = await Workspace.spawn({ config: configWith({ caps: { pages_per_hour: 100 } }) });
  workspace = spawned;
  cards = {
    reads: await cardFor(at.reads),
    write: await cardFor(at.write),
    takenWrite: await cardFor(at.takenWrite),
    link: await cardFor(at.link),
  };
  const approve = (card: Message) => () => workspace.click('ana', card, 'plan.approve');
  await heldUp(rota, approve(cards.reads));
  await heldUp(link, approve(cards.link));
  await heldUp(write, approve(cards.write));
  await heldUp(taken(write), approve(cards.takenWrite));
  const untold = "select 1 from outbox where state = 'pending'";
  await vi.waitUntil(async () => (await rows(workspace, untold)).length === 0, patience);
  await heldUp(post, () => workspace.plan('ben', at.post, 'incidents'));
  await heldUp(taken(post), () => workspace.plan('ben', at.takenPost));
  await heldUp(taken(post), () => workspace.plan('ben', at.question, 'payments-alerts'));
  await heldUp(post, () => workspace.plan('ben', at.unasked, 'incidents'));
  await heldUp(rota, () => workspace.plan('ben', at.planning, 'general'));
  const running = "select 1 from runs where mode = 'run' and state = 'running'";
  expect(await rows(workspace, running)).toHaveLength(4);
  await spawned.bot.kill();
  workspace.sandbox.faults.clear();
  workspace.bot = await startHere(workspace.sandbox, workspace.env);
});
afterEach(() => workspace.sandbox.faults.clear());
afterAll(() => finish(workspace, /given up after 3 attempts/));

function cardsOf(goal: string, channel: string): Message[] {
  return workspace
    .messages(channel)
    .filter((message) => !message.threadTs && wordsOf(message).includes(goal));
}

/** One page, one reply per step, one final line, one card. Resolves with the key of the page. */
async function endsOnce(goal: string, card: Message): Promise<string> {
  const final = await workspace.reply(card, /^Done/, 25_000);
  expect(wordsOf(final)).toContain('was paged');
  await workspace.becomes(card, 'finished');
  const [run] = await rows(
    workspace,
    `select runs.id from runs join requests on requests.id = request_id where goal = $1 and mode = 'run'`,
    [goal],
  );
  const key = `cs-${run?.id}-page`;
  const pages = workspace.pages().filter(({ details }) => details.countersign === key);
  expect(pages.map(({ triggers }) => triggers)).toEqual([1]);
  const thread = workspace.messages(card.channel).filter((m) => m.threadTs === card.ts && m.ts !== card.ts);
  // A machine may be so busy that the page had no answer for ten seconds, which the thread reports as well.
  const said = thread.map(wordsOf).filter((words) => !words.startsWith('Not confirmed yet'));
  expect(said).toEqual([expect.stringMatching(/^Done/)]);
  expect(cardsOf(goal, card.channel)).toHaveLength(1);
  return key;
}

/** A post that may have arrived before the kill is looked up in Slack. */
async function looked(): Promise<void> {
  const looks = { path: '/api/conversations.history' };
  await workspace.until(() => workspace.sandbox.journal.list(looks).length > 0, 'a look');
}

async function cardFor(goal: string): Promise<Message> {
  await workspace.plan('ben', goal);
  return workspace.card(goal);
}

test('killed between the reads and the write: unsaved reads are repeated, and the page goes out once', async () => {
  await endsOnce(at.reads, cards.reads);
});

test('killed during the write, before PagerDuty got it: it is looked up, then made once', async () => {
  await endsOnce(at.write, cards.write);
});

test('killed during a write that PagerDuty still accepted: it is found and not repeated', async () => {
  const key = await endsOnce(at.takenWrite, cards.takenWrite);
  const sent = workspace.sandbox.journal.list({ vendor: 'pagerduty-events' });
  expect(sent.filter(({ body }) => JSON.stringify(body).includes(key))).toHaveLength(1);
  await workspace.reply(cards.takenWrite, 'found after a restart');
});

test('killed between a follow-up and its link: there is one ticket, and the reply asks for the link', async () => {
  const words = wordsOf(await workspace.reply(cards.link, /^Done/, 25_000));
  expect(words).toMatch(
    /created\s+WEB-\d+\s*, which names\s+OPS-5\s+but is not linked to it: link it in Jira/,
  );
  const made = workspace.sandbox.jira.store.issues().filter(({ summary }) => summary === 'Pool too small');
  expect(made).toMatchObject([{ links: [] }]);
});

test('killed while planning: the plan is made after the restart', async () => {
  const card = await workspace.card(at.planning, 'general');
  await workspace.click('ana', card, 'plan.approve');
  await endsOnce(at.planning, card);
});

test('killed before the card was posted: it is posted once', async () => {
  const card = await workspace.card(at.post, 'incidents');
  await workspace.click('ana', card, 'plan.approve');
  await endsOnce(at.post, card);
});

test('killed after the card was posted but before that was stored: it is found, not posted twice', async () => {
  const card = await workspace.card(at.takenPost);
  await looked();
  await workspace.click('ana', card, 'plan.approve');
  await endsOnce(at.takenPost, card);
});

test('killed after a question was posted but before that was stored: it is found, not asked twice', async () => {
  await looked();
  const asking = "select 1 from requests where state = 'asking'";
  await until(async () => (await rows(workspace, asking)).length > 0);
  const questions = workspace.messages('payments-alerts').filter((m) => wordsOf(m).includes('Which ticket'));
  expect(questions).toHaveLength(1);
});

test('killed before a question was posted: it is asked once, and its answer leads to a card', async () => {
  const question = await workspace.card(
    /that we are on it[\s\S]*Which channel or person/,
    'incidents',
    25_000,
  );
  await workspace.click('ben', question, 'clarify.answer.0');
  await workspace.card(/that we are on it[\s\S]*WRITE/, 'incidents');
  expect(cardsOf('Which channel or person', 'incidents')).toHaveLength(1);
});

test('stopped by an operator in the middle of a write: the write is made once', async () => {
  const goal = 'if OPS has more than 1 open P2 tickets, page ops';
  const card = await cardFor(goal);
  const { faults, journal } = workspace.sandbox;
  const before = journal.list({ vendor: 'pagerduty-events' }).length;
  faults.add({ vendor: 'pagerduty-events', kind: 'delay', delayMs: 700 });
  await workspace.click('ana', card, 'plan.approve');
  await workspace.until(() => journal.list({ vendor: 'pagerduty-events' }).length > before, 'the write');
  expect(await workspace.bot.stop()).toBe(0);
  faults.clear();
  workspace.bot = await workspace.startAnother();
  await endsOnce(goal, card);
  expect(journal.list({ vendor: 'pagerduty-events' })).toHaveLength(before + 1);
});

test('work that keeps crashing its process is given up, and the requester is told', async () => {
  const event = {
    ...{ type: 'mention', key: 'message:C0OPS:1.1', channel: 'C0OPS', ts: '1.1', threadTs: null },
    ...{
      text: 'how many tickets are open in OPS?',
      actor: { userId: 'U0EVA', teamId: 'T0SANDBOX', home: null },
    },
  };
  await rows(
    workspace,
    `insert into requests (team_id, id, goal, via, requester, channel, state, created_at)
      values ('T0SANDBOX', $1, $2, 'mention', 'U0EVA', 'C0OPS', 'planning', now())`,
    [requestIdOf('T0SANDBOX', event.key), event.text],
  );
  await rows(
    workspace,
    `insert into inbox (team_id, key, event, executor, attempts, at) values ('T0SANDBOX', $1, $2, 'dead', 3, now())`,
    [event.key, JSON.stringify(event)],
  );
  await workspace.whisper('eva', 'Something went wrong');
  const open = () => rows(workspace, 'select key from inbox where done_at is null');
  await expect.poll(open).toEqual([]);
  expect(await rows(workspace, `select id from requests where state = 'planning'`)).toEqual([]);
});
