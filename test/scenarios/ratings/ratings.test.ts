/** Why: people who get a poor answer should have one click to say so, and operators should read it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringAt } from '../../../sandbox/slack/fields.ts';
import { cli } from '../../support/cli.ts';
import { buttonValue, finish, forgedClick, rows, until } from '../../support/scenario.ts';
import { type Message, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.startHttp();
});
afterAll(() => finish(workspace));

const rated = 'select user_id, rating, why from ratings order by at';
const lines = "select actor, data from audit where kind = 'revision.rated' order by seq";

/** Presses one of Slack's feedback buttons. */
function rate(as: string, message: Message, rating: 'helpful' | 'unhelpful') {
  const block = message.blocks.find(({ type }) => type === 'context_actions');
  const [value = ''] =
    JSON.stringify(block)
      .match(/"value":"((?:helpful|unhelpful):(?:[^"\\]|\\.)*)"/g)
      ?.map((one) => stringAt(JSON.parse(`{${one}}`), 'value') ?? '')
      .filter((one) => one.startsWith(`${rating}:`)) ?? [];
  const { channel, ts } = message;
  return workspace.sandbox.slack.clickButton({ as, channel, ts, actionId: 'plan.rate', value });
}

async function answer(text: string, shown: string): Promise<Message> {
  await workspace.plan('ben', text);
  return workspace.card(shown);
}

test('an answer is rated by a click, and the last rating of a person counts', async () => {
  const found = await answer('jira.count project=PAY priority=P1 status=open', 'open P1 tickets in PAY');
  await rate('ben', found, 'helpful');
  await until(async () => (await rows(workspace, rated)).length === 1);
  await rate('ben', found, 'helpful');
  await rate('eva', found, 'helpful');
  await until(async () => (await rows(workspace, rated)).length === 2);
  await rate('ben', found, 'unhelpful');
  const form = await workspace.modal('ben');
  expect(wordsOf({ blocks: form.definition.blocks })).toContain('open P1 tickets in PAY');
  await workspace.sandbox.slack.submitView({
    ...{ as: 'ben', viewId: form.id },
    values: { why: { v: 'the number is of yesterday' } },
  });
  const all = [
    { user_id: 'U0EVA', rating: 'helpful', why: null },
    { user_id: 'U0BEN', rating: 'unhelpful', why: 'the number is of yesterday' },
  ];
  await until(async () => JSON.stringify(await rows(workspace, rated)) === JSON.stringify(all));
  expect(
    (await rows(workspace, lines)).map(({ actor, data }) => [actor, JSON.parse(String(data)).rating]),
  ).toEqual([
    ['U0BEN', 'helpful'],
    ['U0EVA', 'helpful'],
    ['U0BEN', 'unhelpful'],
  ]);
  expect(workspace.messages().some((one) => wordsOf(one).includes('of yesterday'))).toBe(false);
});

test('a reason is optional, and a plan that waits for approval is not rated', async () => {
  const waiting = await answer('slack.post channel=#incidents text="deploy is done"', 'deploy is done');
  expect(JSON.stringify(waiting.blocks)).not.toContain('feedback_buttons');
  const value = `unhelpful:${buttonValue(waiting, 'plan.approve')}`;
  await forgedClick(workspace, { as: 'ben', message: waiting, actionId: 'plan.rate', value });
  await forgedClick(workspace, { as: 'ben', message: waiting, actionId: 'plan.rate', value: 'best:{}' });
  workspace.makeGuest('dev');
  await workspace.click('ana', waiting, 'plan.approve');
  const done = await workspace.becomes(waiting, 'Done');
  await rate('dev', done, 'unhelpful');
  await workspace.whisper('dev', /full members/);
  await rate('ana', done, 'unhelpful');
  const form = await workspace.modal('ana');
  await workspace.sandbox.slack.submitView({ as: 'ana', viewId: form.id, values: {} });
  await until(async () => (await rows(workspace, rated)).length === 3);
  expect((await rows(workspace, rated)).at(-1)).toEqual({ user_id: 'U0ANA', rating: 'unhelpful', why: null });
});

test('ratings stand in the report and in what is to be learned', async () => {
  const { env } = workspace;
  const report = await cli(['report'], { env });
  expect(report.text).toMatch(/Rated as helpful +0 of 2 \(0 %\)\n +1× the number is of yesterday/);
  const learn = await cli(['learn'], { env });
  expect(learn.text).toContain('2 rated as not helpful');
  expect(learn.text).toContain('1× not helpful: the number is of yesterday');
  expect(learn.text).toMatch(/1× not helpful$/m);
});
