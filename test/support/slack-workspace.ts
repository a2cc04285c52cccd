import { Faults } from '../../sandbox/faults.ts';
import { Journal } from '../../sandbox/journal.ts';
import { type SlackOptions, type SlackSandbox, startSlack } from '../../sandbox/slack/slack-sandbox.ts';
import { world } from '../../sandbox/world.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { Log } from '../../src/core/log.ts';
import {
  createSlackGateway,
  type GatewayOptions,
  type SlackGateway,
} from '../../src/vendors/slack/gateway.ts';

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly facts: JsonObject;
}

export interface TestWorkspace {
  readonly slack: SlackSandbox;
  readonly gateway: SlackGateway;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly log: Log & { readonly lines: LogLine[] };
  /** Messages of the bot in a channel, oldest first, as everybody or one person sees them. */
  botMessages(channel: string, as?: string): SlackMessage[];
  close(): Promise<void>;
}

export type SlackMessage = ReturnType<SlackSandbox['state']>['channels'][number]['messages'][number];

/** A log that keeps its lines. */
export function keepingLog(): Log & { readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const at = (level: LogLine['level']) => (facts: JsonObject, message: string) => {
    lines.push({ level, message, facts });
  };
  return { lines, info: at('info'), warn: at('warn'), error: at('error') };
}

/** A local Slack with our gateway on it. */
export async function startWorkspace(
  options: Partial<SlackOptions> & Pick<Partial<GatewayOptions>, 'timeoutMs' | 'keepMs'> = {},
): Promise<TestWorkspace> {
  const { timeoutMs, keepMs, ...more } = options;
  const now = more.now ?? (() => new Date());
  const faults = new Faults();
  const journal = new Journal(now);
  const log = keepingLog();
  const slack = await startSlack({ world, faults, journal, now, ...more });
  const gateway = createSlackGateway({
    token: world.slack.botToken,
    apiUrl: slack.apiUrl,
    fetch,
    log,
    now,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(keepMs && { keepMs }),
  });
  return {
    slack,
    gateway,
    faults,
    journal,
    log,
    botMessages(channel, as) {
      return slack.messages(channel, as).filter((message) => message.user === world.bot.userId);
    },
    close: () => slack.close(),
  };
}

/** Waits until `probe` gives something, looking again whenever the event loop is free. */
export async function until<T>(probe: () => T | undefined | false | null): Promise<T> {
  for (let turn = 0; turn < 5_000; turn += 1) {
    const found = probe();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  throw new Error('what was waited for did not happen');
}
