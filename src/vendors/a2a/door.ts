import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { A2A_VERSION_HEADER, AGENT_CARD_PATH, AgentCard, formatSSEEvent, SSE_HEADERS } from '@a2a-js/sdk';
import { LegacyJsonRpcTransportHandler, LegacyRestTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import {
  fromJsonRpcErrorResponse,
  restStatusFor,
  toRestErrorBody,
  VersionNotSupportedError,
} from '@a2a-js/sdk/errors';
import { JsonRpcTransportHandler, ServerCallContext, validateVersion } from '@a2a-js/sdk/server';
import { type Json, type JsonObject, jsonOf, parseJson } from '../../core/json.ts';
import {
  type AgentDoorOptions,
  admission,
  answerRpc,
  badToken,
  maxAgentBytes,
  type Refusal,
} from '../http/agent-door.ts';
import { oneHeader, type Route } from '../http/door.ts';
import { cardOf, paths } from './card.ts';
import { handlerFor } from './handler.ts';

/** Milliseconds after which a proxy may give up a connection on which nothing is said. */
const pingMs = 15_000;

const versionHeader = A2A_VERSION_HEADER.toLowerCase();

/** The JSON-RPC answer to a call, or each of its answers. */
type Answers = JsonObject | AsyncGenerator<JsonObject, void, undefined>;

/** How a binding puts answers and refusals. */
interface Binding {
  body(answer: JsonObject): { readonly status: number; readonly body: Json };
  refuse(response: ServerResponse, refusal: Refusal): void;
}

/** A2A over JSON-RPC and REST for agents, let in as everywhere, with the card that other agents read first. */
export function a2aRoutes(options: AgentDoorOptions): Route[] {
  const { version, log } = options;
  const { callerOf, strangeHost, admits, refusal } = admission(options);
  let isClosing = false;

  async function serve({ request, response, call, binding }: Exchange): Promise<void> {
    const caller = callerOf(request);
    // Revoked while the body was read.
    if (caller === null) return binding.refuse(response, badToken);
    const isHeard = () => !isClosing && !response.destroyed && callerOf(request) !== null;
    const card = cardOf(baseOf(request), version);
    const handler = handlerFor({ desk: caller.desk, card, isHeard, log });
    const requestedVersion = oneHeader(request, versionHeader) || '0.3';
    const context = new ServerCallContext({ requestedVersion });
    const isOld = requestedVersion === '0.3';
    const speaker = isOld ? new LegacyJsonRpcTransportHandler(handler) : new JsonRpcTransportHandler(handler);
    try {
      validateVersion(requestedVersion, card, binding === rest ? 'HTTP+JSON' : 'JSONRPC');
    } catch (error) {
      if (!(error instanceof VersionNotSupportedError)) throw error;
      const failed = { code: -32_009, message: error.message };
      return send(response, binding.body({ jsonrpc: '2.0', id: idOf(call), error: failed }));
    }
    await respond({ request, response, call, binding }, (await speaker.handle(call, context)) as Answers);
  }

  const open = {
    maxBytes: maxAgentBytes,
    admits,
    close: () => {
      isClosing = true;
    },
  };
  const restRoute = (path: string, method: 'GET' | 'POST'): Route => ({
    ...{ ...open, path, ...(method === 'GET' ? { method } : {}) },
    refuse: (request, response, status) => rest.refuse(response, refusal(request, status)),
    async enter(body, request, response) {
      const call = callOf(request, method === 'GET' ? {} : parseJson(body.toString() || '{}'));
      if (call === null)
        return rest.refuse(response, [
          400,
          'no_such_call',
          'There is no such call, or its body is not JSON.',
        ]);
      await serve({ request, response, call, binding: rest });
    },
  });
  return [
    {
      ...{ path: `/${AGENT_CARD_PATH}`, method: 'GET', maxBytes: 0 },
      admits: (request) => strangeHost(request) === null,
      refuse: (request, response) => rest.refuse(response, strangeHost(request) ?? badToken),
      async enter(_body, request, response) {
        const card = cardOf(baseOf(request), version);
        response.setHeader('vary', A2A_VERSION_HEADER);
        send(response, { status: 200, body: await cardFor(request, card) });
      },
    },
    {
      ...{ ...open, path: paths.rpc },
      refuse: (request, response, status) => answerRpc(response, refusal(request, status)),
      async enter(body, request, response) {
        const call = parseJson(body.toString());
        if (typeof call !== 'object' || call === null)
          return answerRpc(response, [400, 'no_json', 'The body is no JSON-RPC request.']);
        await serve({ request, response, call: { ...call }, binding: rpc });
      },
    },
    restRoute(`${paths.rest}/`, 'POST'),
    restRoute(`${paths.rest}/`, 'GET'),
    restRoute(`${paths.rest}/tasks/`, 'POST'),
    restRoute(`${paths.rest}/tasks/`, 'GET'),
  ];
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly call: Record<string, unknown>;
  readonly binding: Binding;
}

const rpc: Binding = { body: (answer) => ({ status: 200, body: answer }), refuse: answerRpc };

/** The same answers without their envelope. */
const rest: Binding = {
  body(answer) {
    if (!('error' in answer)) return { status: 200, body: answer.result ?? {} };
    const error = fromJsonRpcErrorResponse(answer as never);
    const status = restStatusFor(error);
    return { status, body: jsonOf(toRestErrorBody(error, status)) };
  },
  refuse(response, [status, code, message]) {
    response.setHeader('connection', 'close');
    if (status === 401) response.setHeader('www-authenticate', 'Bearer');
    const error = { code: status, status: code.toUpperCase(), message: `${code}: ${message}`, details: [] };
    send(response, { status, body: { error } });
  },
};

function send(
  response: ServerResponse,
  { status, body }: { readonly status: number; readonly body: Json },
): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function respond({ response, call, binding }: Exchange, answers: Answers): Promise<void> {
  if (!isStream(answers)) return send(response, binding.body(answers));
  const failed = (error: unknown): JsonObject => ({
    jsonrpc: '2.0',
    id: idOf(call),
    error: jsonOf(JsonRpcTransportHandler.mapToJSONRPCError(error)),
  });
  const ping = setInterval(() => response.headersSent && response.write(': still here\n\n'), pingMs).unref();
  try {
    for await (const answer of answers) {
      if (!response.headersSent) response.writeHead(200, SSE_HEADERS);
      response.write(formatSSEEvent(binding.body(answer).body));
    }
    response.end();
  } catch (error) {
    const { status, body } = binding.body(failed(error));
    if (!response.headersSent) return send(response, { status, body });
    response.end(`event: error\n${formatSSEEvent(body)}`);
  } finally {
    clearInterval(ping);
  }
}

function idOf({ id }: Exchange['call']): Json {
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

function isStream(answers: Answers): answers is AsyncGenerator<JsonObject, void, undefined> {
  return Symbol.asyncIterator in answers;
}

/** The address by which this request came; its host is one of ours. TLS is the proxy's. */
function baseOf(request: IncomingMessage): string {
  const host = oneHeader(request, 'host') ?? 'localhost';
  const name = host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
  return `${name === 'localhost' || isIP(name) !== 0 ? 'http' : 'https'}://${host}`;
}

/** Clients of version 0.3 look for its fields, and find those of 1.0 beside them. */
async function cardFor(request: IncomingMessage, card: AgentCard): Promise<Json> {
  const now = AgentCard.toJSON(card) as JsonObject;
  if (oneHeader(request, versionHeader)?.startsWith('1.')) return now;
  // The SDK converts a card nowhere else outside Express.
  const converter = new LegacyRestTransportHandler({
    getAuthenticatedExtendedAgentCard: async () => card,
  } as never);
  const old = await converter.getAuthenticatedExtendedAgentCard(new ServerCallContext());
  return jsonOf({ ...old, supportedInterfaces: now.supportedInterfaces });
}

type Call = Record<string, unknown>;

/**
 * A REST request as the same call of JSON-RPC, whose parameters are the same. Null for one that does not exist. The SDK
 * has this only for Express.
 */
function callOf({ url = '/', method = 'GET' }: IncomingMessage, body: unknown): Call | null {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const path = decoded(pathname.slice(paths.rest.length));
  if (path === null || typeof body !== 'object' || body === null) return null;
  const query = Object.fromEntries(searchParams);
  const call = (name: string, params: object): Call => ({ jsonrpc: '2.0', id: 0, method: name, params });
  const [, id = '', verb = ''] = /^\/tasks\/([^:]+)(?::(subscribe|cancel))?$/.exec(path) ?? [];
  if (id !== '' && verb === 'subscribe') return call('SubscribeToTask', { id });
  if (method === 'POST') {
    if (path === '/message:send') return call('SendMessage', body);
    if (path === '/message:stream') return call('SendStreamingMessage', body);
    return id !== '' && verb === 'cancel' ? call('CancelTask', { id }) : null;
  }
  if (id !== '' && verb === '') return call('GetTask', { ...query, id });
  if (path === '/extendedAgentCard') return call('GetExtendedAgentCard', {});
  return path === '/tasks'
    ? call('ListTasks', { ...query, includeArtifacts: query.includeArtifacts === 'true' })
    : null;
}

function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}
