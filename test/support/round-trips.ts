import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** One statement and its answer. */
export interface Trip {
  /** Which wait of the process it belongs to, counted from 1: it was sent after the answers of those before. */
  readonly wait: number;
  readonly connection: number;
  readonly sql: string;
  /** When its answer arrived, on the clock of this process. */
  readonly answeredMs: number;
}

/** Milliseconds in each direction, longer than a process computes between two statements: parallel ones stay parallel. */
const delayMs = 8;
/** Milliseconds without a statement after which the work before is over. */
const quietMs = 60;

/**
 * Stands between a bot and Postgres, and counts how often the bot waits for it. A statement counts as caused by every
 * answer before it, also where it was not: so a count is never too low, and the lowest of several is the right one.
 */
export class CountingLink {
  readonly #server = createServer((near) => this.#join(near));
  readonly #sockets = new Set<Socket>();
  #target = 0;
  #connections = 0;
  /** Since the last reset. */
  #trips: Trip[] = [];
  #waits = 0;
  #resets = 0;
  #lastMs = 0;

  /** Resolves with the address by which a database is reached through here. */
  async to(databaseUrl: string): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const [url, address] = [new URL(databaseUrl), this.#server.address()];
    this.#target = Number(url.port);
    url.port = String(typeof address === 'object' && address !== null ? address.port : 0);
    return url.href;
  }

  /** Counts from here on, once the work before is over. */
  async reset(): Promise<void> {
    while (performance.now() - this.#lastMs < quietMs) await pause(quietMs / 2);
    [this.#trips, this.#waits] = [[], 0];
    this.#resets += 1;
  }

  /** The statements that were answered until then. */
  tripsUntil(clockMs: number): Trip[] {
    return this.#trips.filter(({ answeredMs }) => answeredMs <= clockMs);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(near: Socket): void {
    const far = createConnection(this.#target, '127.0.0.1');
    this.#connections += 1;
    const [onStatement, onAnswer] = this.#count(this.#connections);
    const [statements, answers] = [statementReader(onStatement), answerReader(onAnswer)];
    const carry = (
      from: Socket,
      to: Socket,
      read: { sent(bytes: Buffer): void; come(bytes: Buffer): void },
    ) => {
      this.#sockets.add(from);
      const over = () => {
        to.destroy();
        this.#sockets.delete(from);
      };
      from.setNoDelay(true).on('error', over).on('close', over);
      from.on('data', (bytes: Buffer) => {
        read.sent(bytes);
        setTimeout(() => {
          read.come(bytes);
          to.write(bytes);
        }, delayMs);
      });
    };
    carry(near, far, { sent: statements, come: () => undefined });
    carry(far, near, { sent: () => undefined, come: answers });
  }

  /** For the statements of one connection, and their answers in the same order. */
  #count(connection: number): [onStatement: (sql: string) => void, onAnswer: () => void] {
    const sent: { readonly wait: number; readonly sql: string; readonly resets: number }[] = [];
    return [
      (sql) => {
        this.#lastMs = performance.now();
        sent.push({ wait: this.#waits + 1, sql, resets: this.#resets });
      },
      () => {
        this.#lastMs = performance.now();
        const one = sent.shift();
        if (one === undefined || one.resets !== this.#resets) return;
        this.#waits = Math.max(this.#waits, one.wait);
        this.#trips.push({ wait: one.wait, connection, sql: one.sql, answeredMs: this.#lastMs });
      },
    ];
  }
}

type OnMessage = (type: string, body: Buffer) => void;

/** Cuts what was received into messages: a letter, a length, and the rest. */
function messageReader(onMessage: OnMessage, { hasStartup }: { readonly hasStartup: boolean }) {
  let rest: Buffer = Buffer.alloc(0);
  let isStarted = !hasStartup;
  return (bytes: Buffer): void => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const head = isStarted ? 1 : 0;
      if (rest.length < head + 4) return;
      const end = head + rest.readInt32BE(head);
      if (rest.length < end) return;
      if (isStarted) onMessage(String.fromCharCode(rest[0] ?? 0), rest.subarray(5, end));
      isStarted = true;
      rest = rest.subarray(end);
    }
  };
}

/** Calls back with each statement at the point where the client starts to wait for its answer. */
function statementReader(onStatement: (sql: string) => void) {
  const prepared = new Map<string, string>();
  let sql = '';
  const textAt = (body: Buffer, from: number) => body.toString('utf8', from, body.indexOf(0, from));
  return messageReader(
    (type, body) => {
      if (type === 'Q') return onStatement(textAt(body, 0));
      if (type === 'P') {
        const name = textAt(body, 0);
        prepared.set(name, textAt(body, Buffer.byteLength(name) + 1));
      }
      // The name of a portal comes first.
      if (type === 'B') sql = prepared.get(textAt(body, body.indexOf(0) + 1)) ?? '';
      if (type === 'S') onStatement(sql);
    },
    { hasStartup: true },
  );
}

const readyForQuery = 'Z';

function answerReader(onReady: () => void) {
  let isOpen = false;
  return messageReader(
    (type) => {
      if (type !== readyForQuery) return;
      // The first one ends the sign-in.
      if (isOpen) onReady();
      isOpen = true;
    },
    { hasStartup: false },
  );
}
