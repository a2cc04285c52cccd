/** Why: “I can’t do that” is only useful with the nearest things that can be done, one tap away. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finish } from '../../support/scenario.ts';
import { labelsOf, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterAll(() => finish(workspace));

test('a refusal names the nearest things that can be done as buttons', async () => {
  for (const [goal, wanted] of [
    ['assign OPS-3 to ben', 'show OPS-3'],
    ['set OPS-25 to P1', 'show OPS-25'],
    ['when did the checkout errors start', 'errors by code of checkout'],
  ] as const) {
    await workspace.plan('ben', goal);
    const refusal = await workspace.whisper('ben', new RegExp(`Nearest to it:.* ${wanted}`, 's'));
    expect(labelsOf(refusal.blocks)).toContain(wanted);
    expect(labelsOf(refusal.blocks).length).toBeLessThanOrEqual(3);
  }
});

test('for a verb that nothing here knows, only look-ups about the service are offered', async () => {
  for (const goal of ['snooze the checkout incident for 30 min', 'reassign the checkout incident to ben']) {
    const before = workspace.messages('ops', 'U0BEN').length;
    await workspace.plan('ben', goal);
    await workspace.until(() => workspace.messages('ops', 'U0BEN').length > before, 'a refusal');
    const labels = labelsOf(workspace.messages('ops', 'U0BEN').at(-1)?.blocks);
    expect.soft(labels, goal).toContain('open incidents on checkout');
    expect.soft(labels.join(), goal).not.toMatch(/ack|resolve|page|note/);
  }
});

test.each([
  ['what are you watching', /There are no watches you can see/],
  ['undo that', /Your plans, newest first/],
  ['who can approve a page to checkout', /Who may approve.*Page the on-call of checkout/s],
  ['why did nobody approve my plan', /Shown and decided.*Revision 1/s],
  ['what did you do last night', /^History/],
  ['review of the last incident', /^Review of\s+#\d/],
  ['postmortem for #1', /^Review of\s+#1/],
])(
  'a question about the bot is answered at once, and its person alone sees it: %s',
  async (asked, answer) => {
    await workspace.plan('dev', 'slack.post channel=#ops text="to be answered about"');
    await workspace.card('to be answered about');
    await workspace.plan('dev', asked);
    await workspace.whisper('dev', answer);
  },
);

test('words that take back what was asked list all that is open, each with a button to end it', async () => {
  await workspace.plan('chiara', 'slack.post channel=#ops text="one of mine"');
  await workspace.card('one of mine');
  await workspace.plan(
    'chiara',
    'every 10 minutes count open P1 tickets in PAY and page payments-api over 30',
  );
  await workspace.card(/Watching\s+every 10 minutes.*PAY/s);
  for (const words of ['cancel that', 'nvm']) {
    await workspace.plan('chiara', words);
    const list = await workspace.whisper('chiara', /1 of your plans waiting, 1 of your watches/);
    expect(labelsOf(list.blocks)).toEqual(['Cancel', 'End']);
  }
});

test('a question about everything offers the nearest things as well', async () => {
  await workspace.plan('ben', 'handover to ben');
  const question = await workspace.card(/handover to ben[\s\S]*not sure what you want/);
  expect(labelsOf(question.blocks)).toContain('handover');
});

test('words that would end a watch list the watches with their buttons', async () => {
  await workspace.plan('ana', 'every 10 minutes count open P1 tickets in WEB and page checkout over 30');
  await workspace.card(/Watching\s+every 10 minutes.*WEB/s);
  await workspace.plan('ana', 'stop the watch on WEB');
  const list = await workspace.whisper('ana', /open P1 tickets in WEB/);
  expect(labelsOf(list.blocks)).toContain('End');
});

test('the button of a nearest thing does it, as if it had been typed', async () => {
  await workspace.plan('ana', 'when did the checkout errors start');
  const other = await workspace.whisper('ana', /Nearest to it:.* errors/s);
  const errors = labelsOf(other.blocks).findIndex((label) => /errors.* of checkout/.test(label));
  await workspace.click('ana', other, `plan.ask.${errors}`);
  await workspace.card(/230 errors of checkout[\s\S]*errors by code of checkout/);
});

test('a request without anything near is refused without buttons', async () => {
  await workspace.plan('eva', 'water the plants');
  const refusal = await workspace.whisper('eva', /can’t do that|not something I do|not sure/);
  expect(labelsOf(refusal.blocks)).toEqual([]);
});

test('words that contain the name of a vetted query or of a playbook are read as it', async () => {
  for (const [goal, shown] of [
    ['how many carts are stuck', /waiting.carts/],
    ['how many carts are waiting', /waiting.carts/],
    ['did we deploy anything to checkout today', /deploys/],
    ['failed order count in the last hour', /Query the database for failed orders/],
    ['run the morning report', /Open P1 and P2 of OPS/],
    ['run sla breach check project=WEB', /Compare open P1 tickets in WEB|open P1 tickets in WEB/],
  ] as const) {
    await workspace.plan('eva', goal);
    const card = await workspace.card(goal);
    expect.soft(wordsOf(card), goal).toMatch(shown);
    expect.soft(wordsOf(card), goal).not.toMatch(/not sure|Which/);
  }
});
