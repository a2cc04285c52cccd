import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { type AgentDesk, type AgentSkill, callSkill } from '../../core/agent.ts';
import { CountersignError, describeError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Log } from '../../core/log.ts';

const instructions =
  'Countersign runs what people approve. You propose; they decide in Slack. Read countersign://catalogue and countersign://notation first.';

/** The MCP server of one agent. It keeps nothing: each request has a server of its own. */
export function serverFor(desk: AgentDesk, version: string, log: Log): Server {
  const capabilities = { tools: {}, resources: {} };
  const server = new Server({ name: 'countersign', version }, { capabilities, instructions });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: desk.skills.map(toolOf) }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => call(desk, params, log));
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: desk.pages.map(({ uri, name, about: description, mimeType }) => ({
      uri,
      name,
      description,
      mimeType,
    })),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => {
    const page = desk.pages.find(({ uri }) => uri === params.uri);
    const known = desk.pages.map(({ uri }) => uri).join(' and ');
    if (page === undefined)
      throw new McpError(ErrorCode.InvalidParams, `There is no such resource; there are ${known}.`);
    return { contents: [{ uri: page.uri, mimeType: page.mimeType, text: page.read() }] };
  });
  return server;
}

function toolOf({ name, about, args, isReadOnly }: AgentSkill) {
  const { $schema: _dialect, ...inputSchema } = z.toJSONSchema(args, { io: 'input' });
  const hints = { readOnlyHint: isReadOnly, destructiveHint: false, openWorldHint: false };
  return {
    name,
    description: about,
    inputSchema: { ...inputSchema, type: 'object' as const },
    annotations: hints,
  };
}

async function call(
  desk: AgentDesk,
  { name, arguments: given = {} }: { name: string; arguments?: Record<string, unknown> | undefined },
  log: Log,
): Promise<CallToolResult> {
  try {
    const answer = await callSkill(desk, name, given);
    return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer };
  } catch (error) {
    const { code, message } = describeError(error);
    if (error instanceof CountersignError) return refused(code, message);
    log.error({ agent: desk.agent, tool: name, detail: message }, 'A call of an agent failed');
    return refused('internal', 'That failed on our side. Try again; the operator has it in the log.');
  }
}

function refused(code: string, message: string): CallToolResult {
  const answer: JsonObject = { code, message };
  return {
    isError: true,
    content: [{ type: 'text', text: JSON.stringify(answer) }],
    structuredContent: answer,
  };
}
