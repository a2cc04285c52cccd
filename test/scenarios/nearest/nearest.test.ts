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
    ['postmortem for #1', 'review 1'],
    ['undo that', 'mine'],
  ] as const) {
    await workspace.plan('ben', goal);
    const refusal = await workspace.whisper('ben', new RegExp(`Nearest to it:.* ${wanted}`, 's'));
    expect(labelsOf(refusal.blocks)).toContain(wanted);
    expect(labelsOf(refusal.blocks).length).toBeLessThanOrEqual(3);
  }
});

test('a question about everything offers the nearest things as well', async () => {
  await workspace.plan('ben', 'handover to ben');
  const question = await workspace.card(/handover to ben[\s\S]*not sure what you want/);
  expect(labelsOf(question.blocks)).toContain('handover');
});

test('words that would end a watch list the watches with their buttons', async () => {
  await workspace.plan('ana', 'every 10 minutes count open P1 tickets in WEB and page checkout over 30');
  await workspace.card(/Watching\s+every 10 minutes/);
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
