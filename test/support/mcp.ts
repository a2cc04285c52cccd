import { fileURLToPath } from 'node:url';
import { type McpServer, mcpServerSchema } from '../../src/core/mcp.ts';
import { type DeclaredTool, pinDigest } from '../../src/vendors/mcp/declared.ts';
import { createMcp } from '../../src/vendors/mcp/servers.ts';

const script = fileURLToPath(new URL('mcp-server.ts', import.meta.url));

/** The command of the stand-in server in one of its manners. */
export function standIn(manner: string, marker = ''): string[] {
  return [process.execPath, script, manner, ...(marker === '' ? [] : [marker])];
}

/** How one tool of a server is pinned; the rest is what the server says of it. */
export interface PinAs {
  readonly effect?: 'read' | 'write';
  readonly [setting: string]: unknown;
}

type Server = { readonly command?: string[]; readonly url?: string; readonly env?: string[] };
type Variables = Readonly<Record<string, string | undefined>>;

/** A server's entry with tools pinned as they are now: what an operator pastes and completes. */
export async function pinnedServer(
  server: Server,
  tools: Readonly<Record<string, PinAs>>,
  variables: Variables = process.env,
): Promise<McpServer> {
  const way = JSON.stringify(server);
  const offered = offers.get(way) ?? offersOf(server, variables);
  offers.set(way, offered);
  const known = await offered;
  const pinned = Object.entries(tools).map(([verb, settings]) => {
    const tool = known.find(({ name }) => name === (settings.tool ?? verb));
    if (tool === undefined) throw new Error(`no tool ${verb}`);
    const said = { about: `Say ${verb}.`, sha256: pinDigest(tool), input: tool.inputSchema };
    const ask = { verbs: [verb.replaceAll('_', ' ')], examples: [verb.replaceAll('_', ' ')] };
    const undo = settings.effect === 'read' ? {} : { undo: 'The note can be deleted.' };
    return [verb, { ...said, ask, ...undo, ...settings }];
  });
  return mcpServerSchema.parse({ ...server, tools: Object.fromEntries(pinned) });
}

/** Each server is started and asked once, however often it is pinned. */
const offers = new Map<string, Promise<DeclaredTool[]>>();

async function offersOf(server: Server, variables: Variables): Promise<DeclaredTool[]> {
  const mcp = createMcp({ servers: { notes: mcpServerSchema.parse(server) }, variables, fetch });
  try {
    return await mcp.offered('notes', AbortSignal.timeout(10_000));
  } finally {
    await mcp.close();
  }
}
