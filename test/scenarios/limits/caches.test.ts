/** Why: what was read a moment ago may answer the next question as far as the operator allows, and never a write. */
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { alertmanager, alertsConfig, alertsToken, deliver } from '../../support/alerts.ts';
import { freePort } from '../../support/port.ts';
import { breach, finish } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

const shop = { service: { label: 'service' }, priority: 'P1', reads: { playbook: 'alert-evidence' } };
const rules = ['ops', 'general'].map((channel) => ({ ...shop, name: channel, match: { channel }, channel }));
const config = (caches: object) => alertsConfig(rules, { caches });

let workspace: Workspace;
beforeAll(async () => {
  const longest = { people: 3_600, channels: 3_600, alert_reads: 300, plans: 86_400 };
  workspace = await Workspace.start({
    config: config(longest),
    env: { PORT: String(await freePort()), ALERTS_TOKEN: alertsToken },
  });
});
afterAll(() => finish(workspace));

/** The requests to Jira for two problems of one service that begin together. */
async function askedForTwoProblems(alertname: string, service: string): Promise<string[]> {
  const after = workspace.sandbox.journal.list().at(-1)?.id ?? 0;
  const of = (channel: string) => ({ labels: { alertname, service, channel } });
  await deliver(workspace, alertmanager([of('ops'), of('general')]));
  for (const channel of ['ops', 'general'])
    await workspace.becomes(await workspace.card(alertname, channel), new RegExp(`on call for ${service}`));
  return workspace.sandbox.journal
    .list({ after })
    .flatMap(({ vendor, path, body }) => (vendor === 'jira' ? [JSON.stringify([path, body])] : []));
}

test('facts are read again before a write, however long answers may be used again', async () => {
  await workspace.plan('ben', breach);
  const card = await workspace.card(breach);
  workspace.sandbox.jira.store.bulkClose('OPS', 'P1', 18);
  await workspace.click('ana', card, 'plan.approve');
  expect(wordsOf(await workspace.reply(card, /^Done/))).toMatch(/nobody was paged.*18 > 20 now/);
  expect(workspace.pages()).toEqual([]);
});

test('problems that begin together read the same evidence once, or each of them where nothing may be used again', async () => {
  const shared = await askedForTwoProblems('SlowCalls', 'payments-api');
  expect(shared.length).toBeGreaterThan(0);
  expect(shared).toEqual([...new Set(shared)]);
  await writeFile(workspace.env.COUNTERSIGN_CONFIG ?? '', config({ alert_reads: 0 }));
  await workspace.until(
    () => workspace.bot.log().includes('The changed settings are taken over'),
    'the reload',
  );
  const each = await askedForTwoProblems('FullQueue', 'checkout');
  expect(each.length).toBeGreaterThan(0);
  expect(each).toHaveLength(2 * new Set(each).size);
});
