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
import { isFields } from './expected.ts';
import { checkHeaders, checkSignature, type SignatureVerdict } from './signature.ts';

/** A view has at most 250 kB, encoded into a form not twice that; everything else of Slack's is far smaller. */
const maxBytes = 512 * 1024;
/** Of all bodies together that nobody has checked yet. */
const defaultMaxTotalBytes = 8 * 1024 * 1024;
/** For a whole request. Slack sends one in milliseconds. */
const defaultTimeoutMs = 5_000;
const defaultMaxConnections = 500;
const path = '/slack/events';

export class DoorError extends CountersignError {}

/** A request whose bytes were read already; Bolt takes them from here. */
export type SignedRequest = IncomingMessage & { rawBody: Buffer };

export interface HttpDoor {
  /** Starts to listen; resolves with the port. Throws a DoorError `port_taken` or `port_unusable`. */
  open(): Promise<number>;
  close(): Promise<void>;
}

/** Smaller in tests than they are by default. */
interface Limits {
  readonly timeoutMs?: number;
  readonly maxTotalBytes?: number;
  readonly maxConnections?: number;
}

interface DoorOptions extends Limits {
  readonly port: number;
  readonly host?: string;
  readonly signingSecret: string;
  readonly now: () => Date;
  readonly log: Log;
  readonly enter: (request: SignedRequest, response: ServerResponse) => void;
}

/**
 * Lets in what Slack signed within five minutes; the inbox knows what came before. Everything else gets 401, 404 or 413
 * and no words.
 */
export function createHttpDoor(options: DoorOptions): HttpDoor {
  const { maxTotalBytes = defaultMaxTotalBytes } = options;
  const readBody = createBodyReader({ maxBytes, maxTotalBytes });
  const server = boundedServer(options, (request, response) => {
    void admit(request, response).catch((error: unknown) => {
      options.log.warn({ detail: error instanceof Error ? error.message : String(error) }, 'Request dropped');
      response.destroy();
    });
  });

  async function admit(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (request.method !== 'POST' || url.pathname !== path) return refuse(response, 404);
    const timestamp = oneHeader(request, 'x-slack-request-timestamp');
    const signature = oneHeader(request, 'x-slack-signature');
    const signed = { timestamp, signature, nowMs: options.now().getTime() };
    const headers = checkHeaders(signed);
    if (headers !== 'plausible') return turnAway(response, headers);
    const read = await readBody(request);
    if (!read.ok) return refuse(response, 413);
    const { bytes: body } = read;
    const verdict = checkSignature({ ...signed, secret: options.signingSecret, body });
    if (verdict !== 'genuine') return turnAway(response, verdict);
    if (!holdsFields(body, request.headers['content-type'])) {
      options.log.warn({ type: 'unreadable' }, 'Unexpected payload');
      return end(response, 200);
    }
    options.enter(Object.assign(request, { rawBody: body }), response);
  }

  function turnAway(response: ServerResponse, verdict: SignatureVerdict): void {
    options.log.warn({ verdict }, 'Request without a valid Slack signature');
    refuse(response, 401);
  }

  return {
    open: () => listen(server, options),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}

function boundedServer(
  { timeoutMs = defaultTimeoutMs, maxConnections = defaultMaxConnections }: Limits,
  onRequest: RequestListener,
): Server {
  const limits = {
    headersTimeout: timeoutMs,
    requestTimeout: timeoutMs,
    // Node looks for late requests every 30 s, however short the timeouts are.
    connectionsCheckingInterval: Math.min(1_000, timeoutMs),
  };
  const server = createServer(limits, onRequest);
  server.maxConnections = maxConnections;
  return server;
}

function listen(server: Server, { port, host }: { port: number; host?: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, port)));
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

/** Bolt throws where nobody catches it when JSON is no object, and answers Slack late. */
function holdsFields(body: Buffer, contentType: string | undefined): boolean {
  try {
    const form = contentType?.startsWith('application/x-www-form-urlencoded');
    const source = form ? new URLSearchParams(body.toString()).get('payload') : body.toString();
    return source === null || isFields(JSON.parse(source));
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function listenError(error: NodeJS.ErrnoException, port: number): DoorError {
  const taken = error.code === 'EADDRINUSE';
  const words = taken
    ? `Port ${port} is taken by another program. Stop it or set PORT to a free one.`
    : `Port ${port} cannot be opened (${error.code ?? 'unknown reason'}). Set PORT to another one.`;
  return new DoorError(taken ? 'port_taken' : 'port_unusable', words, { port }, error);
}

function oneHeader(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** Without reading on: what is still to come of the request is nobody's business. */
function refuse(response: ServerResponse, status: number): void {
  response.setHeader('connection', 'close');
  end(response, status);
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status);
  response.end();
}
