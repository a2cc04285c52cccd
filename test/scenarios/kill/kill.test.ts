/** Why: a process can die at any moment. After a restart the run ends, the page exists once, and Slack is told once. */

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Fault } from '../../../sandbox/faults.ts';
import type { JournalFilter } from '../../../sandbox/journal.ts';
import { requestIdOf } from '../../../src/request/intake.ts';
import type { BotProcess } from '../../support/bot.ts';
import { configWith, finish, rows, until } from '../../support/scenario.ts';
import { type Message, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace<BotProcess>;
beforeAll(async () => {
  workspace = await Workspace.spawn({ config: configWith({ caps: { pages_per_hour: 100 } }) });
});
afterEach(() => {
  workspace.sandbox.faults.clear();
  workspace.resolvePages();
});
afterAll(() => finish(workspace, /given up after 3 attempts/));

let lastThreshold = 0;

function nextGoal(): string {
  lastThreshold += 1;
  return `if OPS has more than ${lastThreshold} open P1 tickets, page ops`;
}

/** Kills the bot when a request that a fault holds up has arrived, and starts it again without the fault. */
async function killWhen(fault: Fault, act: () => Promise<unknown>): Promise<void> {
  const { faults, journal } = workspace.sandbox;
  const filter: JournalFilter = { vendor: fault.vendor, path: fault.match?.path ?? '' };
  const before = journal.list(filter).length;
  faults.add(fault);
  await act();
  await workspace.until(() => journal.list(filter).length > before, `a request to ${fault.match?.path}`);
  await workspace.bot.kill();
  faults.clear();
  workspace.bot = await workspace.startAnother();
}

function cardsOf(goal: string): Message[] {
  return workspace.messages().filter((message) => !message.threadTs && wordsOf(message).includes(goal));
}

/** One page, one reply a step, one last line, one card. */
async function endsOnce(goal: string, card: Message): Promise<void> {
  const final = await workspace.reply(card, /^Done/, 25_000);
  expect(wordsOf(final)).toContain('was paged');
  await workspace.becomes(card, 'finished');
  const [run] = await rows(
    workspace,
    `select runs.id from runs join requests on requests.id = request_id where goal = $1 and mode = 'run'`,
    [goal],
  );
  const pages = workspace.pages().filter(({ details }) => details.countersign === `cs-${run?.id}-page`);
  expect(pages.map(({ triggers }) => triggers)).toEqual([1]);
  const thread = workspace.messages().filter((m) => m.threadTs === card.ts && m.ts !== card.ts);
  expect(thread.map(wordsOf)).toHaveLength(3);
  expect(cardsOf(goal)).toHaveLength(1);
}

async function cardFor(goal: string): Promise<Message> {
  await workspace.plan('ben', goal);
  return workspace.card(goal);
}

test('killed between the reads and the write: what was not stored yet is read again, and the page goes out once', async () => {
  const goal = nextGoal();
  const card = await cardFor(goal);
  const rota: Fault = { vendor: 'pagerduty-rest', match: { path: '/oncalls' }, kind: 'hang' };
  await killWhen(rota, () => workspace.click('ana', card, 'plan.approve'));
  await endsOnce(goal, card);
});

test('killed during the write, before PagerDuty took it: it is looked for, and then made once', async () => {
  const goal = nextGoal();
  const card = await cardFor(goal);
  const page: Fault = { vendor: 'pagerduty-events', match: { path: '/v2/enqueue' }, kind: 'hang' };
  await killWhen(page, () => workspace.click('ana', card, 'plan.approve'));
  await endsOnce(goal, card);
});

test('killed during the write that PagerDuty takes nevertheless: it is found and not made again', async () => {
  const goal = nextGoal();
  const card = await cardFor(goal);
  const page: Fault = {
    ...{ vendor: 'pagerduty-events', match: { path: '/v2/enqueue' }, kind: 'delay' },
  };
  const before = workspace.sandbox.journal.list({ vendor: 'pagerduty-events' }).length;
  await killWhen(page, () => workspace.click('ana', card, 'plan.approve'));
  await endsOnce(goal, card);
  expect(workspace.sandbox.journal.list({ vendor: 'pagerduty-events' })).toHaveLength(before + 1);
  await workspace.reply(card, 'found after a restart');
});

test('killed between a follow-up and its link: there is one ticket, and a person is told to link it', async () => {
  const plan = 'jira.create project=WEB type=bug summary="Pool too small" follows=OPS-5';
  const card = await cardFor(plan);
  const link: Fault = { vendor: 'jira', match: { path: '/rest/api/3/issueLink' }, kind: 'hang' };
  await killWhen(link, () => workspace.click('ana', card, 'plan.approve'));
  const words = wordsOf(await workspace.reply(card, /^Done/, 25_000));
  expect(words).toMatch(
    /created\s+WEB-\d+\s*, which names\s+OPS-5\s+but is not linked to it: link it in Jira/,
  );
  const made = workspace.sandbox.jira.store.issues().filter(({ summary }) => summary === 'Pool too small');
  expect(made).toMatchObject([{ links: [] }]);
});

test('killed while it plans: the plan is made after the restart', async () => {
  const goal = nextGoal();
  const rota: Fault = { vendor: 'pagerduty-rest', match: { path: '/oncalls' }, kind: 'hang' };
  await killWhen(rota, () => workspace.plan('ben', goal));
  const card = await workspace.card(goal);
  await workspace.click('ana', card, 'plan.approve');
  await endsOnce(goal, card);
});

test('killed before the card was posted: the card is posted, soon and once', async () => {
  const goal = nextGoal();
  const post: Fault = { vendor: 'slack', match: { path: '/api/chat.postMessage' }, kind: 'hang' };
  await killWhen(post, () => workspace.plan('ben', goal));
  const card = await workspace.card(goal);
  await workspace.click('ana', card, 'plan.approve');
  await endsOnce(goal, card);
});

test('killed after the card was posted and before that was known: it is found, not posted twice', async () => {
  const goal = nextGoal();
  const match = { path: '/api/chat.postMessage' };
  const post: Fault = { vendor: 'slack', match, kind: 'delay' };
  await killWhen(post, () => workspace.plan('ben', goal));
  const card = await workspace.card(goal);
  await workspace.until(
    () => workspace.sandbox.journal.list({ path: '/api/conversations.history' }).length > 0,
    'a look',
  );
  await workspace.click('ana', card, 'plan.approve');
  await endsOnce(goal, card);
});

test('killed after a question was posted and before that was known: it is found, not asked twice', async () => {
  const questions = () => workspace.messages().filter((message) => wordsOf(message).includes('Which ticket'));
  const match = { path: '/api/chat.postMessage' };
  const post: Fault = { vendor: 'slack', match, kind: 'delay' };
  const asked = questions().length;
  await killWhen(post, () => workspace.plan('ben', 'comment on the ticket that we are on it'));
  const looks = { path: '/api/conversations.history' };
  await workspace.until(() => workspace.sandbox.journal.list(looks).length > 0, 'a look');
  await until(
    async () => (await rows(workspace, `select 1 from requests where state = 'asking'`)).length > 0,
  );
  expect(questions()).toHaveLength(asked + 1);
});

test('stopped as an operator does, in the middle of the write: it ends before the stop or after the start, once', async () => {
  const goal = nextGoal();
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

test('work that keeps crashing its process is given up, and whoever asked is told', async () => {
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
