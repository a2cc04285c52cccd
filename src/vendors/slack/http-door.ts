import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { CountersignError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { isFields } from './expected.ts';
import { Seen } from './seen.ts';
import { checkSignature } from './signature.ts';

/** Slack's payloads stay far below this. */
const mostBytes = 1_000_000;
const path = '/slack/events';

export class DoorError extends CountersignError {}

/** A request whose bytes were read already; Bolt takes them from here. */
export type SignedRequest = IncomingMessage & { rawBody: Buffer };

export interface HttpDoor {
  /** Starts to listen; resolves with the port. Throws a DoorError `port_taken` or `port_unusable`. */
  open(): Promise<number>;
  close(): Promise<void>;
}

/** Lets in what Slack signed within five minutes, once. Everything else gets 401, 404 or 413 and no words. */
export function createHttpDoor(options: {
  readonly port: number;
  readonly host?: string;
  readonly signingSecret: string;
  readonly now: () => Date;
  readonly log: Log;
  readonly enter: (request: SignedRequest, response: ServerResponse) => void;
}): HttpDoor {
  const seen = new Seen(() => options.now().getTime());
  const server = createServer((request, response) => {
    void admit(request, response).catch((error: unknown) => {
      options.log.warn({ detail: error instanceof Error ? error.message : String(error) }, 'Request dropped');
      response.destroy();
    });
  });
  server.requestTimeout = 10_000;

  async function admit(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (request.method !== 'POST' || url.pathname !== path) return end(response, 404);
    const body = await readBody(request);
    if (body === null) return end(response, 413);
    const timestamp = oneHeader(request, 'x-slack-request-timestamp');
    const signature = oneHeader(request, 'x-slack-signature');
    const nowMs = options.now().getTime();
    const verdict = checkSignature({ secret: options.signingSecret, timestamp, signature, body, nowMs });
    if (verdict !== 'genuine') {
      options.log.warn({ verdict }, 'Request without a valid Slack signature');
      return end(response, 401);
    }
    // The same signed bytes a second time: acknowledged, so that nobody repeats them, and not acted on.
    if (!seen.first(`${timestamp}:${signature}`)) return end(response, 200);
    if (!holdsFields(body, request.headers['content-type'])) {
      options.log.warn({ type: 'unreadable' }, 'Unexpected payload');
      return end(response, 200);
    }
    options.enter(Object.assign(request, { rawBody: body }), response);
  }

  return {
    open: () =>
      new Promise((resolve, reject) => {
        server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, options.port)));
        server.listen(options.port, options.host, () => {
          const address = server.address();
          resolve(typeof address === 'object' && address ? address.port : options.port);
        });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
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

async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > mostBytes) return null;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status);
  response.end();
}
