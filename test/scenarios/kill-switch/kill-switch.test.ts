/** Why: when something is badly wrong, an operator stops all writes at once; and what was written too often stops by itself. */

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
async function approved() {
  lastThreshold += 1;
  await workspace.plan('ben', `if OPS has more than ${lastThreshold} open P1 tickets, page ops`);
  const card = await workspace.card(`than ${lastThreshold} open`);
  await workspace.click('ana', card, 'plan.approve');
  return card;
}

test('while writes are stopped the reads are made and nobody is paged, also after a restart', async () => {
  const team = workspace.sandbox.world.team.id;
  expect(await operator('writes', 'stop', team, 'PagerDuty is being moved')).toContain(
    'All writes are stopped.',
  );
  for (const restarted of [false, true]) {
    if (restarted) {
      expect(await workspace.bot.stop()).toBe(0);
      workspace.bot = await workspace.startAnother();
    }
    const card = await approved();
    const final = wordsOf(await workspace.reply(card, /^Partly done|^Failed/));
    expect(final).toMatch(/stopped all writes: PagerDuty is being moved/);
    await workspace.becomes(card, 'finished');
  }
  expect(workspace.pages()).toEqual([]);
  expect(workspace.messages().some((m) => wordsOf(m).includes('Only what the last run left undone'))).toBe(
    false,
  );
  expect(await operator('writes', 'allow', team)).toContain('Writes are allowed again.');
});

test('a service is paged no more often than the cap says, and the thread says so', async () => {
  await workspace.reply(await approved(), /^Done/);
  const final = wordsOf(await workspace.reply(await approved(), /^Partly done|^Failed/));
  expect(final).toMatch(/ops was paged once within the last hour, and the cap is 1/);
  expect(workspace.pages()).toHaveLength(1);
});

test('the operator can verify the log of all this', async () => {
  expect(await operator('audit', 'verify')).toMatch(/ok|whole|\d+ lines/i);
});
