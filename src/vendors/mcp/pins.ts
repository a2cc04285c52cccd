import { digestOf } from '../../core/canonical.ts';
import type { Pin } from '../../core/mcp.ts';
import { type DeclaredTool, pinDigest } from './declared.ts';

/** State of a pinned tool: `ok`, or why it cannot be called. */
export interface PinState {
  readonly pin: Pin;
  readonly state: 'ok' | 'changed' | 'missing' | 'unreachable';
  readonly message: string;
  /** Hash of the server's current declaration; empty if there is none. */
  readonly seen: string;
}

/** Whether a tool still matches its pin. Two tools with the same name could not be told apart. */
export function stateOf(pin: Pin, offered: readonly DeclaredTool[]): PinState {
  const [found, ...others] = offered.filter(({ name }) => name === pin.tool);
  const seen = found === undefined ? '' : pinDigest(found);
  const switchedOff = (state: 'changed' | 'missing', why: string): PinState => {
    const message = `The tool ${pin.name} is switched off: ${why}. To use it as it is now, pin it again (npm run -s cli -- mcp pin ${pin.server}).`;
    return { pin, state, message, seen };
  };
  if (found === undefined) return switchedOff('missing', 'its server no longer has it');
  if (others.length > 0) return switchedOff('changed', 'its server offers two tools of that name');
  const isPinned = seen === pin.pinned.sha256 && digestOf(found.inputSchema) === digestOf(pin.pinned.input);
  if (isPinned) return { pin, state: 'ok', message: `${pin.name} is as pinned`, seen };
  return switchedOff('changed', 'its server now describes it differently than when it was pinned');
}

/** The pinned tools that are switched off. */
export interface PinBook {
  /** By name, with the problem; a tool that matches its pin again is removed. */
  readonly off: ReadonlyMap<string, string>;
  /** Called when a tool is newly found changed or missing. */
  onOff(listener: (state: PinState) => void): void;
  remember(found: PinState): void;
}

export function createPinBook(): PinBook {
  const off = new Map<string, string>();
  const listeners: ((state: PinState) => void)[] = [];
  return {
    off,
    onOff: (listener) => void listeners.push(listener),
    remember(found) {
      const { pin, state, message } = found;
      if (state === 'ok') off.delete(pin.name);
      if (state !== 'changed' && state !== 'missing') return;
      const isNew = !off.has(pin.name);
      off.set(pin.name, message);
      if (isNew) for (const listener of listeners) listener(found);
    },
  };
}
