/** Why: when Slack holds events back, people must not think that the bot ignores them; and the bot must keep working. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finish } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterAll(() => finish(workspace, /Slack held events back/));

test('the default channel is told once about possibly missed messages, and the bot keeps working', async () => {
  const { slack } = workspace.sandbox;
  const minute = Math.floor(Date.UTC(2026, 2, 2, 12, 5) / 1_000);
  for (const later of [0, 60, 120]) {
    const payload = { type: 'app_rate_limited', minute_rate_limited: minute + later };
    expect(await slack.deliver({ type: 'events_api', payload })).toMatchObject({ acknowledged: true });
  }
  await workspace.card('I may have missed messages.');
  await workspace.plan('ben', 'help');
  await workspace.whisper('ben', 'Type /plan');
  const told = workspace.messages().filter((message) => wordsOf(message).includes('missed messages'));
  expect(told).toHaveLength(1);
});
