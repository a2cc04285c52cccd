/** Why: one good question, answered with a tap or in words, continues the same request. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finish, rows } from '../../support/scenario.ts';
import { actionsOf, labelsOf, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterAll(() => finish(workspace));

test('a question offers likely answers as buttons, and the chosen one fills in the card', async () => {
  await workspace.plan('ben', 'tell the team that the deploy is late');
  const question = await workspace.card('Which channel or person should get it?');
  const buttons = actionsOf(question.blocks);
  expect(buttons.length).toBeGreaterThan(1);
  expect(await rows(workspace, 'select number from revisions')).toEqual([]);

  await workspace.sandbox.slack.clickButton({
    as: 'ben',
    channel: question.channel,
    ts: question.ts,
    actionId: buttons[1] ?? '',
  });
  const card = await workspace.card('WRITE');
  expect(wordsOf(card)).toContain('deploy is late');
  expect(wordsOf(card)).toContain('#ops');
  const answered = await workspace.becomes(question, /answered:\s+#ops/);
  expect(actionsOf(answered.blocks)).toEqual([]);
});

test("the requester's answer in the thread counts, and other people's replies do not", async () => {
  await workspace.plan('ben', 'page ops if there are lots of open tickets in PAY');
  const question = await workspace.card('From what number on');
  await workspace.sandbox.slack.postAs({ as: 'eva', channel: 'ops', text: '3', threadTs: question.ts });
  await workspace.sandbox.slack.postAs({ as: 'ben', channel: 'ops', text: '12', threadTs: question.ts });
  const card = await workspace.card(/PAY[\s\S]*not (?:at least|more than) 12/);
  expect(wordsOf(card)).not.toMatch(/(?:at least|more than) 3/);
  const asked = await rows(
    workspace,
    "select question->'answers' as answers from requests where goal like 'page ops%'",
  );
  expect(JSON.stringify(asked)).toContain('"answer":"12"');
  expect(JSON.stringify(asked)).not.toContain('"answer":"3"');
});

test('an unknown name is asked about once, and the chosen name replaces it', async () => {
  for (const [goal, index, shown] of [
    ['how many open P2 tickets are in NOPE?', 1, /Count open P2 tickets in PAY/],
    ['tell #support that the backup is late', 0, /Post to #ops: “(?:the )?backup is late”/],
    ['page frontdesk because the disk is full', 0, /Page the on-call of ops: “[^”]*disk is full/],
  ] as const) {
    await workspace.plan('ben', goal);
    const question = await workspace.card(goal);
    await workspace.sandbox.slack.clickButton({
      as: 'ben',
      channel: question.channel,
      ts: question.ts,
      actionId: `clarify.answer.${index}`,
    });
    expect(wordsOf(await workspace.card(shown))).toContain(goal);
  }
});

test('a new order under a question is its own request, and the question stays open', async () => {
  await workspace.plan('ben', 'create a bug in BLORB: the login page is broken');
  const question = await workspace.card('called “BLORB”');
  const { channel, ts: threadTs } = question;
  const say = (text: string) => workspace.sandbox.slack.postAs({ as: 'ben', channel, text, threadTs });
  await say('close the ticket');
  const which = await workspace.reply(question, 'Which ticket do you mean?');
  expect(wordsOf(which)).toContain('close the ticket');
  await say('OPS-3');
  const card = await workspace.reply(question, /Move OPS-3/);
  await say('PAY, I think');
  await workspace.becomes(question, /answered:\s+PAY, I think/);
  await workspace.card(/Create a bug in PAY[\s\S]*login page is broken/);
  expect(actionsOf((await workspace.becomes(card, 'OPS-3')).blocks)).toContain('plan.approve');
});

test('a button can be chosen in words: “yes” for the first, “the second one”, its label', async () => {
  for (const [goal, said, shown] of [
    ['OPS ticket: door sensor is dead', 'yes please', /Create a ticket in OPS: “door sensor is dead”/],
    // The first is PAY, which Ben chose before.
    ['how many open P3 tickets are in NOPE?', 'the second one', /Count open P3 tickets in OPS/],
    ['list high priority tickets in OPS', 'list open p2 tickets in ops', /List open P2 tickets in OPS/],
  ] as const) {
    await workspace.plan('ben', goal);
    const { channel, ts: threadTs } = await workspace.card(goal);
    await workspace.sandbox.slack.postAs({ as: 'ben', channel, text: said, threadTs });
    await workspace.card(shown);
  }
});

test('an answer that does not help is named, and the same question never comes again', async () => {
  for (const [goal, first, vague, asked, clear, shown] of [
    [
      'is there a runbook for this?',
      'What should I search for?',
      'hmm the usual',
      /couldn’t use “hmm the usual”/,
      'redis failover',
      /Redis failover/,
    ],
    [
      'page ops if there are lots of open P2 tickets in PAY',
      'From what number on',
      'a lot',
      /couldn’t use “a lot”.*I need a number/s,
      '17',
      /not (?:at least|more than) 17/,
    ],
    [
      'tell the team that the backup is slow',
      'Which channel or person',
      'the usual place',
      /couldn’t use “the usual place”/,
      '#ops',
      /Post to #ops: “(?:the )?backup is slow”/,
    ],
  ] as const) {
    await workspace.plan('ben', goal);
    const question = await workspace.card(goal);
    expect(wordsOf(question)).toContain(first);
    const say = (text: string, { channel, ts }: typeof question) =>
      workspace.sandbox.slack.postAs({ as: 'ben', channel, text, threadTs: ts });
    await say(vague, question);
    const again = await workspace.card(asked);
    expect(wordsOf(again)).not.toContain(first);
    await say(clear, again);
    await workspace.card(shown);
  }
});

test('the next question stands below the first, and answers there go on', async () => {
  await workspace.plan('ben', 'tell the team that the lift is stuck');
  const question = await workspace.card(/the lift is stuck.*Which channel or person/s);
  const { channel, ts: threadTs } = question;
  const say = (text: string) => workspace.sandbox.slack.postAs({ as: 'ben', channel, text, threadTs });
  await say('the usual place');
  await workspace.reply(question, 'couldn’t use “the usual place”');
  await say('#ops');
  await workspace.card(/Post to #ops: “(?:the )?lift is stuck”/);
});

test('a second answer that does not help ends the conversation', async () => {
  await workspace.plan('ben', 'is that bad?');
  const question = await workspace.card('is that bad?');
  const { channel, ts } = question;
  await workspace.sandbox.slack.postAs({ as: 'ben', channel, text: 'you know', threadTs: ts });
  const again = await workspace.card('couldn’t use “you know”');
  await workspace.sandbox.slack.postAs({ as: 'ben', channel, text: 'come on', threadTs: again.ts });
  await workspace.whisper('ben', /couldn’t use “come on” either/);
  expect(await rows(workspace, "select state from requests where goal = 'is that bad?'")).toEqual([
    { state: 'refused' },
  ]);
});

test('a question which incident is meant offers the open ones as buttons', async () => {
  await workspace.plan('ana', 'ack');
  const question = await workspace.card('Which PagerDuty incident do you mean?');
  const [first = '', ...others] = labelsOf(question.blocks);
  expect(first).toMatch(/^#1 checkout: /);
  expect(others).toEqual([]);
  await workspace.click('ana', question, 'clarify.answer.0');
  await workspace.becomes(question, /answered:\s+#1/);
  await workspace.card(/Acknowledge incident .*checkout|#1/);
});

test('a project or its alias stands for its service where a service is wanted', async () => {
  await workspace.plan('ben', 'who is on call for payments tonight');
  const answer = await workspace.card('who is on call for payments tonight');
  expect(wordsOf(answer)).toMatch(/on call for payments-api/);
  expect(wordsOf(answer)).toContain('payments-api is the service of PAY.');
});

test('a change that names nothing known is told with the names that are', async () => {
  await workspace.plan('ben', 'page ops: the printer is on fire');
  const card = await workspace.card(/Page the on-call of ops: “the printer/);
  const { channel, ts: threadTs } = card;
  const text = `<@${workspace.sandbox.world.bot.userId}> page frontdesk instead`;
  await workspace.sandbox.slack.postAs({ as: 'ben', channel, text, threadTs });
  await workspace.whisper('ben', /frontdesk[\s\S]*checkout[\s\S]*payments-api/);
});

test('a question offers first what the person chose before, and others what was chosen in the channel', async () => {
  const asked = async (as: string, about: string) => {
    await workspace.plan(as, `tell the team that ${about}`);
    return workspace.card(new RegExp(`${about}[\\s\\S]*Which channel or person`));
  };
  const question = await asked('dev', 'the fan is loud');
  const options = labelsOf(question.blocks);
  const usual = options.at(-1) ?? '';
  expect(options.length).toBeGreaterThan(2);
  await workspace.click('dev', question, `clarify.answer.${options.length - 1}`);
  await workspace.card(/the fan is loud[\s\S]*WRITE/);
  const own = labelsOf((await asked('dev', 'the lamp is dim')).blocks);
  expect(own[0]).toBe(usual);
  expect(own.toSorted()).toEqual(options.toSorted());
  expect(labelsOf((await asked('eva', 'the door is open')).blocks).slice(0, 2)).toContain(usual);
});
