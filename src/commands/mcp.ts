import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { isMap, parseDocument } from 'yaml';
import { operatorConfig } from '../app/settings.ts';
import { readBounded } from '../config/file.ts';
import type { OperatorConfig } from '../config/schema.ts';
import { mcpServerSchema, pinsOf } from '../core/mcp.ts';
import { own } from '../core/own-property.ts';
import { plainWords } from '../core/value-words.ts';
import { createMcp, type Mcp } from '../vendors/mcp/servers.ts';
import { transportFor } from '../vendors/mcp/transport.ts';
import { type Command, type CommandContext, UsageError } from './command.ts';
import { pinEntries } from './pin-entry.ts';

/** Milliseconds for the servers to start and answer. */
const timeoutMs = 30_000;

/**
 * `mcp pin <server> [tool …]` prints entries to paste; `mcp check` reports which pinned tools still match; `mcp serve` is
 * the bot's door for agents, for a client that speaks over stdio.
 */
export const mcpCommand: Command = async ([what, server, ...tools], context) => {
  if (what === 'check' && server === undefined) return check(configOf(context), context);
  if (what === 'serve' && tools.length === 0) return serve(server, context);
  if (what !== 'pin' || server === undefined) throw new UsageError();
  return pin(server, tools, context);
};

/** The variable with the agent's token: only the bot itself has the hash. */
const tokenVariable = 'AGENT_TOKEN';

/** The token goes to this one address only, which has to be https or on this machine. */
async function serve(
  address: string | undefined,
  { variables, out, error }: CommandContext,
): Promise<number> {
  const url = address ?? `http://127.0.0.1:${variables.PORT ?? 3000}/mcp`;
  const read = mcpServerSchema.safeParse({ url, token: tokenVariable });
  if (!read.success) throw new UsageError(`${url} ${read.error.issues[0]?.message ?? 'cannot be used'}`);
  if (!variables[tokenVariable]) {
    error(`Set ${tokenVariable} to the token that the operator gave to this agent.`);
    return 1;
  }
  const { bridge } = await import('../vendors/mcp/bridge.ts');
  // Lines that arrive before somebody asks for them would be lost.
  const lines = createInterface(process.stdin)[Symbol.asyncIterator]();
  await bridge(transportFor(read.data, variables, fetch), lines, out);
  return 0;
}

function configOf({ variables }: CommandContext): OperatorConfig {
  return operatorConfig(variables);
}

async function pin(name: string, only: readonly string[], context: CommandContext): Promise<number> {
  const server = entryOf(name, context);
  return asking({ [name]: server }, context, async (mcp, signal) => {
    const offered = await mcp.offered(name, signal);
    const strange = only.filter((tool) => !offered.some((one) => one.name === tool));
    if (strange.length > 0) {
      const known = offered.map((one) => one.name).join(', ') || 'none';
      context.error(`${name} offers no tool ${strange.join(', ')}; it offers ${known}`);
      return 1;
    }
    const wanted = offered.filter((tool) => only.length === 0 || only.includes(tool.name));
    for (const line of pinEntries(name, wanted)) context.out(line);
    return 0;
  });
}

/** Only the entry: it may be pinned for the first time while the rest of the file is still being written. */
function entryOf(name: string, { variables }: CommandContext) {
  const file = variables.COUNTERSIGN_CONFIG ?? 'countersign.yml';
  const document = parseDocument(existsSync(file) ? readBounded(file) : '{}');
  const servers = document.get('mcp');
  const entry: unknown = isMap(servers) ? own(servers.toJS(document), name) : undefined;
  if (entry === undefined) {
    throw new UsageError(`${file} has no mcp.${name}. Add it first:
mcp:
  ${name}:
    command: [node, path/to/server.js]     # or url: https://…`);
  }
  // Existing pins are not needed for pinning again, and may be the problem.
  const parsed = mcpServerSchema.omit({ tools: true }).strip().safeParse(entry, { error: plainWords });
  if (parsed.success) return { ...parsed.data, tools: {} };
  const [issue] = parsed.error.issues;
  throw new UsageError(`mcp.${name}.${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`);
}

async function check(config: OperatorConfig, context: CommandContext): Promise<number> {
  if (pinsOf(config.mcp).length === 0)
    context.out('No MCP tools are pinned, so there is nothing to check. Pin some with mcp pin <server>.');
  return (await checkPins(config, context)) ? 0 : 1;
}

/** Asks every server with pinned tools and reports mismatches. True if there are none. */
export async function checkPins(config: OperatorConfig, context: CommandContext): Promise<boolean> {
  if (pinsOf(config.mcp).length === 0) return true;
  return asking(config.mcp, context, async (mcp, signal) => {
    const states = await mcp.look(signal);
    for (const { pin, state, message } of states) {
      context.out(state === 'unreachable' ? `${pin.name} could not be checked: ${message}` : message);
    }
    return states.every(({ state }) => state === 'ok');
  });
}

async function asking<T>(
  servers: OperatorConfig['mcp'],
  { variables }: CommandContext,
  ask: (mcp: Mcp, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const mcp = createMcp({ servers, variables, fetch });
  try {
    return await ask(mcp, AbortSignal.timeout(timeoutMs));
  } finally {
    await mcp.close();
  }
}
