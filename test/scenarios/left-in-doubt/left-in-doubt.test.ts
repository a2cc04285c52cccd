/** Why: a write that may have happened is not offered again as if it had not; people are told to check first. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { finish, rows, until } from '../../support/scenario.ts';
import { type Message, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterEach(() => workspace.sandbox.faults.clear());
afterAll(() => finish(workspace));

/** Approves a plan that creates a ticket: Jira creates it, but both its answer and the search for it are lost. */
async function inDoubt(goal: string, words: string, title: RegExp): Promise<Message> {
  await workspace.plan('ben', goal);
  const card = await workspace.card(words);
  const { faults } = workspace.sandbox;
  const create = { path: '/rest/api/3/issue', method: 'POST', exact: true };
  faults.add({ vendor: 'jira', match: create, kind: 'lost-answer', times: 1 });
  faults.add({ vendor: 'jira', match: { path: '/rest/api/3/search' }, kind: 'status', status: 503 });
  faults.add({ vendor: 'pagerduty-events', kind: 'status', status: 400 });
  await workspace.click('ana', card, 'plan.approve');
  const final = wordsOf(await workspace.reply(card, title, 25_000));
  expect(final).toContain('Check whether it happened, and ask again only if it did not');
  faults.clear();
  return card;
}

const made = (summary: string) =>
  workspace.sandbox.jira.store.issues().filter((issue) => issue.summary === summary);

test('a retry card leaves out a ticket in doubt and first asks people to check', async () => {
  const goal = 'create a p2 ticket in OPS "disk full" and page ops';
  await inDoubt(goal, 'disk full', /^Nobody was paged; outcome unknown, please check:/);
  const next = await workspace.card('Retries only the steps that didn’t finish.');
  const words = wordsOf(next);
  expect(words).toMatch(
    /It may have happened, so it is left out: Create a P2 ticket in OPS: “disk full”\. Check, and ask again only if it did not\.[\s\S]*Retries only/,
  );
  expect(words).not.toMatch(/creates a|nothing that was done is repeated/);
  await workspace.click('ana', next, 'plan.approve');
  await workspace.reply(next, /^Done/);
  expect(workspace.pages()).toHaveLength(1);
  expect(made('disk full')).toHaveLength(1);
});

test('nothing is offered when all remaining steps depend on a write in doubt', async () => {
  const card = await inDoubt(
    't = jira.create project=OPS priority=P2 summary="queue full"; slack.post channel=#ops text="{t.link}"',
    'queue full',
    /^Outcome unknown, please check:/,
  );
  const waiting = "select 1 from inbox where key like 'failed:%' and event is not null";
  await until(async () => (await rows(workspace, waiting)).length === 0);
  await pause(300);
  const later = workspace.messages().filter(({ ts, threadTs }) => !threadTs && ts > card.ts);
  expect(later.map(wordsOf)).toEqual([]);
  expect(made('queue full')).toHaveLength(1);
});
