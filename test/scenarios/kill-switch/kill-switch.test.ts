/** Why: in an emergency an operator stops all writes at once, and a cap stops a service from being paged too often. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { cli } from '../../support/cli.ts';
import { configWith, finish } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start({ config: configWith({ caps: { pages_per_hour: 1 } }) });
});
afterAll(() => finish(workspace));

async function operator(...args: string[]): Promise<string> {
  return (await cli(args, { env: { ...workspace.sandbox.env, ...workspace.env } })).out;
}

let lastThreshold = 0;
async function proposed() {
  lastThreshold += 1;
  await workspace.plan('ben', `if OPS has more than ${lastThreshold} open P1 tickets, page ops`);
  return workspace.card(`than ${lastThreshold} open`);
}

async function approved() {
  const card = await proposed();
  await workspace.click('ana', card, 'plan.approve');
  return card;
}

const team = () => workspace.sandbox.world.team.id;

test('stopping writes lets a run finish its reads but not page, and offers no retry card', async () => {
  const { faults, journal } = workspace.sandbox;
  const card = await proposed();
  const before = journal.list({ path: '/oncalls' }).length;
  faults.add({ vendor: 'pagerduty-rest', match: { path: '/oncalls' }, kind: 'delay' });
  await workspace.click('ana', card, 'plan.approve');
  await workspace.until(() => journal.list({ path: '/oncalls' }).length > before, 'the last check');
  expect(await operator('writes', 'stop', team(), 'PagerDuty is being moved')).toContain(
    'All writes are stopped.',
  );
  faults.clear();
  const final = wordsOf(await workspace.reply(card, /^Nobody was paged: /));
  expect(final).toMatch(/stopped all writes: PagerDuty is being moved/);
  await workspace.becomes(card, 'finished');
  expect(workspace.pages()).toEqual([]);
  expect(workspace.messages().some((m) => wordsOf(m).startsWith('What is left of'))).toBe(false);
});

test('while writes are stopped approvals are refused, the card stays open, and dry runs work', async () => {
  const card = await proposed();
  expect(wordsOf(card)).toMatch(/All writes are stopped.*PagerDuty is being moved.*\/plan resume/s);
  for (const restarted of [false, true]) {
    if (restarted) {
      expect(await workspace.bot.stop()).toBe(0);
      workspace.bot = await workspace.startAnother();
    }
    await workspace.click(restarted ? 'ana' : 'chiara', card, 'plan.approve');
    const said = wordsOf(await workspace.whisper(restarted ? 'ana' : 'chiara', 'All writes are stopped'));
    expect(said).toMatch(/by\s+operator \S+\s+\(PagerDuty is being moved\)/);
    expect(said).toMatch(/Nothing was approved; the card still works after\s+\/plan resume/);
  }
  await workspace.click('ben', card, 'plan.dry_run');
  await workspace.reply(card, /^Dry run/);
  expect(workspace.pages()).toEqual([]);
  expect(await operator('writes', 'allow', team())).toContain('Writes are allowed again.');
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  expect(workspace.pages()).toHaveLength(1);
});

test('a service is paged no more often than its cap, and the thread says so', async () => {
  const final = wordsOf(await workspace.reply(await approved(), /^Nobody was paged: /));
  expect(final).toMatch(/ops was paged once within the last hour, and the cap is 1/);
  expect(workspace.pages()).toHaveLength(1);
});

test('the operator can verify the audit log of all this', async () => {
  expect(await operator('audit', 'verify')).toMatch(/ok|whole|\d+ lines/i);
});
