import { type App, defaultProcessEventErrorHandler, SocketModeReceiver } from '@slack/bolt';
import type { Dispatcher } from 'undici';
import { describeError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { boltLogger } from './bolt-log.ts';
import { isFields } from './known-payloads.ts';

/** Slack says hello within a second; a server that accepts and then stays silent does not count as connected. */
const defaultHelloTimeoutMs = 10_000;
const closeTimeoutMs = 1_000;

export interface ConnectionOptions {
  readonly appToken: string;
  readonly apiUrl: string;
  readonly fetch: typeof globalThis.fetch;
  readonly dispatcher?: Dispatcher | undefined;
  readonly log: Log;
  readonly app: App;
  /** Slack is about to close it and wants a new one. */
  readonly onRefresh: (reason: string) => void;
  readonly onLost: () => void;
  readonly helloTimeoutMs?: number;
}

export interface Connection {
  close(): Promise<void>;
}

/** One Socket Mode connection. Resolves after Slack's hello; rejects with what the library threw. */
export async function connect(options: ConnectionOptions): Promise<Connection> {
  const receiver = new SocketModeReceiver({
    appToken: options.appToken,
    ...(options.dispatcher === undefined ? {} : { dispatcher: options.dispatcher }),
    autoReconnectEnabled: false,
    logger: boltLogger(options.log),
    // The error is already in the log.
    processEventErrorHandler: (failed) =>
      defaultProcessEventErrorHandler({ ...failed, logger: boltLogger(options.log, 'info') }),
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
  receiver.init(options.app);
  const { client } = receiver;
  guardMessages(client, options);
  const close = () => within(closeTimeoutMs, client.disconnect());
  if ((await within(options.helloTimeoutMs ?? defaultHelloTimeoutMs, client.start())) === 'late') {
    await close();
    throw new Error('Slack accepted the connection but never said hello');
  }
  client.on('disconnected', options.onLost);
  return {
    async close() {
      client.off('disconnected', options.onLost);
      await close();
    },
  };
}

/**
 * Sits between the socket and the library, which closes on a `disconnect` before there is another connection, and
 * throws out of its message handler, ending the process, when an event has no body.
 */
function guardMessages(client: SocketModeReceiver['client'], { log, onRefresh }: ConnectionOptions): void {
  const handlers = client.listeners('ws_message');
  client.removeAllListeners('ws_message');
  client.on('ws_message', async (data: unknown) => {
    const message = readMessage(data);
    if (message === null) return log.warn({}, 'Unreadable Socket Mode message');
    if (message.type === 'disconnect') return onRefresh(String(message.reason));
    // The library acts on an event's type before passing it on; Bolt only reads the payload.
    const safe = message.type === 'hello' ? message : { ...message, type: 'envelope' };
    try {
      for (const handle of handlers) await handle(JSON.stringify(safe), false);
    } catch (error) {
      log.error(describeError(error), 'Socket Mode message failed');
    }
  });
}

function readMessage(data: unknown): Readonly<Record<string, unknown>> | null {
  if (typeof data !== 'string') return null;
  try {
    const message: unknown = JSON.parse(data);
    return isFields(message) ? message : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

async function within(ms: number, work: Promise<unknown>): Promise<'done' | 'late'> {
  const late = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => late.resolve('late'), ms);
  try {
    return await Promise.race([work.then(() => 'done' as const), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
