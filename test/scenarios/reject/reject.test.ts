/** Why: a rejection with its reason ends a plan for good, visibly for everybody. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockText } from '../../support/block-text.ts';
import { breach, buttonValue, finish, forgedClick, rows } from '../../support/scenario.ts';
import { actionsOf, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterAll(() => finish(workspace));

test('a rejected plan shows who rejected it and why, runs nothing, and cannot be approved', async () => {
  await workspace.plan('ben', breach);
  const card = await workspace.card(breach);
  await workspace.click('eva', card, 'plan.reject');
  const { id: viewId } = await workspace.modal('eva');
  const reason = 'Maintenance window <!channel> until noon';
  const { slack } = workspace.sandbox;
  const empty = await slack.submitView({ as: 'eva', viewId, values: { reason: { v: '   ' } } });
  expect(empty.fieldErrors).toEqual({ reason: 'Give a short reason.' });
  await slack.submitView({ as: 'eva', viewId, values: { reason: { v: reason } } });

  const rejected = await workspace.becomes(card, 'Rejected');
  expect(blockText(rejected.blocks)).toContain('Rejected by @U0EVA');
  expect(wordsOf(rejected)).toContain(reason);
  expect(rejected.mentions).not.toContain('channel');
  expect(actionsOf(rejected.blocks)).toEqual([]);

  const value = buttonValue(card, 'plan.approve') ?? '';
  await forgedClick(workspace, { as: 'ana', message: card, actionId: 'plan.approve', value });
  await workspace.whisper('ana', 'Already rejected');
  expect(await rows(workspace, 'select state, decided_by, reason from revisions')).toEqual([
    { state: 'rejected', decided_by: 'U0EVA', reason },
  ]);
  expect(await rows(workspace, "select id from runs where mode = 'run'")).toEqual([]);
  expect(workspace.pages()).toEqual([]);
});
