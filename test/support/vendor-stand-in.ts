import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StandIn {
  readonly url: string;
  /** How often each write arrived, by its key. */
  readonly writes: ReadonlyMap<string, number>;
  /** Requests so far. */
  readonly seen: () => number;
  /** Called for every request after it took effect and before it is answered; the answer waits for it. */
  onRequest: (about: { method: string; count: number }) => Promise<void> | void;
  close(): Promise<void>;
}

/**
 * One small vendor for the processes of a test: `GET /read` answers 24, `POST /write?key=` takes a write and counts
 * it, `GET /write?key=` finds it. A write is counted when it arrives, whatever becomes of the answer.
 */
export async function startStandIn(): Promise<StandIn> {
  const writes = new Map<string, number>();
  let seen = 0;
  const standIn = { onRequest: (() => {}) as StandIn['onRequest'] };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://stand-in');
    const key = url.searchParams.get('key') ?? '';
    const method = request.method ?? '';
    seen += 1;
    if (method === 'POST') writes.set(key, (writes.get(key) ?? 0) + 1);
    const body = url.pathname === '/read' ? { total: 24 } : { found: writes.has(key) };
    await standIn.onRequest({ method, count: seen });
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(standIn, {
    url: `http://127.0.0.1:${port}`,
    writes,
    seen: () => seen,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}
