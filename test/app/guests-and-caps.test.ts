import { afterAll, beforeAll, expect, test } from 'vitest';
import { breach, buttonValue, clickPayload, configWith, finish, rows, until } from '../support/scenario.ts';
import { actionsOf, type Message, Workspace } from '../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  const config = configWith({ caps: { questions_per_hour: 3 }, rules: [{ approvers: ['U0ANA', 'U0EVA'] }] });
  workspace = await Workspace.start({ config });
});
afterAll(() => finish(workspace));

test('requests that arrive together do not pass the cap together', async () => {
  const goals = Array.from({ length: 12 }, (_, index) => `jira.count project=WEB label=n${index}`);
  await Promise.all(goals.map((goal) => workspace.plan('dev', goal)));
  await workspace.whisper('dev', 'at most 3 questions an hour');
  const told = () => workspace.messages('ops', 'U0DEV').filter((m) => m.ephemeralFor === 'U0DEV').length;
  await workspace.until(() => told() === goals.length - 3, 'a word about each of the others');
  const kept = "select id from requests where requester = 'U0DEV' and state <> 'refused'";
  expect(await rows(workspace, kept)).toHaveLength(3);
});

let made: Message;

test('a person without the right can end no watch, stop or resume no writes, and break no glass', async () => {
  const steps =
    'count = jira.count project=OPS priority=P1 status=open; post = slack.post channel=ops text="x"';
  await workspace.plan('chiara', `watch: every 1h; ${steps}`);
  made = await workspace.card('Watching');
  await workspace.click('ben', made, 'watch.end');
  await workspace.whisper('ben', 'You cannot end or change this.');
  for (const words of ['stop everything: too loud', 'resume', 'break-glass']) {
    const heard = () => workspace.messages('ops', 'U0BEN').filter((m) => m.ephemeralFor === 'U0BEN').length;
    const before = heard();
    await workspace.plan('ben', words);
    await workspace.until(() => heard() > before, `an answer to ${words}`);
  }
  await workspace.whisper('ben', 'may break glass');
});

test('a guest cannot see plans in the App Home, nor ask, answer, change, dry-run or approve one', async () => {
  await workspace.plan('ben', breach);
  const card = await workspace.card(breach);
  await workspace.plan('ben', 'tell the team');
  const question = await workspace.card('Which channel or person should get it?');
  await until(
    async () => (await rows(workspace, "select id from requests where state = 'asking'")).length > 0,
  );
  const { slack, world } = workspace.sandbox;
  workspace.makeGuest('eva');

  await slack.openHome({ as: 'eva' });
  await slack.postAs({ as: 'eva', channel: 'ops', text: `<@${world.bot.userId}> use P2`, threadTs: card.ts });
  await workspace.plan('eva', 'how many tickets are open in PAY?');
  for (const actionId of ['plan.approve', 'plan.edit', 'plan.dry_run', 'plan.reject']) {
    const value = buttonValue(card, actionId) ?? '';
    await slack.deliver({
      type: 'interactive',
      payload: clickPayload(workspace, { as: 'eva', message: card, actionId, value }),
    });
  }
  const actionId = actionsOf(question.blocks)[0] ?? '';
  const answer = { as: 'eva', message: question, actionId, value: buttonValue(question, actionId) ?? '' };
  await slack.deliver({ type: 'interactive', payload: clickPayload(workspace, answer) });
  const named = `<@${world.bot.userId}> #ops`;
  await slack.postAs({ as: 'eva', channel: 'ops', text: named, threadTs: question.ts });
  const refused = () => workspace.messages('ops', 'U0EVA').filter((m) => m.ephemeralFor === 'U0EVA').length;
  await workspace.until(() => refused() === 8, 'eight refusals');
  expect(slack.state().homes.U0EVA).toBeUndefined();
  expect(slack.state('U0EVA').views.U0EVA ?? []).toEqual([]);
  expect(await rows(workspace, "select id from runs where mode = 'run'")).toEqual([]);
  const asked = "select state, question->'answers' as answers from requests where goal = 'tell the team'";
  expect(await rows(workspace, asked)).toEqual([{ state: 'asking', answers: [] }]);
  expect(await rows(workspace, "select id from requests where requester = 'U0EVA'")).toEqual([]);
  expect(await rows(workspace, 'select state from revisions where number > 1')).toEqual([]);
});

test('a guest cannot end even their own watch, and each refusal is audited once', async () => {
  const { slack } = workspace.sandbox;
  await rows(workspace, "update watches set owner = 'U0EVA'");
  const said = () => workspace.messages('ops', 'U0EVA').filter((m) => m.ephemeralFor === 'U0EVA').length;
  const before = said();
  const click = {
    as: 'eva',
    message: made,
    actionId: 'watch.end',
    value: buttonValue(made, 'watch.end') ?? '',
  };
  for (let count = 0; count < 2; count += 1)
    await slack.deliver({ type: 'interactive', payload: clickPayload(workspace, click) });
  await workspace.until(() => said() === before + 2, 'two refusals');
  expect(await rows(workspace, 'select 1 from watches where ended_at is null')).toHaveLength(1);
  const noted = await rows(
    workspace,
    `select actor, split_part(subject, ':', 1) as about, data::jsonb ->> 'action' as action,
      data::jsonb ->> 'reason' as reason from audit
      where kind = 'click.refused' and subject not like 'revision:%' order by seq`,
  );
  expect(noted.map(({ actor, about, action, reason }) => [actor, about, action, reason].join(' '))).toEqual([
    'U0BEN watch end_watch not_the_owner',
    'U0BEN switch stop_all not_an_operator',
    'U0BEN glass break_glass no_glass',
    'U0EVA request ask guest',
    'U0EVA watch end_watch guest',
  ]);
});
