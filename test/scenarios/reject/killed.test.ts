/** Why: a reason that was acknowledged must lead to its new plan, whatever dies in between. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHere } from '../../support/bot.ts';
import { planAnswer, wireStep } from '../../support/model-answers.ts';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { finish, rows } from '../../support/scenario.ts';
import { Workspace } from '../../support/workspace.ts';

let workspace: Workspace;
let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer();
  const env = {
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'sk-scenario-secret',
    PLANNER_MODEL: 'gpt-5-mini',
    PLANNER_TIMEOUT_MS: '60000',
  };
  const spawned = await Workspace.spawnHttp({ env });
  workspace = spawned;
  await workspace.plan('ben', 'pagerduty.page service=ops text="the disk is full"');
  const card = await workspace.card('the disk is full');
  model.script({ does: 'hang' });
  await workspace.click('eva', card, 'plan.reject');
  const { id: viewId } = await workspace.modal('eva');
  const values = { reason: { v: 'page checkout, not ops' } };
  await workspace.sandbox.slack.submitView({ as: 'eva', viewId, values });
  await workspace.until(() => model.asked.length === 1, 'the model at work');
  await spawned.bot.kill();
  const page = { service: 'checkout', text: 'the disk is full' };
  model.script({ say: planAnswer([wireStep('page', 'pagerduty.page', page)]) });
  workspace.bot = await startHere(workspace.sandbox, workspace.env);
});
afterAll(async () => {
  await finish(workspace);
  await model.close();
});

test('a process that dies while it plans anew leaves that to the next one, once', async () => {
  await workspace.card(/after\s+revision 1\s+was rejected by/);
  expect(await rows(workspace, 'select number, state from revisions order by number')).toEqual([
    { number: 1, state: 'rejected' },
    { number: 2, state: 'proposed' },
  ]);
  expect(await rows(workspace, "select id from runs where mode = 'run'")).toEqual([]);
});
