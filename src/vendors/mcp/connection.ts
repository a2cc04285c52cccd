import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  type CallToolResult,
  CallToolResultSchema,
  PaginatedResultSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { JsonObject } from '../../core/json.ts';
import { type DeclaredTool, declaredTool } from './declared.ts';
import { BadAnswer } from './errors.ts';

const maxPages = 20;
const maxTools = 1_000;
const connectMs = 10_000;

/** Like the library's own schema, but without compiling every tool's schemas into code. */
const toolPage = z.object({ ...PaginatedResultSchema.shape, tools: z.array(z.unknown()).max(maxTools) });

/** A session with one server. A protocol error ends it; the next call starts another. */
export interface Connection {
  /** All current tools of the server; those not declared according to the protocol are left out. */
  list(signal: AbortSignal): Promise<DeclaredTool[]>;
  call(tool: string, args: JsonObject, signal: AbortSignal): Promise<CallToolResult>;
  close(): Promise<void>;
}

export interface ConnectOptions {
  readonly signal: AbortSignal;
  readonly onLost: () => void;
}

/** Connects and initialises. `onLost` is called once, when nothing more can arrive. */
export async function connect(transport: Transport, { signal, onLost }: ConnectOptions): Promise<Connection> {
  // No capabilities: a server may not request a model, files or a person's answer.
  const client = new Client({ name: 'countersign', version: '1' }, { capabilities: {} });
  let lost = false;
  const close = async (): Promise<void> => {
    if (!lost) onLost();
    lost = true;
    await client.close();
  };
  client.onclose = () => void close();
  try {
    await client.connect(transport, { signal, timeout: connectMs });
  } catch (error) {
    await close();
    throw error;
  }
  // From here on a broken stream or an answer that is too long would leave its call pending forever.
  let broken: BadAnswer | null = null;
  client.onerror = ({ message }) => {
    broken ??= new BadAnswer(message);
    void close();
  };
  const orBroken = (error: unknown): never => {
    throw broken ?? error;
  };
  return {
    list: (listSignal) => listTools(client, listSignal).catch(orBroken),
    call: (name, args, callSignal) =>
      client
        .request({ method: 'tools/call', params: { name, arguments: args } }, CallToolResultSchema, {
          signal: callSignal,
        })
        .catch(orBroken),
    close,
  };
}

async function listTools(client: Client, signal: AbortSignal): Promise<DeclaredTool[]> {
  const tools: DeclaredTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const found = await client.request({ method: 'tools/list', params }, toolPage, { signal });
    for (const tool of found.tools) {
      const parsed = declaredTool.safeParse(tool);
      if (parsed.success) tools.push(parsed.data);
    }
    cursor = found.nextCursor;
    if (cursor === undefined) break;
  }
  return tools;
}
