import type { JsonObject } from '../../core/json.ts';

/** Port of the operator's actions. */

export interface ActionCall {
  /** `deploys.rollback`: its name in plans. */
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The same on every attempt at a write; empty for a read. */
  readonly key: string;
}

export interface ActionReader {
  /** Calls an action that reads; any other is refused. Failures are VendorErrors. */
  call(call: ActionCall, signal: AbortSignal): Promise<JsonObject>;
  /** Looks up a write: its result, or null where it has not happened. */
  find(call: ActionCall, signal: AbortSignal): Promise<JsonObject | null>;
}

export interface ActionWriter {
  /** Calls an action that writes. */
  call(call: ActionCall, signal: AbortSignal): Promise<JsonObject>;
}

declare module '../../core/ports.ts' {
  interface Readers {
    readonly actions: ActionReader;
  }
  interface Writers {
    readonly actions: ActionWriter;
  }
}
