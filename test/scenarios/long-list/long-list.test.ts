/** Why: the more tickets there are, the more a page matters: too long a list is visibly cut and never blocks it. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { finish } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
  const { jira } = workspace.sandbox;
  const summary = 'Checkout answers slowly and then not at all for customers of all regions 🔥';
  for (let count = 0; count < 20; count += 1) {
    jira.store.create({
      project: 'OPS',
      priority: 'P1',
      reporter: jira.store.bot,
      summary: `${count} ${summary}`,
    });
  }
});
afterEach(() => workspace.resolvePages());
afterAll(() => finish(workspace));

test('a page and a post with a long list of tickets go out with as much of it as fits', async () => {
  const list = 'tickets = jira.search project=OPS priority=P1 status=open';
  await workspace.plan('ben', `${list}; pagerduty.page service=ops text="{tickets.lines}"`);
  const paging = await workspace.card('pagerduty.page service=ops');
  await workspace.click('ana', paging, 'plan.approve');
  await workspace.reply(paging, /^Done/);
  const [page] = workspace.pages();
  expect(JSON.stringify(page)).toContain('… (cut)');
  const note = 'its text was longer than 1,000 characters, so the end was cut off';
  expect(wordsOf(await workspace.reply(paging, note))).toContain('was paged');

  await workspace.plan('eva', `${list} limit=50; slack.post channel=#incidents text="{tickets.lines}"`);
  const posting = await workspace.card('slack.post channel=#incidents');
  await workspace.click('ben', posting, 'plan.approve');
  await workspace.reply(posting, /^Done/);
  expect(wordsOf(await workspace.card('OPS-', 'incidents'))).toContain('… (cut)');
});

test('a condition on the number of tickets counts all of them, not only the listed ones', async () => {
  await workspace.plan('ben', 'list open P1 tickets in OPS and if there are more than 30 page ops');
  const card = await workspace.card('more than 30');
  const before = workspace.pages().length;
  await workspace.click('ana', card, 'plan.approve');
  expect(wordsOf(await workspace.reply(card, /^Done/))).toMatch(/20 of 4\d open P1 tickets in OPS/);
  expect(workspace.pages()).toHaveLength(before + 1);
});
