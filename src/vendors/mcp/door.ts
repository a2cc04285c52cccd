import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { AgentDesk } from '../../core/agent.ts';
import { describeError } from '../../core/errors.ts';
import { parseJson } from '../../core/json.ts';
import type { Log } from '../../core/log.ts';
import { oneHeader, type Route } from '../http/door.ts';
import { serverFor } from './serve.ts';

/** Several times the largest plan, with its reasons. */
const maxBytes = 256 * 1024;

/** An agent that may call, with the SHA-256 hash of its token. */
export interface Caller {
  readonly hash: string;
  readonly desk: AgentDesk;
}

export interface McpDoorOptions {
  readonly callers: () => readonly Caller[];
  /** Names by which agents reach this port, beside addresses and localhost. */
  readonly hosts: readonly string[];
  readonly version: string;
  readonly log: Log;
}

type Refusal = readonly [status: number, code: string, message: string];

const badToken: Refusal = [
  ...([401, 'bad_token'] as const),
  'No agent here has this token. Send “Authorization: Bearer …” with the one from your operator.',
];
const tooLarge: Refusal = [413, 'too_large', `A request has at most ${maxBytes} bytes. Send less.`];

/** MCP over HTTP for agents: without sessions, so that any process can answer. Each request proves who it is from. */
export function mcpRoute({ callers, hosts, version, log }: McpDoorOptions): Route {
  function whyNot(request: IncomingMessage): Refusal | null {
    const host = nameIn(oneHeader(request, 'host'));
    if (!isAllowed(host, hosts))
      return [
        403,
        'unknown_host',
        `This is not reached as ${host}. The operator adds that name to AGENT_HOSTS.`,
      ];
    // Browsers send it; an agent is none.
    if (request.headers.origin !== undefined) return [403, 'browser', 'Web pages may not call this.'];
    return callerOf(request, callers()) === null ? badToken : null;
  }
  return {
    path: '/mcp',
    maxBytes,
    admits: (request) => whyNot(request) === null,
    refuse(request, response, status) {
      const why = status === 401 ? (whyNot(request) ?? badToken) : tooLarge;
      log.warn({ code: why[1] }, 'Refused a request to the door for agents');
      answer(response, why);
    },
    async enter(body, request, response) {
      const caller = callerOf(request, callers());
      // Revoked while the body was read.
      if (caller === null) return answer(response, badToken);
      const parsedBody = parseJson(body.toString());
      if (parsedBody === undefined) return answer(response, [400, 'no_json', 'The body is not JSON.']);
      const server = serverFor(caller.desk, version, log);
      // Without a generator there are no sessions. Its types leave out that properties may be undefined.
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
      try {
        await server.connect(transport as Parameters<typeof server.connect>[0]);
        const sent = await transport.handleRequest(asWeb(request), { parsedBody });
        response.writeHead(sent.status, Object.fromEntries(sent.headers));
        response.end(await sent.text());
      } catch (error) {
        log.error({ agent: caller.desk.agent, ...describeError(error) }, 'A request of an agent failed');
        answer(response, [500, 'internal', 'That failed on our side. Try again.']);
      } finally {
        await server.close();
      }
    },
  };
}

/** The body is handed over parsed. */
function asWeb(request: IncomingMessage): Request {
  const headers = new Headers();
  for (const name of ['accept', 'content-type', 'mcp-protocol-version']) {
    const value = oneHeader(request, name);
    if (value !== undefined) headers.set(name, value);
  }
  return new Request('http://localhost/mcp', { method: 'POST', headers });
}

function callerOf(request: IncomingMessage, all: readonly Caller[]): Caller | null {
  const [, token] = /^bearer ([\x21-\x7e]{1,1000})$/i.exec(oneHeader(request, 'authorization') ?? '') ?? [];
  if (token === undefined) return null;
  const given = createHash('sha256').update(token).digest();
  // All are compared, so that the time tells nothing.
  const found = all.filter(({ hash }) => timingSafeEqual(given, Buffer.from(hash, 'hex')));
  return found.length === 1 ? (found[0] ?? null) : null;
}

function nameIn(host = ''): string {
  return host
    .replace(/:\d+$/, '')
    .replace(/^\[|\]$/g, '')
    .toLowerCase();
}

function isAllowed(host: string, hosts: readonly string[]): boolean {
  return host === 'localhost' || isIP(host) !== 0 || hosts.includes(host);
}

/** As a JSON-RPC error, which clients show. */
function answer(response: ServerResponse, [status, code, message]: Refusal): void {
  const error = { code: -32_001, message: `${code}: ${message}`, data: { code } };
  if (status !== 400) response.setHeader('connection', 'close');
  if (status === 401) response.setHeader('www-authenticate', 'Bearer');
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
}
