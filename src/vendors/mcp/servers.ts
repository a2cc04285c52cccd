import { type Pin, pinsOf } from '../../core/mcp.ts';
import type { DeclaredTool } from './declared.ts';
import { refused } from './errors.ts';
import { createLines, type McpLines, type McpOptions } from './lines.ts';
import { createPinBook, type PinBook, type PinState, stateOf } from './pins.ts';
import type { McpCall, McpReader, McpResult, McpWriter } from './port.ts';
import { readResult } from './result.ts';

export interface Mcp extends Pick<PinBook, 'off' | 'onOff'> {
  readonly reader: McpReader;
  readonly writer: McpWriter;
  /** Gets the current tools of every server, or of those with a tool that is off. Never throws for a server's errors. */
  look(signal: AbortSignal, wanted?: 'all' | 'off'): Promise<PinState[]>;
  /** A server's tools, for pinning. Throws a VendorError. */
  offered(server: string, signal: AbortSignal): Promise<DeclaredTool[]>;
  close(): Promise<void>;
}

/** The configured servers. Each is connected on demand, and asked for its tools before every call. */
export function createMcp(options: McpOptions): Mcp {
  const lines = createLines(options);
  const book = createPinBook();
  const pins = new Map(pinsOf(options.servers).map((pin) => [pin.name, pin]));
  const pinsAt = (server: string) => [...pins.values()].filter((pin) => pin.server === server);

  async function call(
    { name, args }: McpCall,
    effect: 'read' | 'write',
    signal: AbortSignal,
  ): Promise<McpResult> {
    const pin = pins.get(name);
    if (pin?.pinned.effect !== effect) throw refused('mcp_effect', `${name} is not pinned as a ${effect}.`);
    await lines.exchange(pin.server, { write: false, signal }, async (to) => {
      const offered = await to.list(signal);
      for (const each of pinsAt(pin.server)) book.remember(stateOf(each, offered));
      const state = stateOf(pin, offered);
      if (state.state !== 'ok') throw refused('mcp_changed', state.message);
    });
    return lines.exchange(pin.server, { write: effect === 'write', signal }, async (to, secrets) =>
      readResult(pin, await to.call(pin.tool, args, signal), secrets),
    );
  }

  return {
    reader: { call: (asked, signal) => call(asked, 'read', signal) },
    writer: { call: (asked, signal) => call(asked, 'write', signal) },
    async look(signal, wanted = 'all') {
      const servers = Object.keys(options.servers).filter(
        (server) => wanted === 'all' || pinsAt(server).some(({ name }) => book.off.has(name)),
      );
      const found = await Promise.all(servers.map((server) => lookAt(server, pinsAt(server), lines, signal)));
      for (const state of found.flat()) book.remember(state);
      return found.flat();
    },
    offered: (server, signal) => lines.exchange(server, { write: false, signal }, (to) => to.list(signal)),
    off: book.off,
    onOff: book.onOff,
    close: () => lines.close(),
  };
}

async function lookAt(
  server: string,
  pins: readonly Pin[],
  lines: McpLines,
  signal: AbortSignal,
): Promise<PinState[]> {
  try {
    const offered = await lines.exchange(server, { write: false, signal }, (to) => to.list(signal));
    return pins.map((pin) => stateOf(pin, offered));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return pins.map((pin) => ({ pin, state: 'unreachable', message, seen: '' }));
  }
}
