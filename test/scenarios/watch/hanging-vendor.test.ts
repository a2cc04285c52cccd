/** Why: a vendor that never answers holds up the watches that read it, and no others. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configWith, finish, rows, until } from '../../support/scenario.ts';
import { Workspace } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start({ config: configWith({ watches: { per_person: 50 } }) });
});
afterAll(() => finish(workspace));

test('a hanging Jira delays no watch of PagerDuty, whatever the number of watches that wait for it', async () => {
  // Their first checks are due at once.
  workspace.sandbox.faults.add({ vendor: 'jira', kind: 'delay' });
  const many = Array.from({ length: 12 }, (_, index) => 100 + index);
  for (const most of many) {
    await workspace.plan(
      'ben',
      `watch: every 10m; count = jira.count project=OPS; when count.total > ${most}: slack.post channel=#ops text="many"`,
    );
  }
  await workspace.plan(
    'ben',
    'watch: every 10m; open = pagerduty.incidents service=checkout; when open.total > 50: slack.post channel=#ops text="many"',
  );
  const looked = (what: string) =>
    rows(workspace, `select id from watches where looked_at is not null and plan::text like '%${what}%'`);
  await until(async () => (await looked('pagerduty.incidents')).length === 1);
  expect(await looked('jira.count')).toEqual([]);
  workspace.sandbox.faults.clear();
  await until(async () => (await looked('jira.count')).length === many.length);
});
