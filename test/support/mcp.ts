import { fileURLToPath } from 'node:url';
import { type McpServer, mcpServerSchema } from '../../src/core/mcp.ts';
import { pinDigest } from '../../src/vendors/mcp/declared.ts';
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

/** A server's entry with tools pinned as they are now: what an operator pastes and completes. */
export async function pinnedServer(
  server: { readonly command?: string[]; readonly url?: string; readonly env?: string[] },
  tools: Readonly<Record<string, PinAs>>,
  variables: Readonly<Record<string, string | undefined>> = process.env,
): Promise<McpServer> {
  const mcp = createMcp({ servers: { notes: mcpServerSchema.parse(server) }, variables, fetch });
  try {
    const offered = await mcp.offered('notes', AbortSignal.timeout(10_000));
    const pinned = Object.entries(tools).map(([verb, settings]) => {
      const tool = offered.find(({ name }) => name === (settings.tool ?? verb));
      if (tool === undefined) throw new Error(`no tool ${verb}`);
      const said = { about: `Say ${verb}.`, sha256: pinDigest(tool), input: tool.inputSchema };
      const ask = { verbs: [verb.replaceAll('_', ' ')], examples: [verb.replaceAll('_', ' ')] };
      const undo = settings.effect === 'read' ? {} : { undo: 'The note can be deleted.' };
      return [verb, { ...said, ask, ...undo, ...settings }];
    });
    return mcpServerSchema.parse({ ...server, tools: Object.fromEntries(pinned) });
  } finally {
    await mcp.close();
  }
}
