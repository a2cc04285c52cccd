import { mcpManifests } from '../manifests/mcp.ts';
import { VendorError } from '../src/core/errors.ts';
import { fieldInfo } from '../src/core/fields.ts';
import { mapArguments } from '../src/core/json-schema.ts';
import type { Manifest } from '../src/core/manifest.ts';
import { type McpServers, type Pin, pinsOf } from '../src/core/mcp.ts';
import type { Readers } from '../src/core/ports.ts';
import { defineRead, defineWrite, type ResolvedTarget, type Tool } from '../src/core/tool.ts';

type McpCall = Parameters<Readers['mcp']['call']>[0];

/** The implementations of pinned MCP tools, by tool name. */
export function mcpTools(servers: McpServers): Map<string, Tool> {
  const manifests = mcpManifests(servers);
  return new Map(
    pinsOf(servers).flatMap((pin): [string, Tool][] => {
      const manifest = manifests.find(({ name }) => name === pin.name);
      return manifest === undefined ? [] : [[pin.name, toolFor(pin, manifest)]];
    }),
  );
}

function toolFor({ name, pinned }: Pin, manifest: Manifest): Tool {
  const { toServer } = mapArguments(pinned.input, pinned.args);
  const call = (args: Record<string, unknown>): McpCall => ({ name, args: toServer(args) });
  if (manifest.effect === 'read') {
    return {
      effect: 'read',
      tool: defineRead(manifest, (args, { readers, signal }) => readers.mcp.call(call(args), signal)),
    };
  }
  const tool = defineWrite(manifest, {
    run: (args, { writers, signal }) => writers.mcp.call(call(args), signal),
    async find() {
      throw new VendorError('mcp_no_look', `${name} has no way to look whether it has happened.`, {
        ...{ retryable: false, mayHaveHappened: true },
      });
    },
    resolve: async (args) => targetsIn(manifest, args),
    preview: (args) => `would call ${name}: ${JSON.stringify(toServer(args))}`,
  });
  return { effect: 'write', tool };
}

/** Only the server knows what a name refers to: the name itself is shown, and must stay the same. */
function targetsIn(manifest: Manifest, args: Record<string, unknown>): Omit<ResolvedTarget, 'step'>[] {
  return Object.entries(manifest.args.shape).flatMap(([arg, schema]) => {
    const kind = fieldInfo(schema).target;
    const value = args[arg];
    if (kind === undefined || value === undefined) return [];
    const named = Array.isArray(value) ? value.join(', ') : String(value);
    return [{ arg, kind, value: named, label: `${manifest.name} on ${named}`, identity: named }];
  });
}
