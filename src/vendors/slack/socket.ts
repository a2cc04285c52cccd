import { SocketModeReceiver } from '@slack/bolt';
import type { VendorError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { slackError } from './api-errors.ts';
import { boltLogger } from './bolt-log.ts';

/** Slack's answers after which trying again is pointless: the token is wrong. */
const hopeless = new Set([
  'slack_invalid_auth',
  'slack_not_authed',
  'slack_account_inactive',
  'slack_token_revoked',
  'slack_not_allowed_token_type',
  'slack_missing_scope',
]);
const longestPauseMs = 30_000;

export interface SocketLink {
  readonly receiver: SocketModeReceiver;
  /**
   * Connects, and keeps connected until `close`. Throws a VendorError when Slack does not accept the token; when
   * Slack cannot be reached it goes on trying and resolves.
   */
  open(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Socket Mode with its own reconnecting. The library's gives up with an unhandled rejection when Slack is away while
 * it reconnects, which would end the process.
 */
export function createSocketLink(options: {
  readonly appToken: string;
  readonly apiUrl: string;
  readonly fetch: typeof globalThis.fetch;
  readonly log: Log;
  /** Milliseconds to the first new attempt; doubles up to 30 s. */
  readonly firstPauseMs?: number;
}): SocketLink {
  const receiver = new SocketModeReceiver({
    appToken: options.appToken,
    autoReconnectEnabled: false,
    logger: boltLogger(options.log),
    installerOptions: {
      clientOptions: {
        slackApiUrl: options.apiUrl,
        fetch: options.fetch,
        retryConfig: { retries: 0 },
        rejectRateLimitedCalls: true,
        timeout: 10_000,
      },
    },
  });
  const { client } = receiver;
  const first = options.firstPauseMs ?? 500;
  let failures = 0;
  let connecting = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  async function connect(): Promise<VendorError | null> {
    connecting = true;
    try {
      await client.start();
      if (failures > 0) options.log.info({ attempts: failures }, 'Connected to Slack again');
      failures = 0;
      return null;
    } catch (error) {
      failures += 1;
      const refused = slackError(error, 'apps.connections.open');
      options.log.warn({ code: refused.code, attempts: failures }, 'Slack is not connected');
      return refused;
    } finally {
      connecting = false;
    }
  }

  function again(): void {
    if (closed || connecting || timer) return;
    const wait = Math.min(longestPauseMs, first * 2 ** Math.min(failures, 10));
    timer = setTimeout(async () => {
      timer = undefined;
      if (!closed && (await connect()) !== null) again();
    }, wait);
  }

  client.on('disconnected', again);
  return {
    receiver,
    async open() {
      const refused = await connect();
      if (refused && hopeless.has(refused.code)) {
        closed = true;
        throw refused;
      }
      if (refused) again();
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      if (client.listenerCount('disconnected') > 0) client.off('disconnected', again);
      await Promise.race([client.disconnect(), new Promise((resolve) => setTimeout(resolve, 1_000).unref())]);
    },
  };
}
