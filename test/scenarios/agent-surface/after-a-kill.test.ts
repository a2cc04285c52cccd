/** Why: a process that dies leaves "is reading Jira…" in Slack, and nobody knows that it is not. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHere } from '../../support/bot.ts';
import { finish } from '../../support/scenario.ts';
import { Workspace } from '../../support/workspace.ts';

let workspace: Workspace;
let channel: string;
beforeAll(async () => {
  const spawned = await Workspace.spawnHttp();
  workspace = spawned;
  channel = `D${workspace.person('ben').slice(1)}`;
  const { faults, slack } = workspace.sandbox;
  faults.add({ vendor: 'jira', kind: 'delay' });
  await slack.openHome({ as: 'ben' });
  await slack.postAs({ as: 'ben', channel, text: 'jira.count project=PAY priority=P1 status=open' });
  const isShown = () => slack.state().agentThreads.some(({ status }) => status === 'is reading Jira…');
  await workspace.until(isShown, 'what it reads');
  await spawned.bot.kill();
  faults.clear();
  workspace.bot = await startHere(workspace.sandbox, workspace.env);
});
afterAll(() => finish(workspace));

test('the process that takes over the reads ends what the dead one was shown to be doing', async () => {
  const answers = () => workspace.messages(channel).filter((one) => one.isBot && one.threadTs !== undefined);
  await workspace.until(() => answers().length === 1, 'the answer');
  const shown = () => workspace.sandbox.slack.state().agentThreads;
  await workspace.until(() => shown()[0]?.session === 'active', 'the end');
  expect(shown()).toMatchObject([{ status: '', session: 'active' }]);
});
