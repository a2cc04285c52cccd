import { afterAll, beforeAll, expect, test } from 'vitest';
import { buttonValue, clickPayload, configWith, expectSound, rows, until } from '../support/scenario.ts';
import { actionsOf, type Message, Workspace } from '../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.startHttp({
    config: configWith({
      rules: [{ approvers: ['U0ANA', 'U0EVA'] }],
      approval: { four_eyes: true, expires_minutes: 30 },
    }),
  });
});
afterAll(async () => {
  if (workspace === undefined) return;
  await expectSound(workspace);
  await workspace.stop();
});

const mention = (text: string) => `<@${workspace.sandbox.world.bot.userId}> ${text}`;
const say = (as: string, text: string, thread: Message) =>
  workspace.sandbox.slack.postAs({ as, channel: 'ops', text, threadTs: thread.threadTs ?? thread.ts });
const newest = 'order by created_at desc limit 1';

/** A question, once the bot has stored where it is, and so accepts answers to it. */
async function question(text: RegExp): Promise<Message> {
  let posted = await workspace.card(text);
  const isKnown = async () => {
    posted = await workspace.card(text);
    const known =
      "select id from requests where state = 'asking' and coalesce(question->>'at', question->>'ts') = $1";
    return (await rows(workspace, known, [posted.ts])).length > 0;
  };
  await until(isKnown);
  return posted;
}

async function pick(as: string, asked: Message, option: string): Promise<void> {
  const { slack } = workspace.sandbox;
  const actionId = actionsOf(asked.blocks).find((id) => buttonValue(asked, id)?.includes(option)) ?? '';
  await slack.clickButton({ as, channel: asked.channel, ts: asked.ts, actionId });
}

/** Delivers a person's message again, as Slack does without an acknowledgement, to a restarted process that forgot it. */
async function repeatAfterRestart(text: string): Promise<void> {
  const { slack } = workspace.sandbox;
  const records = slack.deliveries.filter(({ envelope }) => JSON.stringify(envelope).includes(text));
  expect(records.length).toBeGreaterThan(0);
  await workspace.bot.stop();
  workspace.bot = await workspace.startAnother();
  for (const { envelope } of records) {
    expect(await slack.deliver(envelope)).toMatchObject({ acknowledged: true });
  }
}

/** Resolves when the bot has handled everything said before. */
async function settled(): Promise<void> {
  const goal = `how many P3 tickets are open in WEB with the label n${Math.round(performance.now())}?`;
  await workspace.plan('dev', goal);
  await workspace.card(goal);
}

test('a person who answered a question had a hand in the plan, and may not approve it under four eyes', async () => {
  await workspace.plan('ben', 'tell #nowhere if there are lots of open tickets in PAY');
  await say('eva', mention('3'), await question(/in PAY :[\s\S]*From what number on/));
  await pick('ben', await question(/in PAY :[\s\S]*called “#nowhere”/), '#ops');
  const card = await workspace.card(/^Post to #ops/);
  expect(await rows(workspace, `select authors from revisions ${newest}`)).toEqual([
    { authors: ['U0BEN', 'U0EVA'] },
  ]);
  await workspace.click('eva', card, 'plan.approve');
  await workspace.whisper('eva', /second|asked|edited/);
  expect(await rows(workspace, "select id from runs where mode = 'run'")).toEqual([]);
});

test('a button counts for its own question only', async () => {
  await workspace.plan('ben', 'tell the team');
  const first = await question(/^tell the team :[\s\S]*Which channel or person should get it\?/);
  const actionId = actionsOf(first.blocks)[0] ?? '';
  const value = buttonValue(first, actionId) ?? '';
  await pick('ben', first, '#ops');
  const second = await question(/What should it say/);
  await rows(
    workspace,
    `update requests set question = jsonb_set(question, '{open,options}', '["#general"]') where state = 'asking'`,
  );
  const payload = clickPayload(workspace, { as: 'ben', message: first, actionId, value });
  await workspace.sandbox.slack.deliver({ type: 'interactive', payload });
  await settled();
  expect(await rows(workspace, "select state from requests where goal = 'tell the team'")).toEqual([
    { state: 'asking' },
  ]);
  await say('ben', 'deploy is done', second);
  await workspace.card('deploy is done');
});

test('the button of a question that an older version asked counts', async () => {
  await workspace.plan('ben', 'tell the team that the sink is full');
  const asked = await question(/the sink is full[\s\S]*Which channel or person/);
  const old = `update requests set question = question #- '{open,key}' where goal like '%sink is full'`;
  await rows(workspace, old);
  const actionId = actionsOf(asked.blocks)[0] ?? '';
  const { q: _key, ...value } = JSON.parse(buttonValue(asked, actionId) ?? '');
  const click = { as: 'ben', message: asked, actionId, value: JSON.stringify(value) };
  await workspace.sandbox.slack.deliver({ type: 'interactive', payload: clickPayload(workspace, click) });
  await workspace.card(/the sink is full[\s\S]*WRITE/);
  await workspace.becomes(asked, /answered:/);
});

test('a repeated delivery answers and changes nothing again', async () => {
  await workspace.plan('ben', 'tell #nowhere if there are lots of open tickets in WEB');
  await say('ben', '7', await question(/in WEB :[\s\S]*From what number on/));
  const whom = await question(/in WEB :[\s\S]*called “#nowhere”/);
  await repeatAfterRestart('"7"');
  await settled();
  const asked =
    "select question->'answers' as answers, state from requests where goal like '%in WEB' and goal like 'tell%'";
  const [row] = await rows(workspace, asked);
  expect(row?.state).toBe('asking');
  expect(row?.answers).toHaveLength(1);

  await pick('ben', whom, '#ops');
  const card = await workspace.card(/^Post to #ops[\s\S]*at least 7 /);
  await say('ben', mention('threshold 9'), card);
  const changed = await workspace.card(/at least 9 /);
  await say('ben', mention('threshold 11'), changed);
  await workspace.card(/at least 11 /);
  await repeatAfterRestart('threshold 9');
  await settled();
  const numbers =
    "select max(number) as newest from revisions where request_id = (select id from requests where goal like 'tell%in WEB')";
  expect(await rows(workspace, numbers)).toEqual([{ newest: 3 }]);
});

test('a request made in a thread does not change its own plan when it is delivered again', async () => {
  const { slack } = workspace.sandbox;
  const posted = await slack.postAs({ as: 'dev', channel: 'ops', text: 'checkout is slow' });
  const goal = 'if WEB has more than 4 open P1 tickets, page checkout';
  await slack.postAs({ as: 'dev', channel: 'ops', text: mention(goal), threadTs: posted.ts ?? '' });
  await workspace.card(/not more than 4/);
  const before = workspace.messages('ops', 'U0DEV').length;
  await repeatAfterRestart(goal);
  await settled();
  // Only the plan that `settled` asks for.
  expect(workspace.messages('ops', 'U0DEV')).toHaveLength(before + 1);
});

test('a dry run that is delivered again runs only once', async () => {
  await workspace.plan('ben', 'if OPS has more than 10 open P1 tickets, page ops');
  const card = await workspace.card('more than 10 open P1 tickets');
  const value = buttonValue(card, 'plan.dry_run') ?? '';
  const payload = clickPayload(workspace, { as: 'ben', message: card, actionId: 'plan.dry_run', value });
  await workspace.sandbox.slack.deliver({ type: 'interactive', payload });
  await workspace.reply(card, /Dry run/i);
  await repeatAfterRestart(payload.trigger_id);
  await settled();
  expect(await rows(workspace, "select id from runs where mode = 'dry_run'")).toHaveLength(1);
});

test('an answer has the same length limit as a goal, and the number of answers is limited', async () => {
  await workspace.plan('ben', 'run stale-p1-sweep age=soon');
  const open = await question(/^run stale-p1-sweep age=soon :/);
  await say('ben', `KEY ${'x'.repeat(9_000)}`, open);
  await workspace.whisper('ben', 'too long');
  const asked =
    "select question->'answers' as answers, state from requests where goal = 'run stale-p1-sweep age=soon'";
  expect(await rows(workspace, asked)).toEqual([{ answers: [], state: 'asking' }]);
  const ten =
    "update requests set question = jsonb_set(question, '{answers}', (select jsonb_agg(jsonb_build_object('question', 'Q' || n, 'missing', '[]'::jsonb, 'answer', 'A', 'by', 'U0BEN')) from generate_series(1, 10) n)) where goal = 'run stale-p1-sweep age=soon'";
  await rows(workspace, ten);
  await say('ben', 'P7D', open);
  await workspace.whisper('ben', /ask again/i);
  expect((await rows(workspace, asked))[0]?.state).toBe('refused');
});
