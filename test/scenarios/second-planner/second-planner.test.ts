/** Why: another planner is tried beside the usual one before people depend on it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cli } from '../../support/cli.ts';
import { planAnswer, wireStep } from '../../support/model-answers.ts';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { finish, rows, until } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
let model: ModelServer;
const env = () => ({
  ...{ OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'sk-scenario-secret', PLANNER_SHADOW: 'gpt-5-mini' },
  PLANNER_TIMEOUT_MS: '6000',
});
beforeAll(async () => {
  model = await startModelServer();
  workspace = await Workspace.start({ env: env() });
});
afterAll(async () => {
  await finish(workspace);
  await model.close();
});

const countOf = (project: string, priority = 'P1') =>
  planAnswer([wireStep('tickets', 'jira.count', { project, priority, status: 'open' })]);

function plannedTwice(count: number): Promise<void> {
  return until(async () => (await rows(workspace, 'select request_id from shadow_plans')).length >= count);
}

test('the second planner plans after the answer, its plan is stored, and nobody is shown it', async () => {
  model.script({ say: countOf('OPS') });
  await workspace.plan('ben', 'how many open P1 tickets are in OPS');
  const answer = await workspace.card(/24 open P1 tickets in OPS/);
  await plannedTwice(1);
  expect(wordsOf(answer)).not.toContain('planned by the model');
  expect(workspace.messages().filter((one) => one.ts !== answer.ts)).toEqual([]);
  expect(await rows(workspace, 'select shown, planner, kind from shadow_plans')).toEqual([
    { shown: 'everyday', planner: 'gpt-5-mini', kind: 'plan' },
  ]);
  expect(await rows(workspace, 'select purpose from model_calls')).toEqual([{ purpose: 'shadow' }]);
});

test('notation is planned once', async () => {
  const asked = model.asked.length;
  await workspace.plan('ben', 'jira.count project=PAY priority=P1 status=open');
  await workspace.card('open P1 tickets in PAY');
  model.script({ say: countOf('WEB') });
  await workspace.plan('ben', 'how many open P1 tickets does WEB have');
  await plannedTwice(2);
  expect(model.asked).toHaveLength(asked + 1);
});

test('the report says where the two differ, and which was nearer to what people took', async () => {
  model.script({ say: countOf('OPS', 'P1') });
  await workspace.plan('ben', 'how many open P2 tickets are in OPS');
  await plannedTwice(3);
  const { text, out } = await cli(['report', '--json'], { env: workspace.env });
  const [second] = JSON.parse(out).second;
  expect(second).toMatchObject({
    ...{ shown: 'everyday', planner: 'gpt-5-mini', compared: 3, planned: 3, same: 2, sameSteps: 3 },
    ...{ taken: 3, nearer: 0, further: 1 },
  });
  expect(second.differences).toContainEqual({ what: 'priority of jira.count', times: 1 });
  const { text: words } = await cli(['report'], { env: workspace.env });
  expect(words).toContain('the same plan: 2 of 3 (67 %); the same steps: 3 of 3 (100 %)');
  expect(text).not.toContain('undefined');
});

test('no second plan is made once half of the day’s budget for models is spent', async () => {
  await rows(workspace, 'update model_calls set usd = 2.6');
  const asked = model.asked.length;
  await workspace.plan('ben', 'how many open P3 tickets are in OPS');
  await plannedTwice(4);
  expect(model.asked).toHaveLength(asked);
  expect(await rows(workspace, "select plan from shadow_plans where kind = 'failed'")).toEqual([
    { plan: null },
  ]);
});

test('a share of 100 shows everybody the second planner, and the usual one plans unseen', async () => {
  await workspace.bot.stop();
  workspace.bot = await workspace.startAnother({ PLANNER_SHARE: '100' });
  await rows(workspace, 'update model_calls set usd = 0');
  model.script({ say: countOf('PAY') });
  await workspace.plan('eva', 'how many open P1 tickets are in PAY');
  expect(wordsOf(await workspace.card('planned by the model'))).toContain('PAY');
  await plannedTwice(5);
  expect(await rows(workspace, "select planner from shadow_plans where shown = 'gpt-5-mini'")).toEqual([
    { planner: 'everyday' },
  ]);
});
