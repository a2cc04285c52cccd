/** Why: a rejection says what is wrong with a plan; nobody should have to ask for the right one again. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configWith, finish, rows } from '../../support/scenario.ts';
import { actionsOf, type Message, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  const rules = [{ approvers: ['U0ANA', 'U0EVA'] }];
  const approval = { four_eyes: true, expires_minutes: 30 };
  workspace = await Workspace.startHttp({ config: configWith({ rules, approval }) });
});
afterAll(() => finish(workspace));

async function reject(card: Message, reason: string): Promise<Message> {
  await workspace.click('eva', card, 'plan.reject');
  const { id: viewId } = await workspace.modal('eva');
  await workspace.sandbox.slack.submitView({ as: 'eva', viewId, values: { reason: { v: reason } } });
  return workspace.becomes(card, 'Rejected');
}

const revisions = (goal: string) =>
  rows(
    workspace,
    'select number, state, authors from revisions where request_id = (select id from requests where goal = $1) order by number',
    [goal],
  );

test('a reason that names a change makes a new card of it, and nothing runs before that is approved', async () => {
  const goal = 'if OPS has more than 10 open P1 tickets, page ops';
  await workspace.plan('ben', goal);
  const card = await workspace.card('more than 10 open P1 tickets');
  const rejected = await reject(card, 'use threshold 20 instead');
  const anew = await workspace.card(/after\s+revision 1\s+was rejected by/);
  expect(wordsOf(anew)).toMatch(/more than 20 [\s\S]*“use threshold 20 instead”/);
  expect(JSON.stringify(anew.blocks)).toContain(card.ts.replace('.', ''));
  expect(wordsOf(await workspace.reply(card, 'Revision 2'))).toContain('is the card to decide on');
  expect(actionsOf(rejected.blocks)).toEqual([]);
  expect(await revisions(goal)).toEqual([
    { number: 1, state: 'rejected', authors: ['U0BEN'] },
    { number: 2, state: 'proposed', authors: ['U0BEN', 'U0EVA'] },
  ]);
  expect(await rows(workspace, "select id from runs where mode = 'run'")).toEqual([]);
  expect(workspace.pages()).toEqual([]);

  await workspace.click('eva', anew, 'plan.approve');
  await workspace.whisper('eva', /edited|second/);
  await workspace.click('ana', anew, 'plan.approve');
  await workspace.reply(anew, /^Done/);
  expect(workspace.pages()).toHaveLength(1);
  workspace.resolvePages();
});

test('after two of its new plans a request is not planned anew again', async () => {
  const goal = 'if OPS has more than 11 open P1 tickets, page payments-api';
  await workspace.plan('ben', goal);
  for (const [shown, next] of [
    [11, 12],
    [12, 13],
    [13, 14],
  ] as const) {
    const card = await workspace.card(`more than ${shown}`);
    await reject(card, `use threshold ${next} instead`);
  }
  await workspace.plan('dev', 'jira.count project=WEB priority=P3 status=open');
  await workspace.card('open P3 tickets in WEB');
  expect((await revisions(goal)).map(({ state }) => state)).toEqual(['rejected', 'rejected', 'rejected']);
});

test('a reason without a change is answered once below the card, also in the thread', async () => {
  await workspace.plan('ben', 'slack.post channel=#incidents text="deploy is done"');
  const card = await workspace.card('deploy is done');
  await reject(card, 'Not before the holidays');
  await workspace.reply(card, 'No new plan');
  await workspace.plan('ben', 'slack.post channel=#incidents text="deploy is late"');
  const other = await workspace.card('deploy is late');
  const { slack } = workspace.sandbox;
  await slack.postAs({ as: 'eva', channel: 'ops', text: 'reject: too early for that', threadTs: other.ts });
  await workspace.reply(other, 'No new plan');
  await workspace.plan('ben', 'slack.post channel=#incidents text="deploy is off"');
  const last = await workspace.card('deploy is off');
  await slack.postAs({ as: 'eva', channel: 'ops', text: 'reject', threadTs: last.ts });
  await workspace.becomes(last, 'Rejected');
  const said = workspace.messages().filter((one) => wordsOf(one).includes('No new plan'));
  expect(said.map(({ threadTs }) => threadTs)).toEqual([card.ts, other.ts]);
});

test('a reason that asks for nothing else takes nothing away', async () => {
  await workspace.plan('ben', 'jira.create project=OPS summary="vpn slow" text=x');
  const card = await workspace.card('vpn slow');
  await reject(card, 'not now');
  await workspace.reply(card, 'No new plan');
});

test('a reason that would leave only look-ups makes no plan', async () => {
  await workspace.plan('ben', 'if OPS has more than 17 open P1 tickets, page ops');
  const card = await workspace.card('more than 17');
  await reject(card, 'wrong team');
  await workspace.reply(card, 'No new plan');
});
