import { controlApp } from './control.ts';
import { startData } from './data.ts';
import { Faults } from './faults.ts';
import { alert } from './incident.ts';
import { type JiraSandbox, startJira } from './jira/server.ts';
import { Journal } from './journal.ts';
import { type Claim, listen } from './listen.ts';
import { Monitoring } from './monitoring.ts';
import { pageRoutes } from './page/serve.ts';
import { type PagerDutySandbox, startPagerDuty } from './pagerduty/server.ts';
import type { WebhookOptions } from './pagerduty/webhooks.ts';
import { type SlackSandbox, startSlack } from './slack/slack-sandbox.ts';
import { type Now, type World, world } from './world.ts';

export interface SandboxOptions {
  /** Port of the page and the control API; any free one if absent. */
  readonly claim?: Claim;
  /** The transport to the bot; `socket` if absent. */
  readonly slackMode?: 'socket' | 'http';
  /** The bot's address in `http` mode; without a path Bolt's own /slack/events is added. */
  readonly botUrl?: string;
  /** Block types unknown to the workspace; none if absent. */
  readonly unknownBlocks?: readonly string[];
  /** A Postgres that allows creating databases and roles, for the shop's database. */
  readonly databaseServer?: string;
  /** PagerDuty's v3 webhooks; if absent the bot has to poll. */
  readonly webhooks?: WebhookOptions;
  /** The bot's door for alerts; if absent nothing can be fired. */
  readonly alertsUrl?: string;
  /** The errors of checkout go on until its deploy is rolled back; if absent they end at the start. */
  readonly isLive?: boolean;
  readonly now?: Now;
}

export interface Sandbox {
  readonly world: World;
  readonly slack: SlackSandbox;
  readonly jira: JiraSandbox;
  readonly pagerduty: PagerDutySandbox;
  readonly monitoring: Monitoring;
  readonly faults: Faults;
  readonly journal: Journal;
  /** The page, and the control API below /api. Without a trailing slash. */
  readonly controlUrl: string;
  /** The environment for a bot that uses this sandbox; in `http` mode the caller adds PORT. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Starts the local Slack, Jira, PagerDuty and monitoring with their page, all on 127.0.0.1. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const now = options.now ?? (() => new Date());
  const mode = options.slackMode ?? 'socket';
  const faults = new Faults();
  const journal = new Journal(now);
  const shared = { world, faults, journal, now };
  const requestUrl = options.botUrl === undefined ? {} : { requestUrl: requestUrlOf(options.botUrl) };
  const [slack, jira, pagerduty] = await Promise.all([
    startSlack({ ...shared, mode, unknownBlocks: options.unknownBlocks ?? [], ...requestUrl }),
    startJira(shared),
    startPagerDuty({
      ...{ ...shared, past: [alert] },
      ...(options.webhooks === undefined ? {} : { webhooks: options.webhooks }),
    }),
  ]);
  const { tls } = pagerduty;
  const data = await startData({
    ...shared,
    tls,
    databaseServer: options.databaseServer ?? null,
    isLive: options.isLive ?? false,
  });
  const { token } = world.monitoring;
  const door = options.alertsUrl === undefined ? null : { url: options.alertsUrl, token };
  const monitoring = new Monitoring(door, now);
  const stores = { jira: jira.store, pagerduty: pagerduty.store };
  const app = controlApp({ slack, ...stores, monitoring, deploys: data.deploys, faults, journal });
  app.route('/', pageRoutes());
  const closeVendors = () => Promise.all([slack.close(), jira.close(), pagerduty.close(), data.close()]);
  const control = options.claim?.serve(app) ?? (await listen(app));
  return {
    world,
    slack,
    jira,
    pagerduty,
    monitoring,
    faults,
    journal,
    controlUrl: control.url,
    env: {
      ...environment(mode, slack, jira, pagerduty),
      ...data.env,
      ...(door === null ? {} : { ALERTS_TOKEN: token }),
    },
    async close() {
      await Promise.all([control.close(), closeVendors()]);
    },
  };
}

function environment(
  mode: 'socket' | 'http',
  slack: SlackSandbox,
  jira: JiraSandbox,
  pagerduty: PagerDutySandbox,
): Readonly<Record<string, string>> {
  const delivery =
    mode === 'socket'
      ? { SLACK_APP_TOKEN: world.slack.appToken }
      : { SLACK_SIGNING_SECRET: world.slack.signingSecret };
  const keys = world.pagerduty.services.map((service): [string, string] => [
    `PD_ROUTING_KEY_${service.name.toUpperCase().replaceAll('-', '_')}`,
    service.integrationKey,
  ]);
  return {
    SLACK_BOT_TOKEN: world.slack.botToken,
    SLACK_API_URL: slack.apiUrl,
    ...delivery,
    JIRA_HOST: jira.url,
    JIRA_EMAIL: world.jira.email,
    JIRA_API_TOKEN: world.jira.apiToken,
    PAGERDUTY_API_TOKEN: world.pagerduty.apiToken,
    PAGERDUTY_FROM_EMAIL: world.pagerduty.fromEmail,
    PAGERDUTY_API_URL: pagerduty.restUrl,
    PAGERDUTY_EVENTS_HOST: pagerduty.eventsHost,
    ...Object.fromEntries(keys),
    NODE_EXTRA_CA_CERTS: pagerduty.caPath,
  };
}

function requestUrlOf(botUrl: string): string {
  const url = new URL(botUrl);
  if (url.pathname === '/') url.pathname = '/slack/events';
  return url.href;
}
