/** Why: two people answer one question in the same moment. One answer counts, and the other person has to hear that theirs does not. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finish, rows, until } from '../../support/scenario.ts';
import { labelsOf, Workspace } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterAll(() => finish(workspace));

/** Holds up each change of a request, so that both answers are given to the same open question. */
async function slowly(work: () => Promise<unknown>): Promise<void> {
  await rows(
    workspace,
    `create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(0.7); return new; end $$`,
  );
  await rows(workspace, 'create trigger slow before update on requests for each row execute function slow()');
  try {
    await work();
  } finally {
    await rows(workspace, 'drop function slow cascade');
  }
}

test('the person whose answer came second is told whose answer counts', async () => {
  await workspace.plan(
    'ben',
    'open a ticket and page payments and post in #incidents that payouts are failing',
  );
  const question = await workspace.card(/Which of these do you mean/);
  expect(labelsOf(question.blocks).length).toBeGreaterThan(1);
  await until(
    async () => (await rows(workspace, "select 1 from requests where state = 'asking'")).length === 1,
  );
  await slowly(() =>
    Promise.all([
      workspace.click('ben', question, 'clarify.answer.0'),
      workspace.click('dev', question, 'clarify.answer.1'),
    ]).then(() =>
      until(async () => (await rows(workspace, 'select 1 from inbox where done_at is null')).length === 0),
    ),
  );
  const told = ['ben', 'dev'].flatMap((as) =>
    workspace
      .messages('ops', workspace.person(as))
      .filter(({ ephemeralFor }) => ephemeralFor === workspace.person(as)),
  );
  expect(told).toHaveLength(1);
  expect(JSON.stringify(told)).toMatch(/was faster; that answer counts/);
  expect(await rows(workspace, 'select 1 from revisions')).toHaveLength(1);
});
