/** Why: an hour full of questions must never be in the way of a page, or of taking one. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newestPage, paged } from '../../support/pages.ts';
import { configWith, finish, rows } from '../../support/scenario.ts';
import { Workspace } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  const caps = { questions_per_hour: 2, plans_per_hour: 1, pages_per_hour: 100 };
  const rules = [{ approvers: ['U0ANA'] }];
  const approval = { four_eyes: false };
  workspace = await Workspace.start({ config: configWith({ rules, caps, approval }) });
});
afterAll(() => finish(workspace));

test('a question over the hourly limit is refused; refusals and clarifying questions take no place in it', async () => {
  await workspace.plan('ana', 'order a pizza');
  await workspace.whisper('ana', /That’s not something I do|I can’t do that/);
  await workspace.plan('ana', 'page');
  await workspace.card('Which service is this about?');
  for (const label of ['one', 'two']) {
    await workspace.plan('ana', `jira.count project=WEB label=${label}`);
    await workspace.card(`labelled ${label}`);
  }
  await workspace.plan('ana', 'jira.count project=WEB label=three');
  await workspace.whisper('ana', 'at most 2 questions an hour');
  const refused =
    "select goal from requests where requester = 'U0ANA' and state = 'refused' order by created_at";
  expect((await rows(workspace, refused)).map(({ goal }) => goal)).toEqual([
    'order a pizza',
    'jira.count project=WEB label=three',
  ]);
});

test('a person over it still pages, acknowledges and resolves, by button and in words', async () => {
  const card = await paged(workspace, 'Disk full', 'ana');
  await workspace.click('ana', card, 'step.next.pagerduty.ack');
  await workspace.becomes(card, /Acknowledged/);
  await workspace.click('ana', card, 'step.next.pagerduty.resolve');
  await workspace.becomes(card, /Resolved/);
  const second = await paged(workspace, 'Queue stuck', 'ana');
  await workspace.plan('ana', `ack ${newestPage(workspace).id}`);
  await workspace.click('ana', await workspace.card('Acknowledge incident'), 'plan.approve');
  await workspace.becomes(second, /Acknowledged/);
});

test('plans that write have a limit of their own, which questions do not use up, and rejecting is always possible', async () => {
  await workspace.plan('dev', 'slack.post channel=ops text="first"');
  const card = await workspace.card('first');
  await workspace.plan('dev', 'slack.post channel=ops text="second"');
  await workspace.whisper('dev', 'at most 1 plan that writes an hour');
  await workspace.plan('dev', 'jira.count project=WEB label=four');
  await workspace.card('labelled four');
  await workspace.click('dev', card, 'plan.reject');
  const { id: viewId } = await workspace.modal('dev');
  await workspace.sandbox.slack.submitView({ as: 'dev', viewId, values: { reason: { v: 'no' } } });
  await workspace.becomes(card, /Rejected/);
});
