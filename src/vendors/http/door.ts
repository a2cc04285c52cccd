import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { CountersignError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { createBodyReader } from './body-reader.ts';

/** For all unverified bodies together. */
const defaultMaxTotalBytes = 8 * 1024 * 1024;
/** For a whole request. Vendors send one in milliseconds. */
const defaultTimeoutMs = 5_000;
const defaultMaxConnections = 500;

export class DoorError extends CountersignError {}

/** One vendor's requests, at their own path. */
export interface Route {
  /** One that ends in a slash stands for everything one level below it. */
  readonly path: string;
  /** POST if absent. */
  readonly method?: 'GET';
  readonly maxBytes: number;
  /** Checks only the headers: whether the body is worth reading. False is answered with 401. */
  admits(request: IncomingMessage): boolean;
  /** Answers what is not admitted (401) or is too large (413) in its own words; without it, such an answer has no body. */
  refuse?(request: IncomingMessage, response: ServerResponse, status: 401 | 413): void;
  /** Checks the signature over the raw bytes and responds. */
  enter(body: Buffer, request: IncomingMessage, response: ServerResponse): void | Promise<void>;
  /** Called when the door closes: ends responses that would go on. */
  close?(): void;
}

export interface Door {
  /** Starts to listen; resolves with the port. Throws a DoorError `port_taken`, `port_unusable` or `host_unusable`. */
  open(): Promise<number>;
  close(): Promise<void>;
}

/** Tests use smaller values than the defaults. */
export interface DoorLimits {
  readonly timeoutMs?: number;
  readonly maxTotalBytes?: number;
  readonly maxConnections?: number;
}

export interface DoorOptions extends DoorLimits {
  readonly port: number;
  readonly host?: string;
  readonly routes: readonly Route[];
  readonly log: Log;
}

/**
 * Accepts signed requests from vendors. An unknown path gets 404, a wrong method 405, a request that is not admitted
 * 401, and one that is too large 413, without a body.
 */
export function createDoor(options: DoorOptions): Door {
  const { maxTotalBytes = defaultMaxTotalBytes, routes } = options;
  const readers = new Map(
    routes.map((route) => [route, createBodyReader({ maxBytes: route.maxBytes, maxTotalBytes })]),
  );
  const answering = new Set<ServerResponse>();
  let closing = false;
  const server = boundedServer(options, (request, response) => {
    answering.add(response);
    response.once('close', () => answering.delete(response));
    if (closing) endConnectionWith(response);
    void admit(request, response).catch((error: unknown) => {
      options.log.warn({ detail: error instanceof Error ? error.message : String(error) }, 'Request dropped');
      response.destroy();
    });
  });

  async function admit(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const there = routes.filter(({ path }) => isAt(pathname, path));
    const route = there.find((one) => methodOf(one) === request.method);
    const readBody = route && readers.get(route);
    if (route === undefined && there.length > 0) {
      response.setHeader('allow', there.map(methodOf).join(', '));
      return refuse(response, 405);
    }
    if (route === undefined || readBody === undefined) return refuse(response, 404);
    const turnAway = (status: 401 | 413): void =>
      route.refuse ? route.refuse(request, response, status) : refuse(response, status);
    if (!route.admits(request)) return turnAway(401);
    const read = await readBody(request);
    if (!read.ok) return turnAway(413);
    await route.enter(read.bytes, request, response);
  }

  return {
    open: () => listen(server, options),
    close: () =>
      new Promise((resolve) => {
        closing = true;
        for (const route of routes) route.close?.();
        server.close(() => resolve());
        server.closeIdleConnections();
        for (const response of answering) endConnectionWith(response);
      }),
  };
}

function isAt(pathname: string, path: string): boolean {
  const below = path.endsWith('/') && pathname.startsWith(path) ? pathname.slice(path.length) : '';
  return path === pathname || (below !== '' && !below.includes('/'));
}

function methodOf({ method }: Route): string {
  return method ?? 'POST';
}

/** A proxy keeps reusing its connections, so that a closing server would never finish. */
function endConnectionWith(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}

function boundedServer(
  { timeoutMs = defaultTimeoutMs, maxConnections = defaultMaxConnections }: DoorLimits,
  onRequest: RequestListener,
): Server {
  const limits = {
    headersTimeout: timeoutMs,
    requestTimeout: timeoutMs,
    // Node checks for late requests every 30 s, however short the timeouts are.
    connectionsCheckingInterval: Math.min(1_000, timeoutMs),
  };
  const server = createServer(limits, onRequest);
  server.maxConnections = maxConnections;
  return server;
}

function listen(server: Server, { port, host = '' }: { port: number; host?: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, port, host)));
    server.listen({ port, ...(host === '' ? {} : { host }) }, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

function listenError(error: NodeJS.ErrnoException, port: number, host: string): DoorError {
  if (error.code === 'EADDRNOTAVAIL') {
    const message = `The address ${host} is none of this machine. Set HOST to one of its own, or to 127.0.0.1.`;
    return new DoorError('host_unusable', message, { host }, error);
  }
  const taken = error.code === 'EADDRINUSE';
  const words = taken
    ? `Port ${port} is taken by another program. Stop it or set PORT to a free one.`
    : `Port ${port} cannot be opened (${error.code ?? 'unknown reason'}). Set PORT to another one.`;
  return new DoorError(taken ? 'port_taken' : 'port_unusable', words, { port }, error);
}

export function oneHeader(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** Does not read the rest of the request. */
export function refuse(response: ServerResponse, status: number): void {
  endConnectionWith(response);
  end(response, status);
}

export function end(response: ServerResponse, status: number): void {
  response.writeHead(status);
  response.end();
}
