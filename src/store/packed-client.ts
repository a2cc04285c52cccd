import type { Socket } from 'node:net';
import pg from 'pg';
import { isStale, prepared } from './prepared.ts';

type Send = (query: string | pg.QueryConfig, values?: unknown, callback?: unknown) => Promise<unknown>;

const begun = { command: 'BEGIN', rowCount: null, oid: 0, rows: [], fields: [] };

/**
 * A connection that avoids needless round trips: statements issued in one turn go out in one packet, a transaction
 * begins with its first statement, and repeated statements are parsed once.
 */
export class PackedClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, pipeline: true });
    const send = this.query.bind(this) as unknown as Send;
    const hold = holder(this);
    let isOpen = false;
    const query: Send = (text, values, callback) => {
      hold();
      if (typeof text !== 'string' || callback !== undefined) return send(text, values, callback);
      if (Array.isArray(values) && values.length > 0) {
        // A statement cannot be retried in a transaction, so one that returns all columns is not prepared: a newer bot
        // may add a column.
        return isOpen && text.includes('*') ? send(text, values) : again(text, values);
      }
      if (/^(?:commit|rollback)$/i.test(text)) isOpen = false;
      if (!/^begin\b/i.test(text)) return send(text, values);
      isOpen = true;
      // If it cannot begin, the connection is gone, and so are the statements after it.
      send(text).catch(() => undefined);
      return Promise.resolve(begun);
    };
    const again = (text: string, values: readonly unknown[]): Promise<unknown> =>
      prepared(text, values, send).catch((error: unknown) => {
        if (!isStale(error)) throw error;
        return send(text, values);
      });
    this.query = query as unknown as typeof this.query;
  }
}

/** Buffers writes until no promise is left to run in this turn. */
function holder(client: pg.Client): () => void {
  const { connection } = client as unknown as { connection: { stream: Socket } };
  let corked: Socket | null = null;
  return () => {
    if (corked !== null) return;
    const { stream } = connection;
    corked = stream;
    stream.cork();
    process.nextTick(() => {
      corked = null;
      stream.uncork();
    });
  };
}
