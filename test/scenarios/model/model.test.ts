/** Why: a model may write a plan and nothing more; without it work goes on. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { breachSteps, planAnswer, wireStep } from '../../support/model-answers.ts';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { finish, rows } from '../../support/scenario.ts';
import { actionsOf, Workspace, wordsOf } from '../../support/workspace.ts';

const vague = 'take a look whether operations is drowning in urgent stuff and page ops if it really is';
let workspace: Workspace;
let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer();
  const env = {
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'sk-scenario-secret',
    PLANNER_MODEL: 'gpt-5-mini',
    PLANNER_TIMEOUT_MS: '6000',
  };
  workspace = await Workspace.start({ env });
});
afterAll(async () => {
  await finish(workspace);
  await model.close();
});

test('notation and dangerous goals never reach the model', async () => {
  await workspace.plan('ben', 'jira.count project=PAY priority=P1 status=open');
  await workspace.card('open P1 tickets in PAY');
  await workspace.plan('ben', 'close all tickets in PAY and skip the approval');
  await workspace.whisper('ben', /skip approval/);
  expect(model.asked).toEqual([]);
});

test('a slow model is mentioned, and after its timeout the plan is made without it', async () => {
  model.script({ does: 'hang' });
  await workspace.plan('ben', 'how many P1 tickets are open in PAY?');
  await workspace.whisper('ben', /A model is planning this/);
  const card = await workspace.card(/the model did not answer in time/i);
  expect(wordsOf(card)).toContain('planned without a model');
});

test('a vague goal is planned in one model call, shown with its cost, and runs like any plan', async () => {
  const before = model.asked.length;
  model.script({ say: planAnswer(breachSteps()) });
  await workspace.plan('ben', vague);
  const card = await workspace.card('planned by the model');
  expect(wordsOf(card)).toMatch(/only if[\s\S]*USD/);
  expect(model.asked).toHaveLength(before + 1);
  expect(JSON.stringify(model.asked.at(-1)?.body)).not.toContain('sandbox-jira-token');
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done:/);
  expect(workspace.pages()).toHaveLength(1);
  expect(await rows(workspace, 'select purpose, model from model_calls')).toEqual([
    { purpose: 'plan', model: 'gpt-5-mini' },
  ]);
});

test('a model names the parts that no step carries, and a part that nobody said is not quoted', async () => {
  const goal = 'page checkout: vpn is down, and order 3 pizzas';
  const answer = planAnswer([
    wireStep('page', 'pagerduty.page', { service: 'checkout', text: 'vpn is down' }),
  ]);
  const omitted = ['order 3 pizzas', 'and fly to Oslo'];
  model.script({ say: { ...answer, plan: answer.plan && { ...answer.plan, omitted } } });
  await workspace.plan('ben', goal);
  const words = wordsOf(await workspace.card(/order 3 pizzas[\s\S]*planned by the model/));
  expect(words).toContain('Not covered: “order 3 pizzas”.');
  expect(words).not.toMatch(/Oslo|may not carry/);
  model.script({ say: { ...answer, plan: answer.plan && { ...answer.plan, omitted: ['fly to Oslo'] } } });
  await workspace.plan('dev', 'page checkout: vpn is down, and fly to Oslo');
  const joined = await workspace.whisper('dev', 'This is already waiting for approval.');
  expect(wordsOf(joined)).toContain('Not covered: “fly to Oslo”.');
});

test('a part that the model leaves out without saying so is sent back once, and then stands on the card', async () => {
  const goal = 'page checkout: index is stale, and open a ticket in OPS';
  const steps = [wireStep('page', 'pagerduty.page', { service: 'checkout', text: 'index is stale' })];
  const before = model.asked.length;
  model.script({ say: planAnswer(steps) }, { say: planAnswer(steps) });
  await workspace.plan('ben', goal);
  const card = await workspace.card(/index is stale[\s\S]*planned by the model/);
  expect(wordsOf(card)).toContain(
    'The plan may not carry “open a ticket in OPS”; check that before approving.',
  );
  expect(model.asked).toHaveLength(before + 2);
  expect(JSON.stringify(model.asked.at(-1)?.body)).toContain('the request says “open a ticket in OPS”');
});

test('a criterion in the model’s words is for people to check, and marked as the model’s', async () => {
  const over = { success: ['words: nobody pays twice'] };
  const text = 'carts are empty';
  const answer = planAnswer([wireStep('page', 'pagerduty.page', { service: 'checkout', text }, over)]);
  const success = ['words: customers are happy again'];
  model.script({ say: { ...answer, plan: answer.plan && { ...answer.plan, success } } });
  await workspace.plan('ben', 'page checkout: carts are empty');
  const words = wordsOf(await workspace.card(/carts are empty[\s\S]*planned by the model/));
  expect(words).toContain(
    'The model’s criterion, for people to check at the end: “customers are happy again”',
  );
  expect(words).toContain('for people to check afterwards: “nobody pays twice”');
  expect(words).not.toMatch(/must hold/i);
});

test('a watch is titled by its steps, marks the model’s words, and its times are part of what its plan carries', async () => {
  const count = wireStep('count', 'jira.count', { project: 'OPS', priority: 'P1', status: 'open' });
  const answer = planAnswer([count]);
  const watch = { every: '15 minutes', at: '', days: '', until: '3 days' };
  model.script({
    say: { ...answer, plan: answer.plan && { ...answer.plan, watch, success: ['count.total <= 50'] } },
  });
  await workspace.plan(
    'ben',
    'keep an eye on the open P1s of OPS for 3 days, every 15 minutes, anything over 50',
  );
  const made = wordsOf(await workspace.card('Watching'));
  expect(made).toMatch(/^Watching\s+every 15 minutes:\s+Count open P1 tickets in OPS/);
  expect(made).toContain('The model’s note: “What the plan does.”');
  expect(made).not.toContain('may not carry');
});

test('the same goal is answered from memory, and the card costs nothing more', async () => {
  const goal = `${vague} today`;
  model.script({ say: planAnswer(breachSteps()) });
  await workspace.plan('ben', goal);
  const first = await workspace.card(`${goal}`);
  model.script({ say: planAnswer(breachSteps()) });
  await workspace.click('ben', first, 'plan.reject');
  const { id: viewId } = await workspace.modal('ben');
  const values = { reason: { v: 'not now' } };
  await workspace.sandbox.slack.submitView({ as: 'ben', viewId, values });
  await workspace.reply(first, 'No new plan');
  const before = model.asked.length;
  await workspace.plan('ben', goal);
  const card = await workspace.card(/today[\s\S]*planned by the model[\s\S]* until /);
  expect(actionsOf(card.blocks)).toContain('plan.approve');
  expect(model.asked).toHaveLength(before);
});

test('a summary is attributed to the model, shown above its sources, and has invented details marked', async () => {
  const goal = 'f = jira.search project=WEB priority=P1 status=open; s = llm.summarize input="{f.lines}"';
  model.script({ say: { summary: 'WEB-1 is worst. <!channel> Johanna Vermeer saw 4711 failures.' } });
  await workspace.plan('dev', goal);
  const words = wordsOf(await workspace.card('Johanna Vermeer'));
  expect(words).toMatch(/; a summary by the model, with 2 unconfirmed details\./);
  expect(words).toMatch(
    /<!channel> Johanna Vermeer \(\?\) saw 4711 \(\?\) failures[\s\S]*\(\?\) marks 2 details[\s\S]*Key/,
  );
  model.script({ status: 503 }, { status: 503 });
  await workspace.plan('ben', goal);
  expect(wordsOf(await workspace.card('o model was available, so this is an extract'))).toContain(
    'Extract, because the model host answered 503',
  );
});

test('a long summary of many results is cut to fit and never left out', async () => {
  model.script({ say: { summary: `Pool is exhausted. ${'It waits. '.repeat(140)}` } });
  const reads = [
    'c = errors.lookup code=PAY-E-2201',
    'o = jira.search project=OPS limit=50',
    'w = jira.search project=PAY limit=50',
    'p = pagerduty.incidents status=all',
    'l = jira.sla project=OPS',
    'd = runbook.search query="checkout latency"',
  ];
  const input = '{c.lines}\\n{o.lines}\\n{w.lines}\\n{p.lines}\\n{l.lines}\\n{d.lines}';
  await workspace.plan('dev', `${reads.join('; ')}; s = llm.summarize input="${input}"`);
  expect(wordsOf(await workspace.card('c = errors.lookup'))).toContain('Pool is exhausted. It waits.');
});

test('a model that insists on paging an unnamed target gets a question and no card', async () => {
  const wild = wireStep('wild', 'pagerduty.page', { service: 'payments-api', text: 'wake up' });
  const insist = { say: planAnswer([wild]) };
  model.script(insist, insist, insist);
  await workspace.plan(
    'dev',
    'take a look whether they are drowning in urgent stuff and page somebody if it really is',
  );
  const question = await workspace.card('Which service do you mean?');
  expect(actionsOf(question.blocks)).not.toContain('plan.approve');
  expect(workspace.pages()).toHaveLength(1);
});

test('a request that the model host rejects is explained briefly to the person and fully in the log', async () => {
  model.script({
    status: 400,
    error: { message: 'max tokens is too large', code: 'context_length_exceeded' },
  });
  await workspace.plan('ana', `${vague}, now`);
  await workspace.card(/the model host rejected the request/i);
  // The log may arrive later than the message.
  const logged = /model_request.*max tokens is too large.*The model gave no plan/;
  await workspace.until(() => logged.test(workspace.bot.log()), 'the reason in the log');
});

test('an unavailable model is mentioned in the answer, and the goal is not lost', async () => {
  model.script({ status: 503 }, { status: 503 });
  await workspace.plan('eva', `${vague}, please`);
  const question = await workspace.card(/\?[\s\S]*the model could not be reached/i);
  expect(actionsOf(question.blocks)).not.toContain('plan.approve');
});

test('no model is asked for a person who has used up the hour’s questions', async () => {
  const columns = 'team_id, id, goal, via, requester, channel, state, created_at';
  await rows(
    workspace,
    `insert into requests (${columns}) select $1, 'old' || n, 'x', 'command', $2, 'C0OPS', 'finished', now() - interval '1 minute'
      from generate_series(1, 60) n`,
    [workspace.sandbox.world.team.id, workspace.person('eva')],
  );
  const before = model.asked.length;
  await workspace.plan('eva', 'take a look whether payments is drowning in urgent stuff and tell me if so');
  await workspace.until(() => workspace.transcript().includes('(to U0EVA)'), 'an answer without the model');
  expect(model.asked).toHaveLength(before);
});
