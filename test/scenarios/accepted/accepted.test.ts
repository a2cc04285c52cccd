/** Why: Slack does not send again what was acknowledged. A process that dies in the next moment must not lose it. */

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Fault } from '../../../sandbox/faults.ts';
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
afterAll(() => finish(workspace, /another version/i));

/**
 * Whoever acts is looked up first, so with this nothing comes of an act before the kill. A person who was looked up is
 * remembered for a minute: somebody else acts each time, or the bot starts anew before.
 */
const nobodyKnown: Fault = { vendor: 'slack', match: { path: '/api/users.info' }, kind: 'hang' };

/** Kills the bot as soon as it has acknowledged something, before anything could come of it. */
async function killWhenAcknowledged(act: () => Promise<{ acknowledged: boolean }>): Promise<void> {
  workspace.sandbox.faults.add(nobodyKnown);
  expect(await act()).toMatchObject({ acknowledged: true });
  await workspace.bot.kill();
  workspace.sandbox.faults.clear();
  workspace.bot = await workspace.startAnother();
}

async function startAnew(): Promise<void> {
  await workspace.bot.kill();
  workspace.bot = await workspace.startAnother();
}

async function cardFor(goal: string): Promise<Message> {
  await workspace.plan('ben', goal);
  return workspace.card(goal);
}

test('a command', async () => {
  const goal = 'if OPS has more than 1 open P1 tickets, page ops';
  await killWhenAcknowledged(() => workspace.plan('ben', goal));
  await workspace.card(goal);
});

test('a mention, and a message in the thread of a card', async () => {
  const { slack, world } = workspace.sandbox;
  const mention = `<@${world.bot.userId}>`;
  const goal = 'if OPS has more than 2 open P1 tickets, page ops';
  await killWhenAcknowledged(async () => {
    await slack.postAs({ as: 'dev', channel: 'ops', text: `${mention} ${goal}` });
    await workspace.until(
      () => slack.deliveries.at(-1)?.outcome?.acknowledged === true,
      'an acknowledgement',
    );
    return { acknowledged: true };
  });
  const card = await workspace.card(goal);
  await killWhenAcknowledged(async () => {
    const text = `${mention} threshold 3`;
    await slack.postAs({ as: 'eva', channel: 'ops', text, threadTs: card.ts });
    await workspace.until(
      () => slack.deliveries.at(-1)?.outcome?.acknowledged === true,
      'an acknowledgement',
    );
    return { acknowledged: true };
  });
  await workspace.card(/only if\s+there are more than 3 open P1 tickets/);
});

test('an Approve, which still runs once', async () => {
  const goal = 'if OPS has more than 4 open P1 tickets, page ops';
  const card = await cardFor(goal);
  await killWhenAcknowledged(() => workspace.click('ana', card, 'plan.approve'));
  await workspace.reply(card, /^Done/);
  const runs = await rows(
    workspace,
    `select runs.id from runs join requests on requests.id = request_id where goal = $1 and mode = 'run'`,
    [goal],
  );
  expect(runs).toHaveLength(1);
  const pages = workspace.pages().filter(({ details }) => details.countersign === `cs-${runs[0]?.id}-page`);
  expect(pages.map(({ triggers }) => triggers)).toEqual([1]);
});

test('the reason of a Reject', async () => {
  const card = await cardFor('if OPS has more than 5 open P1 tickets, page ops');
  await workspace.click('ana', card, 'plan.reject');
  const { id: viewId } = await workspace.modal('ana');
  await startAnew();
  const values = { reason: { v: 'known already' } };
  const { slack } = workspace.sandbox;
  await killWhenAcknowledged(() => slack.submitView({ as: 'ana', viewId, values }));
  await workspace.becomes(card, /Rejected[\s\S]*known already/);
});

test('what another version accepted is said to its person, and what nobody can read stays where it is', async () => {
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
  expect(workspace.bot.process.exitCode).toBeNull();
});
