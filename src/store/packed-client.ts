import type { Socket } from 'node:net';
import pg from 'pg';

/** Statements that are kept prepared on each connection; what comes beyond that is parsed each time. */
const maxPrepared = 150;
/** Names by text; null for what must not be prepared any more. */
const names = new Map<string, string | null>();

type Send = (query: string | pg.QueryConfig, values?: unknown, callback?: unknown) => Promise<unknown>;

const begun = { command: 'BEGIN', rowCount: null, oid: 0, rows: [], fields: [] };

/**
 * A connection on which nobody waits for what need not be waited for: what is asked in one turn goes out in one packet,
 * a transaction begins with its first statement, and a statement is prepared once.
 */
export class PackedClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, pipeline: true });
    const send = this.query.bind(this) as unknown as Send;
    const hold = holder(this);
    const query: Send = (text, values, callback) => {
      hold();
      if (typeof text !== 'string' || callback !== undefined) return send(text, values, callback);
      if (!Array.isArray(values) || values.length === 0) {
        if (!/^begin\b/i.test(text)) return send(text, values);
        // When it cannot begin, the connection is gone, and so is what comes after it.
        send(text).catch(() => undefined);
        return Promise.resolve(begun);
      }
      const name = nameOf(text);
      if (name === null) return send(text, values);
      const sent = send({ name, text, values });
      sent.catch((error: unknown) => forgetStale(text, error));
      return sent;
    };
    this.query = query as unknown as typeof this.query;
  }
}

/** Holds back what is written until no promise is left to go on in this turn. */
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

function nameOf(text: string): string | null {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = names.size < maxPrepared ? `countersign_${names.size + 1}` : null;
  if (name !== null) names.set(text, name);
  return name;
}

/** A newer bot has changed the tables under what was prepared: whoever asks again gets what is there now. */
function forgetStale(text: string, error: unknown): void {
  if (error instanceof Error && 'code' in error && error.code === '0A000') names.set(text, null);
}
