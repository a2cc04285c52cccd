import { createHash } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { z } from 'zod';
import { configWith } from './scenario.ts';
import type { Workspace } from './workspace.ts';

export const agentToken = 'a-token-of-the-agent-for-tests';

export const tokenOf = (name: string): string => `${agentToken}-${name}`;

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Settings with the agent bits-ai of Ana, other agents that differ from it in something, and more sections. */
export function agentsConfig(
  agent: Readonly<Record<string, unknown>> = {},
  sections: Readonly<Record<string, unknown>> = {},
  others: Readonly<Record<string, object>> = {},
): string {
  const bits = {
    ...{ owner: 'U0ANA', token_sha256: hashOf(agentToken), channels: ['ops'], reads: 'run' },
    tools: ['jira.*', 'sla.*', 'pagerduty.*'],
    ...agent,
  };
  const more = Object.entries(others).map(([name, of]) => [
    name,
    { ...bits, token_sha256: hashOf(tokenOf(name)), ...of },
  ]);
  return configWith({ agents: { 'bits-ai': bits, ...Object.fromEntries(more) }, ...sections });
}

/** A client of the bot's door for agents; closed by the caller. */
export async function connectAgent(workspace: Workspace, token = agentToken): Promise<Client> {
  const client = new Client({ name: 'bits-ai', version: '1' });
  const url = new URL(`http://127.0.0.1:${workspace.env.PORT}/mcp`);
  const headers = { authorization: `Bearer ${token}` };
  // Its types leave out that properties may be undefined; Transport's do not.
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }) as Transport);
  return client;
}

const answerSchema = z.looseObject({
  id: z.string().optional(),
  state: z.string().optional(),
  code: z.string().optional(),
  message: z.string().optional(),
});
export type Answer = z.infer<typeof answerSchema>;

/** A tool's answer as the client sees it. */
export async function ask(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Answer> {
  const { structuredContent } = await client.callTool({ name, arguments: args });
  return answerSchema.parse(structuredContent);
}
