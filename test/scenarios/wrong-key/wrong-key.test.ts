/** Why: a routing key of another service wakes the wrong people, and nothing at the start can know that for sure. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { world } from '../../../sandbox/world.ts';
import { finish } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  const { services } = world.pagerduty;
  const ofPayments = services.find(({ id }) => id === 'PSPAY01')?.integrationKey ?? '';
  const keys = { PD_ROUTING_KEY_CHECKOUT: ofPayments, PD_ROUTING_KEY_PAYMENTS_API: 'f'.repeat(32) };
  workspace = await Workspace.start({ env: keys });
});
afterAll(() => finish(workspace));

test('a page that reached another service says whom it woke, before all else', async () => {
  await workspace.plan('ben', 'page checkout: basket broken');
  const card = await workspace.card('basket broken');
  await workspace.click('ana', card, 'plan.approve');
  const final = wordsOf(await workspace.reply(card, /^The wrong people were paged:/));
  expect(final).toMatch(/#\d+\s+was opened on payments-api, .*the on-call of checkout was not paged/);
  const shown = await workspace.becomes(card, 'The wrong people were paged');
  expect(shown.text).toMatch(/^The wrong people were paged: /);
  const [page] = workspace.pages();
  expect(page?.service).toBe('PSPAY01');
  // It can be taken back from the thread: the incident is known.
  workspace.resolvePages();
  await workspace.becomes(card, /[Rr]esolved/);
});
