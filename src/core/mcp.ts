import { z } from 'zod';
import { mayLeave } from './address.ts';
import { targetKinds } from './fields.ts';
import { levels } from './manifest.ts';

/** Tools of MCP servers as pinned by the operator: a server's own description is shown there and trusted nowhere. */

const environmentName = z.string().regex(/^[A-Z][A-Z0-9_]*$/, 'must be the name of an environment variable');
const fieldName = z.string().regex(/^[a-z][a-z_]{0,40}$/, 'must be lower case letters and _');
const words = z.array(z.string().min(1).max(60)).max(30);
const asked = z.strictObject({
  verbs: words.min(1).describe('orders, in their plain form: search, look up'),
  nouns: words.default([]).describe('what it is about: note, wiki page'),
  args: z
    .record(
      fieldName,
      z.strictObject({
        cues: words.optional().describe('words right before its value'),
      }),
    )
    .default({}),
  examples: z.array(z.string().min(1).max(200)).min(1).max(10).describe('requests that plan to this tool'),
});

const resultKinds = ['text', 'number', 'whole', 'flag', ...targetKinds] as const;

const pinnedTool = z.strictObject({
  tool: z.string().min(1).max(128).optional().describe('its name at the server, where it differs'),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be the hash that "mcp pin" prints')
    .describe('hash of what the server says of it'),
  effect: z.enum(['read', 'write']).default('write').describe('what you have found it to do'),
  about: z.string().min(1).max(200).describe('one sentence on what it does, for planners and cards'),
  input: z.record(z.string(), z.json()).describe('JSON Schema of its arguments, as pinned'),
  args: z
    .record(
      z.string(),
      z.strictObject({
        name: fieldName.optional().describe('its name in plans'),
        target: z.enum(targetKinds).optional().describe('what it names; other text is just text'),
      }),
    )
    .default({})
    .describe('by the server’s name of the argument'),
  results: z
    .record(fieldName, z.enum(resultKinds))
    .default({})
    .describe('fields of its structured answer that plans may use; the rest is text'),
  ask: asked.describe('how people ask for it'),
  yields: z.enum(levels).default('internal').describe('level of what it returns'),
  accepts: z.enum(levels).default('public').describe('highest level of data that may be sent to it'),
  timeout_ms: z.int().min(100).max(60_000).default(10_000).describe('milliseconds for one call'),
  undo: z
    .string()
    .max(200)
    .regex(/\.$/, 'must be a sentence')
    .optional()
    .describe('how a write is taken back'),
});

export const mcpServerSchema = z.strictObject({
  command: z.array(z.string().min(1).max(1_000)).min(1).max(30).optional().describe('program and arguments'),
  url: z
    .string()
    .refine((value) => URL.canParse(value) && isPlainAddress(new URL(value)), {
      error:
        'must be an https address without user name or password (http is accepted for this machine only)',
    })
    .optional()
    .describe('or its streamable HTTP address'),
  env: z.array(environmentName).default([]).describe('variables that the program is given, beside PATH'),
  token: environmentName.optional().describe('variable with the bearer token for the address'),
  tools: z
    .record(fieldName, pinnedTool)
    .default({})
    .describe('tools by their name in plans, as "mcp pin" prints them'),
});

function isPlainAddress(url: URL): boolean {
  return mayLeave(url) && url.username === '' && url.password === '';
}

export type McpServer = z.infer<typeof mcpServerSchema>;
export type PinnedTool = z.infer<typeof pinnedTool>;
export type ResultKind = (typeof resultKinds)[number];
/** Servers by name. */
export type McpServers = Readonly<Record<string, McpServer>>;

/** One pinned tool and its server. */
export interface Pin {
  readonly server: string;
  /** `notes.search`: its name in plans. */
  readonly name: string;
  /** Its name at the server. */
  readonly tool: string;
  readonly pinned: PinnedTool;
}

export function pinsOf(servers: McpServers): Pin[] {
  return Object.entries(servers).flatMap(([server, { tools }]) =>
    Object.entries(tools).map(([verb, pinned]) => ({
      server,
      name: `${server}.${verb}`,
      tool: pinned.tool ?? verb,
      pinned,
    })),
  );
}
