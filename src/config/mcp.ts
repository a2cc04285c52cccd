import { mapArguments } from '../core/json-schema.ts';
import { SchemaError } from '../core/json-schema-value.ts';
import type { McpServer, McpServers, PinnedTool } from '../core/mcp.ts';
import { type Known as EverythingKnown, notForFronts } from './complaint.ts';
import { neededVariable } from './secret-files.ts';

export interface McpComplaint {
  readonly path: readonly string[];
  readonly message: string;
}

type Known = Pick<EverythingKnown, 'variables' | 'holdsNoKeys'> & {
  readonly tools: ReadonlyMap<string, unknown>;
};

/** Problems with the MCP servers' entries beyond their schema. */
export function mcpComplaints(servers: McpServers, known: Known): McpComplaint[] {
  const systems = new Set([...known.tools.keys()].map((tool) => tool.split('.')[0]));
  return Object.entries(servers).flatMap(([name, server]) => {
    const at = (path: readonly string[], message: string) => ({ path: ['mcp', name, ...path], message });
    const taken = systems.has(name) ? [at([], 'is the name of a system that the bot has tools for')] : [];
    const found = [...serverComplaints(server, known), ...toolComplaints(server)];
    return [...taken, ...found.map(({ path, message }) => at(path, message))];
  });
}

function serverComplaints(
  { command, url, env, token }: McpServer,
  { variables, holdsNoKeys }: Known,
): McpComplaint[] {
  const complaints: McpComplaint[] = [];
  const must = (holds: boolean, path: string[], message: string): void => {
    if (!holds) complaints.push({ path, message });
  };
  must((command === undefined) !== (url === undefined), [], 'must have a command or a url, not both');
  must(url === undefined || env.length === 0, ['env'], 'is for a command; a url has a token');
  must(command === undefined || token === undefined, ['token'], 'is for a url; a command has env');
  for (const name of [...env, ...(token === undefined ? [] : [token])]) {
    const path = [name === token ? 'token' : 'env'];
    if (!holdsNoKeys) must(variables.has(name), path, neededVariable(name, variables));
    // A front starts no programs; the variables they get may be harmless ones such as HOME.
    else if (name === token) must(!variables.has(name), path, notForFronts(name));
  }
  return complaints;
}

function toolComplaints({ tools }: McpServer): McpComplaint[] {
  const seen = new Map<string, string>();
  return Object.entries(tools).flatMap(([verb, pinned]) => {
    const at = (path: readonly string[], message: string) => ({ path: ['tools', verb, ...path], message });
    const given = pinned.tool ?? verb;
    const other = seen.get(given);
    seen.set(given, verb);
    const twice = other === undefined ? [] : [at(['tool'], `is pinned twice: ${other} is the same tool`)];
    const undo = pinned.effect === 'read' || pinned.undo !== undefined;
    return [
      ...twice,
      ...(undo ? [] : [at(['undo'], 'is missing: a write says how it is taken back, or that nobody can')]),
      ...argumentComplaints(pinned).map(({ path, message }) => at(path, message)),
    ];
  });
}

function argumentComplaints({ input, args, ask, results }: PinnedTool): McpComplaint[] {
  try {
    const { shape } = mapArguments(input, args).args;
    const strange = Object.keys(ask.args).filter((name) => !Object.hasOwn(shape, name));
    const known = Object.keys(shape).join(', ') || 'none';
    const reserved = Object.keys(results).filter((name) => name === 'lines' || name === 'truncated');
    return [
      ...strange.map((name) => ({
        path: ['ask', 'args', name],
        message: `is not an argument; there are ${known}`,
      })),
      ...reserved.map((name) => ({
        path: ['results', name],
        message: 'is the name of what every answer has',
      })),
    ];
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    return [{ path: [], message: error.message }];
  }
}
