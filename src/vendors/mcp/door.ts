import type { IncomingMessage } from 'node:http';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { describeError } from '../../core/errors.ts';
import { parseJson } from '../../core/json.ts';
import { type AgentDoorOptions, admission, answerRpc, badToken, maxAgentBytes } from '../http/agent-door.ts';
import { oneHeader, type Route } from '../http/door.ts';
import { serverFor } from './serve.ts';

/** MCP over HTTP for agents: without sessions, so that any process can answer. Each request proves who it is from. */
export function mcpRoute(options: AgentDoorOptions): Route {
  const { version, log } = options;
  const { callerOf, admits, refusal } = admission(options);
  return {
    path: '/mcp',
    maxBytes: maxAgentBytes,
    admits,
    refuse: (request, response, status) => answerRpc(response, refusal(request, status)),
    async enter(body, request, response) {
      const caller = callerOf(request);
      // Revoked while the body was read.
      if (caller === null) return answerRpc(response, badToken);
      const parsedBody = parseJson(body.toString());
      if (parsedBody === undefined) return answerRpc(response, [400, 'no_json', 'The body is not JSON.']);
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
        answerRpc(response, [500, 'internal', 'That failed on our side. Try again.']);
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
