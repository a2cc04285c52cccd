/** Why: experts type exactly what they want, and a typo is named. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finish, rows } from '../../support/scenario.ts';
import { actionsOf, Workspace, wordsOf } from '../../support/workspace.ts';

const typed =
  'n = jira.count project=OPS priority=P1 status=open; when n > 20: pagerduty.page service=ops text=“{n} open P1 tickets”';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterAll(() => finish(workspace));

test('a misspelt tool is named, and the button corrects it', async () => {
  await workspace.plan('ben', 'jira.cuont project=OPS priority=P1');
  const question = await workspace.card('Did you mean');
  expect(wordsOf(question)).toContain('No tool `jira.cuont`. Did you mean `jira.count`?');
  await workspace.click('ben', question, 'clarify.answer.0');
  const card = await workspace.card('written or chosen by a person');
  expect(wordsOf(card)).toContain('Count P1 tickets in OPS');
});

test('a one-line plan is used as typed, and editing its text makes the next revision', async () => {
  await workspace.plan('ben', typed);
  const card = await workspace.card('Page the on-call of ops if');
  expect(wordsOf(card)).toContain('written or chosen by a person');
  await workspace.click('dev', card, 'plan.edit');
  const { id: viewId } = await workspace.modal('dev');
  const submit = (text: string) =>
    workspace.sandbox.slack.submitView({ as: 'dev', viewId, values: { plan_text: { v: text } } });

  const text = `n = jira.count project=OPS priority=P1 status=open
when n.total > 30: pagerduty.page service=ops text="{n.total} open"
when n.total > 20: slack.post chanel=#ops text="{n.total} open"`;
  expect((await submit(text)).fieldErrors).toEqual({
    plan_text: 'Line 3: `slack.post` has no argument `chanel`. Did you mean `channel`?',
  });
  expect((await submit(text.replace('chanel=#ops', 'channel=#nowhere'))).fieldErrors?.plan_text).toMatch(
    /^Step post: "#nowhere" is not a configured channel/,
  );
  expect((await submit(text.replace('chanel', 'channel'))).fieldErrors).toBeUndefined();

  const second = await workspace.card('Changed:');
  expect(wordsOf(second)).toMatch(/20.*→.*30/s);
  expect(wordsOf(second)).toMatch(/not more than 30.*Not now: {2}pages Ana.*If approved: {2}posts to #ops/s);
  expect(actionsOf(second.blocks)).toContain('plan.approve');
  await workspace.click('ana', second, 'plan.approve');
  const final = await workspace.reply(second, /^Done/);
  expect(wordsOf(final)).toContain('nobody was paged');
  expect(workspace.pages()).toEqual([]);
  const [revision] = await rows(workspace, 'select authors from revisions where number = 2');
  expect(revision).toEqual({ authors: ['U0BEN', 'U0DEV'] });
});

test("a plan in a card's thread replaces it, and an invalid one changes nothing", async () => {
  await workspace.plan('ben', 'jira.count project=PAY priority=P2');
  const card = await workspace.card('P2 tickets in PAY');
  const say = (text: string) =>
    workspace.sandbox.slack.postAs({ as: 'ben', channel: 'ops', threadTs: card.ts, text });
  await say('jira.count project=PAY priorty=P3');
  await workspace.whisper('ben', 'no argument `priorty`. Did you mean `priority`?');
  await say('jira.count project=PAY priority=P3');
  expect(wordsOf(await workspace.card('P3 tickets in PAY'))).toContain('Changed:');
});
