import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { describeError } from '../../core/errors.ts';
import { parseJson } from '../../core/json.ts';

/**
 * Hands each message of a client, a line of JSON, to a server, and its answers to the client, until the lines end. What
 * the server refuses is answered as an error, so that no request stays open.
 */
export async function bridge(
  server: Transport,
  lines: AsyncIterable<string>,
  out: (line: string) => void,
): Promise<void> {
  const sending = new Set<Promise<void>>();
  const answer = (message: JSONRPCMessage): void => out(JSON.stringify(message));
  server.onmessage = answer;
  await server.start();
  for await (const line of lines) {
    const { data: message } = JSONRPCMessageSchema.safeParse(parseJson(line));
    if (message === undefined) {
      answer({ jsonrpc: '2.0', error: { code: -32_700, message: 'That line is no JSON-RPC message.' } });
      continue;
    }
    const sent = server
      .send(message)
      .catch((error: unknown) => answer(failed(message, error)))
      .finally(() => sending.delete(sent));
    sending.add(sent);
  }
  await Promise.allSettled(sending);
  await server.close();
}

function failed(message: JSONRPCMessage, error: unknown): JSONRPCMessage {
  const said = { code: -32_000, message: describeError(error).message };
  return { jsonrpc: '2.0', error: said, ...('id' in message ? { id: message.id } : {}) };
}
