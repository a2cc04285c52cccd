import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { CountersignError } from '../core/errors.ts';
import type { Readiness } from './readiness.ts';

export class OpsPortError extends CountersignError {}

export interface OpsServerOptions {
  readonly port: number;
  readonly host: string;
  readonly readiness: Pick<Readiness, 'ask'>;
  readonly contentType: string;
  readonly metrics: () => Promise<string>;
}

export interface OpsServer {
  readonly port: number;
  close(): Promise<void>;
}

type Answer = { readonly status: number; readonly type: string; readonly body: string };

/**
 * `/healthz` (the process is alive), `/readyz` (it can serve; 503 and what is missing otherwise) and `/metrics`.
 * Nothing here can be changed or is secret, but there is no authentication either: bind it where only your own machines
 * reach it.
 * Throws an OpsPortError `port_taken` or `port_unusable`.
 */
export async function openOpsServer(options: OpsServerOptions): Promise<OpsServer> {
  const server = createServer(
    { requestTimeout: 5_000, headersTimeout: 5_000, connectionsCheckingInterval: 1_000 },
    (request, response) => {
      answer(request, options).then(
        (given) => send(response, given),
        () => send(response, text(500, 'internal error')),
      );
    },
  );
  server.maxConnections = 50;
  const port = await listen(server, options);
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { port, close };
}

async function answer({ method, url }: IncomingMessage, options: OpsServerOptions): Promise<Answer> {
  if (method !== 'GET' && method !== 'HEAD') return text(405, 'GET only');
  const path = (url ?? '').split('?')[0];
  if (path === '/healthz') return text(200, 'ok');
  if (path === '/metrics') return { status: 200, type: options.contentType, body: await options.metrics() };
  if (path !== '/readyz') return text(404, '/healthz, /readyz or /metrics');
  const { ready, parts } = await options.readiness.ask();
  const body = `${JSON.stringify({ ready, ...parts })}\n`;
  return { status: ready ? 200 : 503, type: 'application/json', body };
}

function text(status: number, words: string): Answer {
  return { status, type: 'text/plain; charset=utf-8', body: `${words}\n` };
}

function send(response: ServerResponse, { status, type, body }: Answer): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
  response.end(body);
}

function listen(server: Server, { port, host }: OpsServerOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(portError(error, port)));
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

function portError(error: NodeJS.ErrnoException, port: number): OpsPortError {
  const taken = error.code === 'EADDRINUSE';
  const words = taken
    ? `OPS_PORT ${port} is taken by another program. Stop it or set OPS_PORT to a free one.`
    : `OPS_PORT ${port} cannot be opened (${error.code ?? 'unknown reason'}). Set OPS_PORT to another one.`;
  return new OpsPortError(taken ? 'port_taken' : 'port_unusable', words, { port }, error);
}
