/** Why: a changed countersign.yml is taken over without a restart by every process, or refused while the old one goes on. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bot, type BotProcess, startHere } from '../../support/bot.ts';
import { cli } from '../../support/cli.ts';
import { breach, configWith, finish } from '../../support/scenario.ts';
import { Workspace } from '../../support/workspace.ts';

let workspace: Workspace;
let first: BotProcess;
let second: Bot | undefined;
beforeAll(async () => {
  const spawned = await Workspace.spawn({ config: configWith({}) });
  [workspace, first] = [spawned, spawned.bot];
});
afterAll(async () => {
  await second?.stop();
  await finish(workspace, /countersign\.yml is refused/);
});

const save = (text: string) => writeFile(workspace.env.COUNTERSIGN_CONFIG ?? '', text);
async function team(text: string): Promise<void> {
  const folder = join(dirname(workspace.env.COUNTERSIGN_CONFIG ?? ''), 'teams');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'new.yml'), text);
}
const said = (bot: Bot, line: string, times = 1) =>
  workspace.until(() => bot.log().split(line).length > times, line);
const taken = 'The changed settings are taken over';

test('SIGHUP takes over a new channel, and an open card stays valid', async () => {
  await workspace.plan('ben', breach);
  const card = await workspace.card(breach);
  await team('channels: { new: { id: C0SUPPORT } }');
  await save(configWith({ include: ['teams/*.yml'] }));
  first.process.kill('SIGHUP');
  await said(first, taken);
  await workspace.plan('ben', 'slack.post channel=#new text="Hello"');
  await workspace.card('Post to #new');
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
});

test('a changed file that countersign.yml includes is taken over as well', async () => {
  await team('channels: { newer: { id: C0SUPPORT } }');
  await said(first, taken, 2);
  await workspace.plan('ben', 'slack.post channel=#newer text="Hello"');
  await workspace.card('Post to #newer');
});

test('a file with a mistake is refused with its line, and the old settings go on', async () => {
  await save(`${configWith({ include: ['teams/*.yml'] })}\nservices_typo: {}\n`);
  first.process.kill('SIGHUP');
  await said(first, 'A changed countersign.yml is refused');
  expect(first.log()).toMatch(/unknown setting services_typo/);
  const env = { ...workspace.sandbox.env, ...workspace.env };
  const { out, code } = await cli(['doctor'], { env });
  expect(code).toBe(1);
  expect(out).toMatch(/wrong +settings .*unknown setting services_typo/);
  expect(out).toMatch(/running: 1 × all .*go on with the settings that they have/);
  await workspace.plan('ben', 'slack.post channel=#newer text="Still here"');
  await workspace.card('Still here');
});

test('a changed file is noticed by every process; a run under way ends as it began', async () => {
  await save(configWith({}));
  second = await startHere(workspace.sandbox, workspace.env);
  await said(first, taken, 3);
  workspace.sandbox.faults.add({ vendor: 'pagerduty-events', kind: 'delay' });
  await workspace.plan('ben', 'pagerduty.page service=payments-api text="Please look"');
  const card = await workspace.card('Page the on-call of payments-api');
  await workspace.plan('ben', 'pagerduty.page service=checkout text="Please look"');
  const other = await workspace.card('Page the on-call of checkout');
  await workspace.click('chiara', card, 'plan.approve');
  const events = () => workspace.sandbox.journal.list({ vendor: 'pagerduty-events' }).length;
  await workspace.until(() => events() === 2, 'the attempt that waits');
  await save(configWith({ rules: [{ tools: ['pagerduty.page'], deny: 'frozen' }] }));
  await said(first, taken, 4);
  await said(second, taken);
  workspace.sandbox.faults.clear();
  await workspace.click('chiara', other, 'plan.approve');
  await workspace.whisper('chiara', 'Changed since this card was made: who may approve it.');
  await workspace.reply(card, /^Done/, 30_000);
});
