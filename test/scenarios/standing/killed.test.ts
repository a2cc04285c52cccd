/** Why: "approve from now on" is an accepted form; it holds even if its process dies right after the approval. */

import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BotProcess, startHere } from '../../support/bot.ts';
import { finish, rows, until } from '../../support/scenario.ts';
import { Workspace } from '../../support/workspace.ts';

let workspace: Workspace;
let dies: BotProcess;
beforeAll(async () => {
  const spawned = await Workspace.spawn();
  [workspace, dies] = [spawned, spawned.bot];
});
afterAll(() => finish(workspace));

const approved = "select 1 from revisions where state = 'approved'";

test("a kill after the card's approval still leaves an active, reported standing approval and one page", async () => {
  await workspace.plan('ben', 'run sla-breach-check project=OPS priority=P1');
  const card = await workspace.card('24 open P1 tickets in OPS');
  const stranger = new pg.Client({ connectionString: workspace.env.DATABASE_URL });
  await stranger.connect();
  await stranger.query('begin');
  await stranger.query('lock table standing_approvals in exclusive mode');
  await workspace.click('ana', card, 'plan.standing');
  const { id: viewId } = await workspace.modal('ana');
  const values = { days: { v: '7' }, per_day: { v: '3' } };
  await workspace.sandbox.slack.submitView({ as: 'ana', viewId, values });
  await until(async () => (await rows(workspace, approved)).length === 1);
  await dies.kill();
  await stranger.end();
  workspace.bot = await startHere(workspace.sandbox, workspace.env);
  await workspace.reply(card, /Standing approval\s+by.*for the playbook/s);
  await workspace.reply(card, /^Done/);
  expect(workspace.pages()).toHaveLength(1);
  const given = await rows(
    workspace,
    'select yeses, active_at is not null as active from standing_approvals',
  );
  expect(given).toEqual([{ yeses: [workspace.person('ana')], active: true }]);
  expect(await rows(workspace, "select 1 from audit where kind = 'click.refused'")).toEqual([]);
});
