import { App } from '@slack/bolt';
import { LogLevel, WebClient } from '@slack/web-api';
import { onTestFinished } from 'vitest';
import { Faults } from '../../sandbox/faults.ts';
import { Journal } from '../../sandbox/journal.ts';
import { defaultApp } from '../../sandbox/slack/default-app.ts';
import { type SlackOptions, type SlackSandbox, startSlack } from '../../sandbox/slack/slack-sandbox.ts';
import type { MessageSnapshot } from '../../sandbox/slack/snapshot.ts';
import { world } from '../../sandbox/world.ts';

export interface Started {
  readonly slack: SlackSandbox;
  readonly faults: Faults;
  readonly journal: Journal;
  /** With the bot token. */
  readonly client: WebClient;
  /** Moves the workspace's clock. */
  readonly advance: (ms: number) => void;
}

/** A local Slack with its own clock, closed when the test ends. */
export async function startWorkspace(options: Partial<SlackOptions> = {}): Promise<Started> {
  let skippedMs = 0;
  const now = () => new Date(Date.now() + skippedMs);
  const faults = new Faults();
  const journal = new Journal(now);
  const slack = await startSlack({ world, faults, journal, now, app: defaultApp, ...options });
  onTestFinished(() => slack.close());
  return {
    slack,
    faults,
    journal,
    client: clientOf(slack, world.slack.botToken),
    advance: (ms) => {
      skippedMs += ms;
    },
  };
}

/** The real Bolt on Socket Mode; the test adds its listeners and starts it. */
export function boltApp(slack: SlackSandbox): App {
  const app = new App({
    token: world.slack.botToken,
    appToken: world.slack.appToken,
    socketMode: true,
    logLevel: LogLevel.ERROR,
    clientOptions: { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } },
  });
  onTestFinished(async () => {
    await app.stop();
  });
  return app;
}

export function clientOf(slack: SlackSandbox, token: string): WebClient {
  return new WebClient(token, {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    logLevel: LogLevel.ERROR,
  });
}

/** Calls a method as any HTTP client would, so that Slack's answer is seen as it is. */
export async function callApi(
  slack: SlackSandbox,
  method: string,
  args: Record<string, unknown>,
  token: string | null = world.slack.botToken,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${slack.apiUrl}${method}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(args),
  });
  return response.json();
}

export function messagesIn(slack: SlackSandbox, channel: string, as?: string): readonly MessageSnapshot[] {
  return slack.messages(channel, as);
}
