import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { AgentDesk } from '../../core/agent.ts';
import type { Log } from '../../core/log.ts';
import { oneHeader } from './door.ts';

/** An agent that may call, with the SHA-256 hash of its token. */
export interface Caller {
  readonly hash: string;
  readonly desk: AgentDesk;
}

/** The parts of each door for agents, whichever protocol is spoken there. */
export interface AgentDoorOptions {
  readonly callers: () => readonly Caller[];
  /** Names by which agents reach this port, beside addresses and localhost. */
  readonly hosts: readonly string[];
  readonly version: string;
  readonly log: Log;
}

export type Refusal = readonly [status: number, code: string, message: string];

export const badToken: Refusal = [
  ...([401, 'bad_token'] as const),
  'No agent here has this token. Send “Authorization: Bearer …” with the one from your operator.',
];

/** Several times the largest plan, with its reasons. */
export const maxAgentBytes = 256 * 1024;
const tooLarge: Refusal = [413, 'too_large', `A request has at most ${maxAgentBytes} bytes. Send less.`];

/** Who is let in. */
export interface Admission {
  callerOf(request: IncomingMessage): Caller | null;
  /** Why its host is unknown, or null. */
  strangeHost(request: IncomingMessage): Refusal | null;
  admits(request: IncomingMessage): boolean;
  /** Why a request was turned away; it is logged. */
  refusal(request: IncomingMessage, status: 401 | 413): Refusal;
}

/** The one way in for agents. Each request proves who it is from. */
export function admission({ callers, hosts, log }: AgentDoorOptions): Admission {
  function strangeHost(request: IncomingMessage): Refusal | null {
    const host = nameIn(oneHeader(request, 'host'));
    if (host === 'localhost' || isIP(host) !== 0 || hosts.includes(host)) return null;
    const message = `This is not reached as ${host}. The operator adds that name to AGENT_HOSTS.`;
    return [403, 'unknown_host', message];
  }
  function whyNot(request: IncomingMessage): Refusal | null {
    const strange = strangeHost(request);
    if (strange !== null) return strange;
    // Browsers send it; an agent is none.
    if (request.headers.origin !== undefined) return [403, 'browser', 'Web pages may not call this.'];
    return callerIn(request, callers()) === null ? badToken : null;
  }
  return {
    callerOf: (request) => callerIn(request, callers()),
    strangeHost,
    admits: (request) => whyNot(request) === null,
    refusal(request, status) {
      const why = status === 401 ? (whyNot(request) ?? badToken) : tooLarge;
      log.warn({ code: why[1] }, 'Refused a request to the door for agents');
      return why;
    },
  };
}

function callerIn(request: IncomingMessage, all: readonly Caller[]): Caller | null {
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

/** As a JSON-RPC error, which clients show. */
export function answerRpc(response: ServerResponse, [status, code, message]: Refusal): void {
  const error = { code: -32_001, message: `${code}: ${message}`, data: { code } };
  if (status !== 400) response.setHeader('connection', 'close');
  if (status === 401) response.setHeader('www-authenticate', 'Bearer');
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
}
