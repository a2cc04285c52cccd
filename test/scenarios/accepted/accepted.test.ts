/** Why: Slack does not resend what was acknowledged. A process that dies a moment later must not lose it. */

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Fault } from '../../../sandbox/faults.ts';
import { configWith, finish, rows, until } from '../../support/scenario.ts';
import { type Message, Workspace, wordsOf } from '../../support/workspace.ts';

const opsHasMore = (than: number) => `if OPS has more than ${than} open P1 tickets, page ops`;
const goals = {
  command: opsHasMore(1),
  mention: opsHasMore(2),
  approve: opsHasMore(4),
  reject: opsHasMore(5),
};

let workspace: Workspace;
let approving: Message;
let rejecting: Message;
let changing: Message;

/**
 * The person who acts is looked up first, so while this hangs no act takes effect before the kill. A lookup is cached for a
 * minute, by the process that made it.
 */
const nobodyKnown: Fault = { vendor: 'slack', match: { path: '/api/users.info' }, kind: 'hang' };

// One process acknowledges all of this and is killed before acting on any of it; another takes over.
beforeAll(async () => {
  workspace = await Workspace.start({ config: configWith({ caps: { pages_per_hour: 100 } }) });
  const { slack, faults, world } = workspace.sandbox;
  approving = await cardFor(goals.approve);
  rejecting = await cardFor(goals.reject);
  changing = await cardFor('if PAY has more than 2 open P1 tickets, page payments-api');
  await workspace.click('ana', rejecting, 'plan.reject');
  const { id: viewId } = await workspace.modal('ana');
  expect(await workspace.bot.stop()).toBe(0);

  const dying = await workspace.startProcess();
  faults.add(nobodyKnown);
  const mention = `<@${world.bot.userId}>`;
  const acknowledged = { acknowledged: true };
  const lastIsAcknowledged = () =>
    vi.waitUntil(() => slack.deliveries.at(-1)?.outcome?.acknowledged === true, { timeout: 15_000 });
  expect(await workspace.plan('ben', goals.command)).toMatchObject(acknowledged);
  await slack.postAs({ as: 'dev', channel: 'ops', text: `${mention} ${goals.mention}` });
  await lastIsAcknowledged();
  const text = `${mention} threshold 3`;
  await slack.postAs({ as: 'eva', channel: 'ops', text, threadTs: changing.ts });
  await lastIsAcknowledged();
  expect(await workspace.click('chiara', approving, 'plan.approve')).toMatchObject(acknowledged);
  const values = { reason: { v: 'known already' } };
  expect(await slack.submitView({ as: 'ana', viewId, values })).toMatchObject(acknowledged);
  expect(await rows(workspace, "select id from runs where mode = 'run'")).toEqual([]);
  await dying.kill();
  faults.clear();
  workspace.bot = await workspace.startAnother();
});
afterAll(() =>
  finish(workspace, /another version|"id":"of-no-shape".*A stored row is damaged|slack_invalid_trigger_id/i),
);

async function cardFor(goal: string): Promise<Message> {
  await workspace.plan('ben', goal);
  return workspace.card(goal);
}

test('a command', async () => {
  await workspace.card(goals.command);
});

test('a mention, and a message in the thread of a card', async () => {
  await workspace.card(goals.mention);
  await workspace.card(/only if\s+there are more than 3 open P1 tickets in PAY/);
});

test('an Approve, which still runs once', async () => {
  await workspace.reply(approving, /^Done/);
  const runs = await rows(
    workspace,
    `select runs.id from runs join requests on requests.id = request_id where goal = $1 and mode = 'run'`,
    [goals.approve],
  );
  expect(runs).toHaveLength(1);
  const pages = workspace.pages().filter(({ details }) => details.countersign === `cs-${runs[0]?.id}-page`);
  expect(pages.map(({ triggers }) => triggers)).toEqual([1]);
});

test('the reason of a Reject', async () => {
  await workspace.becomes(rejecting, /Rejected[\s\S]*known already/);
});

test('an event from another version is reported to its sender; an unreadable one stays in the inbox', async () => {
  const teamId = workspace.sandbox.world.team.id;
  const left = (key: string, event: object) =>
    rows(
      workspace,
      "insert into inbox (team_id, key, event, executor, at, attempts) values ($1, $2, $3, 'nobody', now(), 1)",
      [teamId, key, JSON.stringify({ key, ...event })],
    );
  const actor = { userId: workspace.person('eva'), teamId, home: null };
  await left('of-no-shape', { type: 'gesture' });
  await left('of-tomorrow', {
    type: 'gesture',
    actor,
    channel: workspace.sandbox.slack.state().channels[0]?.id,
  });
  const done = () => rows(workspace, "select key from inbox where key like 'of-%' and done_at is not null");
  await until(async () => (await done()).length === 1);
  expect(await done()).toEqual([{ key: 'of-tomorrow' }]);
  const told = () =>
    workspace.sandbox.slack.state(workspace.person('eva')).channels.flatMap(({ messages }) => messages);
  await workspace.until(
    () => told().some((one) => wordsOf(one).includes('went wrong on my side')),
    'a word to eva',
  );
  // The bot still works.
  await workspace.plan('eva', 'how many open P1 tickets are in OPS');
  await workspace.card(/24 open P1 tickets in OPS/);
});

test('a tap that fails is named with the message it was made on', async () => {
  const teamId = workspace.sandbox.world.team.id;
  const actor = { userId: workspace.person('dev'), teamId, home: teamId };
  const { channel, ts } = await workspace.card(goals.approve);
  const tap = { actionId: 'plan.next', value: '', triggerId: 'used-up', responseUrl: null, view: null };
  const event = {
    type: 'action',
    key: 'tap-of-the-dead',
    actor,
    message: { channel, ts, threadTs: null },
    ...tap,
  };
  await rows(
    workspace,
    "insert into inbox (team_id, key, event, executor, at, attempts) values ($1, $2, $3, 'nobody', now(), 1)",
    [teamId, event.key, JSON.stringify(event)],
  );
  const told = () =>
    workspace.sandbox.slack
      .state(workspace.person('dev'))
      .channels.flatMap(({ messages }) => messages)
      .find((one) => /went wrong on my side.*your tap/s.test(wordsOf(one)));
  await workspace.until(() => told() !== undefined, 'a word to dev');
  expect(JSON.stringify(told()?.blocks)).toContain(`p${ts.replace('.', '')}`);
});
