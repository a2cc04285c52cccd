import type { App, Receiver } from '@slack/bolt';
import type { Dispatcher } from 'undici';
import type { VendorError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { slackError } from './api-errors.ts';
import { type Connection, connect } from './socket-connection.ts';
import { appToken } from './tokens.ts';

/** Slack errors after which retrying is pointless: the token is wrong. */
const hopeless = new Set([
  'slack_invalid_auth',
  'slack_not_authed',
  'slack_account_inactive',
  'slack_token_revoked',
  'slack_token_expired',
  'slack_not_allowed_token_type',
  'slack_missing_scope',
]);
const maxPauseMs = 30_000;
/** How long a replaced connection stays open: events received on it can still be acknowledged there. */
const overlapMs = 3_000;

export interface SocketLink {
  readonly receiver: Receiver;
  /**
   * Connects, and stays connected until `close`. Throws a VendorError when Slack rejects the token; when Slack is
   * unreachable it resolves and keeps retrying.
   */
  open(): Promise<void>;
  isConnected(): boolean;
  close(): Promise<void>;
}

interface LinkOptions {
  readonly appToken: string;
  readonly apiUrl: string;
  readonly fetch: typeof globalThis.fetch;
  /** The way to Slack's WebSocket where that is not a direct one. */
  readonly dispatcher?: Dispatcher | undefined;
  readonly log: Log;
  /** Milliseconds before the first reconnect; doubles up to 30 s. */
  readonly firstPauseMs?: number;
  /** Milliseconds from connecting to Slack's hello. */
  readonly helloTimeoutMs?: number;
}

/** Socket Mode without a gap: when Slack renews a connection, the next one is up before the old one is closed. */
export function createSocketLink(options: LinkOptions): SocketLink {
  const link = new Link(options);
  return {
    receiver: { init: (app) => link.init(app), start: () => link.open(), stop: () => link.close() },
    open: () => link.open(),
    isConnected: () => link.isConnected(),
    close: () => link.close(),
  };
}

class Link {
  readonly #options: LinkOptions;
  readonly #retired = new Map<Connection, NodeJS.Timeout>();
  #app: App | undefined;
  #current: Connection | null = null;
  #connecting = false;
  #closed = false;
  #failures = 0;
  #connectedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  init(app: App): void {
    this.#app = app;
  }

  async open(): Promise<void> {
    const refused = await this.#connect();
    if (refused && hopeless.has(refused.code)) {
      this.#closed = true;
      throw refused;
    }
    if (refused) this.#again();
  }

  isConnected(): boolean {
    return this.#current !== null;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    const open = [...this.#retired.keys(), ...(this.#current ? [this.#current] : [])];
    for (const timer of this.#retired.values()) clearTimeout(timer);
    this.#retired.clear();
    this.#current = null;
    await Promise.all(open.map((connection) => connection.close()));
  }

  async #connect(): Promise<VendorError | null> {
    const { log } = this.#options;
    this.#connecting = true;
    try {
      await this.#replace();
      if (this.#failures > 0) log.info({ attempts: this.#failures }, 'Reconnected to Slack');
      this.#failures = 0;
      return null;
    } catch (error) {
      this.#failures += 1;
      const refused = slackError(error, 'apps.connections.open', appToken);
      log.warn({ code: refused.code, attempts: this.#failures }, 'Could not connect to Slack');
      return refused;
    } finally {
      this.#connecting = false;
    }
  }

  /** Opens a connection, and only then closes the previous one. */
  async #replace(): Promise<void> {
    if (this.#app === undefined) throw new TypeError('the link has no app to hand messages to');
    let own: Connection | null = null;
    let lost = false;
    const opened = await connect({
      ...this.#options,
      app: this.#app,
      onRefresh: () => {
        if (own !== null && own === this.#current) this.#again(this.#refreshPause());
      },
      onLost: () => {
        lost = true;
        this.#lost(own);
      },
    });
    own = opened;
    if (this.#closed) return opened.close();
    if (lost) throw new Error('Slack closed the connection at once');
    this.#retire(this.#current);
    this.#current = opened;
    this.#connectedAt = Date.now();
  }

  #retire(old: Connection | null): void {
    if (old === null) return;
    const timer = setTimeout(() => {
      this.#retired.delete(old);
      void old.close();
    }, overlapMs);
    this.#retired.set(old, timer);
  }

  #lost(connection: Connection | null): void {
    if (connection === null) return;
    clearTimeout(this.#retired.get(connection));
    this.#retired.delete(connection);
    if (connection !== this.#current) return;
    this.#current = null;
    this.#again();
  }

  /** At once, unless Slack renews connections in quick succession. */
  #refreshPause(): number {
    return Date.now() - this.#connectedAt < maxPauseMs ? this.#firstPause() : 0;
  }

  #firstPause(): number {
    return this.#options.firstPauseMs ?? 500;
  }

  #again(wait = Math.min(maxPauseMs, this.#firstPause() * 2 ** Math.min(this.#failures, 10))): void {
    if (this.#closed || this.#connecting || this.#timer) return;
    this.#timer = setTimeout(async () => {
      this.#timer = undefined;
      if (!this.#closed && (await this.#connect()) !== null) this.#again();
    }, wait);
  }
}
