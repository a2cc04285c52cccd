/** Why: in Slack's surface for agents a person sees what the bot is doing, and can stop it there. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Fault } from '../../../sandbox/faults.ts';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { configWith, finish, rows, until } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer();
  workspace = await Workspace.startHttp({
    config: configWith({
      rules: [{ tools: ['jira.comment', 'pagerduty.page'], approvers: ['U0ANA', 'U0BEN'] }],
      approval: { four_eyes: false, expires_minutes: 30 },
    }),
    env: {
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: 'sk-scenario-secret',
      PLANNER_MODEL: 'gpt-5-mini',
      PLANNER_TIMEOUT_MS: '60000',
    },
  });
});
afterEach(() => workspace.sandbox.faults.clear());
afterAll(async () => {
  await finish(workspace);
  await model.close();
});

const held: Fault = { vendor: 'jira', kind: 'delay' };
const counting = 'jira.count project=PAY priority=P1 status=open';
const direct = (as: string) => `D${workspace.person(as).slice(1)}`;

/** A direct message, and what Slack shows the bot to be doing in its thread. */
async function write(as: string, text: string) {
  const { slack } = workspace.sandbox;
  await slack.openMessages({ as });
  const { ts = '' } = await slack.postAs({ as, channel: direct(as), text });
  const doing = () => slack.state().agentThreads.find(({ threadTs }) => threadTs === ts);
  return {
    ts,
    doing,
    answers: () =>
      workspace
        .messages(direct(as))
        .filter((one) => one.isBot && one.threadTs === ts && one.ephemeralFor === undefined),
    isDoing: (words: string) =>
      workspace.until(() => doing()?.status === words && doing()?.session === 'processing', words),
    isDone: () => workspace.until(() => doing()?.status === '' && doing()?.session === 'active', 'the end'),
    stop: () => slack.stopAgent({ as, channel: direct(as), threadTs: ts }),
  };
}

test('a person who opens the conversation is offered requests that work here; a guest is not', async () => {
  const { slack } = workspace.sandbox;
  const prompts = (as: string) => slack.state().prompts.find(({ channel }) => channel === direct(as));
  await slack.openMessages({ as: 'ben' });
  await workspace.until(() => prompts('ben') !== undefined, 'requests to choose from');
  const offered = prompts('ben')?.prompts ?? [];
  expect(offered).toHaveLength(4);
  expect(new Set(offered.map(({ message }) => message)).size).toBe(4);
  const named = JSON.stringify(offered);
  expect(named).toMatch(/tickets/);
  expect(named).toMatch(/incidents/);
  expect(named).not.toMatch(/\bpost\b/);
  workspace.makeGuest('dev');
  await slack.openMessages({ as: 'dev' });
  await slack.openMessages({ as: 'eva' });
  await workspace.until(() => prompts('eva') !== undefined, 'requests for a member');
  expect(prompts('dev')).toBeUndefined();
});

test('a direct message says what is being read, in its own thread, and nothing once it is answered', async () => {
  workspace.sandbox.faults.add(held);
  const asked = await write('ben', counting);
  await asked.isDoing('is reading Jira…');
  expect(asked.doing()?.title).toBe(counting);
  expect(asked.answers()).toEqual([]);
  workspace.sandbox.faults.clear();
  await asked.isDone();
  await workspace.until(() => asked.answers().length === 1, 'its answer');
  expect(wordsOf(asked.answers()[0] ?? {})).toContain('open P1 tickets in PAY');
});

test('stopping while it reads makes no card, however often Slack reports the stop', async () => {
  const { faults, slack } = workspace.sandbox;
  faults.add(held);
  const asked = await write('ben', `n = ${counting}; when n > 0: pagerduty.page service=ops text="{n} open"`);
  await asked.isDoing('is reading Jira…');
  await asked.stop();
  await workspace.whisper('ben', 'Stopped before anything was written.', direct('ben'));
  const pressed = slack.deliveries.findLast(({ envelope }) =>
    JSON.stringify(envelope).includes('agent_session_stopped'),
  );
  if (pressed) expect(await slack.replay(pressed)).toMatchObject({ acknowledged: true });
  faults.clear();
  await asked.isDone();
  const ended =
    "select outcome from runs where id like 'read-%' and request_id = (select id from requests where thread_ts = $1) and state = 'finished'";
  await until(async () => (await rows(workspace, ended, [asked.ts])).length === 1);
  expect(asked.answers()).toEqual([]);
  expect(await rows(workspace, 'select state from requests where thread_ts = $1', [asked.ts])).toEqual([
    { state: 'closed' },
  ]);
  const stops = "select kind from audit where kind = 'revision.rejected'";
  expect(await rows(workspace, stops)).toHaveLength(1);
});

test('stopping a run there is the stop of its card', async () => {
  const { faults, journal } = workspace.sandbox;
  const asked = await write('ben', 'pagerduty.page service=ops text="the disk is full"');
  await workspace.until(() => asked.answers().length === 1, 'its card');
  await asked.isDone();
  const [card] = asked.answers();
  if (card === undefined) throw new TypeError('no card');
  const before = journal.list({ path: '/oncalls' }).length;
  faults.add({ vendor: 'pagerduty-rest', match: { path: '/oncalls' }, kind: 'delay' });
  await workspace.click('ben', card, 'plan.approve');
  await workspace.until(() => journal.list({ path: '/oncalls' }).length > before, 'the last check');
  await asked.isDoing('is writing to PagerDuty…');
  await asked.stop();
  await workspace.whisper('ben', 'Stopping.', direct('ben'));
  faults.clear();
  await workspace.becomes(card, 'Cancelled');
  await asked.isDone();
  expect(workspace.pages()).toEqual([]);
});

test('stopping while a model plans makes no plan of it', async () => {
  const planned = () => workspace.bot.log().split('Request planned').length;
  const before = planned();
  model.script({ does: 'hang' });
  const asked = await write('ben', 'how many P2 tickets are open in PAY, and how bad is that?');
  await asked.isDoing('is planning…');
  await asked.stop();
  await workspace.whisper('ben', 'No plan is made of it', direct('ben'));
  await asked.isDone();
  model.cut();
  await workspace.until(() => planned() > before, 'the plan that nobody waits for');
  const next = await write('ben', counting);
  await workspace.until(() => next.answers().length === 1, 'the next answer');
  expect(asked.answers()).toEqual([]);
  expect(asked.doing()?.status).toBe('');
});

test('a question ends what the bot was shown to be doing', async () => {
  model.script({ does: 'hang' });
  const asked = await write('ben', 'comment on the ticket that we are on it');
  await asked.isDoing('is planning…');
  model.cut();
  await workspace.until(() => asked.answers().length === 1, 'its question');
  expect(wordsOf(asked.answers()[0] ?? {})).toContain('?');
  await asked.isDone();
});
