import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { McpServer } from '../../core/mcp.ts';
import { configuredUrl } from '../http/egress.ts';
import { BadAnswer, refused } from './errors.ts';
import { stdioTransport } from './stdio.ts';

/** Maximum bytes of one answer. */
const maxAnswer = 2_000_000;

type Variables = Readonly<Record<string, string | undefined>>;

/** The transport for one server: its own process, or its configured address. */
export function transportFor(server: McpServer, variables: Variables, send: typeof fetch): Transport {
  if (server.url !== undefined) {
    const token = server.token === undefined ? undefined : variables[server.token];
    const url = configuredUrl(server.url);
    // Its types leave out that properties may be undefined; Transport's do not.
    return new StreamableHTTPClientTransport(url, { fetch: closedFetch(url, token, send) }) as Transport;
  }
  const [command = '', ...args] = server.command ?? [];
  // Relative paths in its command start where the operator starts the bot.
  const program = { command, args, cwd: process.cwd(), env: environmentFor(server, variables) };
  return stdioTransport(program, maxAnswer);
}

/** PATH and the variables named by the operator. */
function environmentFor({ env }: McpServer, variables: Variables): Record<string, string> {
  const given = ['PATH', ...env].flatMap((name) => {
    const value = variables[name];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(given);
}

/** A fetch limited to one address that follows no redirect and reads a bounded answer. */
function closedFetch(url: URL, token: string | undefined, send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const address = new URL(input instanceof Request ? input.url : input);
    if (address.href !== url.href)
      throw refused('egress_refused', `${address.host} is not the configured address.`);
    // The library would keep a stream open for unsolicited messages.
    if (init?.method === 'GET') return new Response(null, { status: 405 });
    const headers = new Headers(init?.headers);
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    const response = await send(address, { ...init, headers, redirect: 'manual' });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw refused('redirected', 'It sent the bot to another address, which it does not follow.');
    }
    return new Response(response.body?.pipeThrough(bounded()) ?? null, response);
  };
}

function bounded(): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > maxAnswer) controller.error(new BadAnswer(`it has more than ${maxAnswer} bytes`));
      else controller.enqueue(chunk);
    },
  });
}
