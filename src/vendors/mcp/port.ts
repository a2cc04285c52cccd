import type { JsonObject } from '../../core/json.ts';

/** Port of pinned tools for MCP servers. */

export interface McpCall {
  /** `notes.search`: the tool's name in plans. */
  readonly name: string;
  /** In the server's own format. */
  readonly args: JsonObject;
}

/** Fields of the structured answer declared by the operator, and all text of the answer. */
export type McpResult = JsonObject & { readonly lines: string; readonly truncated: boolean };

export interface McpReader {
  /** Calls a tool pinned as a read; any other is refused. Failures are VendorErrors. */
  call(call: McpCall, signal: AbortSignal): Promise<McpResult>;
}

export interface McpWriter {
  /** Calls a tool pinned as a write. */
  call(call: McpCall, signal: AbortSignal): Promise<McpResult>;
}

declare module '../../core/ports.ts' {
  interface Readers {
    readonly mcp: McpReader;
  }
  interface Writers {
    readonly mcp: McpWriter;
  }
}
