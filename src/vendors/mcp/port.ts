import type { JsonObject } from '../../core/json.ts';

/** What pinned tools may ask of MCP servers. */

export interface McpCall {
  /** `notes.search`: the tool's name in plans. */
  readonly name: string;
  /** As the server wants them. */
  readonly args: JsonObject;
}

/** Fields of the structured answer that the operator declared, and everything that was said as text. */
export type McpResult = JsonObject & { readonly lines: string; readonly truncated: boolean };

export interface McpReader {
  /** Calls a tool that is pinned as a read; any other is refused. Failures are VendorErrors. */
  call(call: McpCall, signal: AbortSignal): Promise<McpResult>;
}

export interface McpWriter {
  /** Calls a tool that is pinned as a write. */
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
