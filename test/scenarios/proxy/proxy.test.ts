/** Why: in many companies nothing leaves but through a proxy, behind certificates of their own. */
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sandbox } from '../../../sandbox/start.ts';
import type { BotProcess } from '../../support/bot.ts';
import { cliProcess } from '../../support/cli.ts';
import { type CorporateNetwork, startCorporateNetwork } from '../../support/corporate-network.ts';
import { finish, until } from '../../support/scenario.ts';
import { Workspace } from '../../support/workspace.ts';

let network: CorporateNetwork;
let workspace: Workspace<BotProcess>;

/** Settings of a bot that can reach nothing by itself. */
async function inside({ env }: Sandbox): Promise<Readonly<Record<string, string>>> {
  const slackUrl = new URL(env.SLACK_API_URL ?? '');
  network = await startCorporateNetwork({
    'slack.acme.test': slackUrl.origin,
    'jira.acme.test': env.JIRA_HOST ?? '',
    'pagerduty.acme.test': env.PAGERDUTY_API_URL ?? '',
    'events.acme.test': `https://${env.PAGERDUTY_EVENTS_HOST}`,
  });
  const authorities = join(tmpdir(), 'authorities.pem');
  const files = [network.caPath, env.NODE_EXTRA_CA_CERTS ?? ''];
  writeFileSync(authorities, files.map((file) => readFileSync(file, 'utf8')).join('\n'));
  return {
    SLACK_API_URL: `https://slack.acme.test${slackUrl.pathname}`,
    JIRA_HOST: 'https://jira.acme.test',
    PAGERDUTY_API_URL: 'https://pagerduty.acme.test',
    PAGERDUTY_EVENTS_HOST: 'events.acme.test',
    NODE_EXTRA_CA_CERTS: authorities,
    https_proxy: network.proxyUrl,
  };
}

beforeAll(async () => {
  workspace = await Workspace.spawn({ envFor: inside });
});
afterAll(async () => {
  await finish(workspace);
  await network.close();
});

test('a plan that came by Socket Mode is approved and pages, all through the proxy', async () => {
  const text = 'the disk is full';
  await workspace.plan('ben', `pagerduty.page service=ops text="${text}"`);
  const card = await workspace.card(text);
  await workspace.click('ana', card, 'plan.approve');
  await until(async () =>
    workspace.sandbox.pagerduty.store.incidents().some(({ title }) => title.includes(text)),
  );
  const reached = new Set(network.tunnels.map((target) => target.split(':')[0]));
  expect(reached).toEqual(
    new Set(['slack.acme.test', 'jira.acme.test', 'pagerduty.acme.test', 'events.acme.test']),
  );
  expect(workspace.bot.log()).toContain('Everything leaves through a proxy');
});

test('doctor names the proxy and reaches every system through it', async () => {
  const { text } = await cliProcess(['doctor'], { env: { ...workspace.sandbox.env, ...workspace.env } });
  expect(text).toMatch(/^ok +proxy +what leaves by HTTP goes through 127\.0\.0\.1:\d+/m);
  expect(text).toMatch(/events\.acme\.test(:\d+)? answers/);
  expect(text).not.toMatch(/slack.*(wrong|cannot be reached)/i);
});
