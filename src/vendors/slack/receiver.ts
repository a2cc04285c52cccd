import { setTimeout as pause } from 'node:timers/promises';
import { HTTPModuleFunctions, HTTPReceiver, type Receiver } from '@slack/bolt';
import type { Dispatcher } from 'undici';
import { describeError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { createDoor, type Route } from '../http/door.ts';
import { boltLogger } from './bolt-log.ts';
import { GuardedApp } from './guarded-app.ts';
import { slackRoute } from './http-door.ts';
import { type Installations, type Listening, listen } from './listeners.ts';
import { createResponder } from './respond.ts';
import { createSocketLink } from './socket.ts';

export type EdgeMode =
  | { readonly kind: 'socket'; readonly appToken: string }
  | {
      readonly kind: 'http';
      readonly signingSecret: string;
      readonly port: number;
      readonly host?: string;
      /** Other vendors' routes on the same port. */
      readonly routes?: readonly Route[];
    };

export interface EdgeOptions {
  readonly mode: EdgeMode;
  readonly apiUrl: string;
  readonly installations: Installations;
  readonly log: Log;
  readonly fetch: typeof globalThis.fetch;
  /** The way to Slack's WebSocket where that is not a direct one. */
  readonly dispatcher?: Dispatcher | undefined;
  readonly now: () => Date;
  /** Called with the seconds from an arrival to its acknowledgement. */
  readonly acknowledged?: (seconds: number) => void;
}

export interface SlackEdge {
  /** Starts receiving from Slack. Resolves with the port in HTTP mode, else null. */
  start(): Promise<number | null>;
  /** Whether Slack can currently reach us, as far as we know. */
  isConnected(): boolean;
  /** Accepts nothing more, and waits for work in progress. */
  stop(): Promise<void>;
}

const respondMs = 5_000;
/** How long Slack waits for an acknowledgement. */
const ackMs = 3_000;

/** The entrance for Slack: Socket Mode or signed HTTP. Everything is acknowledged at once and processed afterwards. */
export function createSlackEdge(options: EdgeOptions): SlackEdge {
  const { mode } = options;
  return mode.kind === 'socket' ? socketEdge(options, mode.appToken) : httpEdge(options, mode);
}

function socketEdge(options: EdgeOptions, appToken: string): SlackEdge {
  const { apiUrl, fetch, dispatcher, log } = options;
  const link = createSocketLink({ appToken, apiUrl, fetch, dispatcher, log });
  const app = boltApp(options, link.receiver);
  const work = listen(app, listening(options));
  return {
    async start() {
      await link.open();
      return null;
    },
    isConnected: () => link.isConnected(),
    async stop() {
      // Nothing can be acknowledged over a closing connection.
      await Promise.race([app.quiet(), pause(ackMs, undefined, { ref: false })]);
      await link.close();
      await work.idle();
    },
  };
}

function httpEdge(options: EdgeOptions, mode: Extract<EdgeMode, { kind: 'http' }>): SlackEdge {
  // The HTTP server has checked the signature over the raw bytes; Bolt would check again over decoded text.
  const receiver = new HTTPReceiver({
    signingSecret: mode.signingSecret,
    signatureVerification: false,
    logger: boltLogger(options.log),
    // The error is already in the log.
    processEventErrorHandler: (failed) =>
      HTTPModuleFunctions.defaultProcessEventErrorHandler({
        ...failed,
        logger: boltLogger(options.log, 'info'),
      }),
  });
  const work = listen(boltApp(options, receiver), listening(options));
  const { log, now } = options;
  const { signingSecret, port, host, routes = [] } = mode;
  const enter: Parameters<typeof slackRoute>[0]['enter'] = (request, response) =>
    receiver.requestListener(request, response);
  const slack = slackRoute({ signingSecret, now, log, enter });
  const door = createDoor({ port, ...(host === undefined ? {} : { host }), routes: [slack, ...routes], log });
  return {
    start: () => door.open(),
    // Slack calls us: an open port is all we can know.
    isConnected: () => true,
    async stop() {
      await door.close();
      await work.idle();
    },
  };
}

function listening({ installations, apiUrl, fetch, log }: EdgeOptions): Listening {
  return { installations, log, respond: createResponder({ apiUrl, fetch, timeoutMs: respondMs }) };
}

function boltApp(options: EdgeOptions, receiver: Receiver): GuardedApp {
  const { log, installations } = options;
  const onRateLimit = (minute: Date, body: unknown): void => {
    installations
      .of(body)
      .then((found) => (typeof found === 'string' ? undefined : found.handlers.missed(minute)))
      .catch((error: unknown) => log.error(describeError(error), 'Missed events were not announced'));
  };
  const boltOptions = {
    receiver,
    logger: boltLogger(options.log),
    convoStore: false as const,
    extendedErrorHandler: true,
    // No Web API call may delay an acknowledgement; `read-events` drops our own messages. Each installation has its own
    // client, so Bolt needs no token.
    authorize: async () => ({}),
    ignoreSelf: false,
    clientOptions: { slackApiUrl: options.apiUrl, fetch: options.fetch, retryConfig: { retries: 0 } },
  };
  const { acknowledged = () => undefined } = options;
  return new GuardedApp(boltOptions, { log, onRateLimit, acknowledged });
}
