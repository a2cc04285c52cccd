import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { endProgram, type Program, startProgram } from '../../child.ts';
import { parseJson } from '../../core/json.ts';
import { BadAnswer } from './errors.ts';
import { createLineReader, type LineReader } from './line-reader.ts';

/** Time a server gets to exit after its input has ended, and again after a request to stop. */
const graceMs = 2_000;
/** Some servers print a greeting to the wrong stream; one that writes more than this does not speak the protocol. */
const maxUnreadable = 20;

type Child = ReturnType<typeof startProgram>;

/**
 * Communicates with a server over the input and output of its own process, one message per line. The library's own
 * transport passes on the bot's variables, and copies its whole buffer with every piece that arrives.
 */
export function stdioTransport(program: Program, maxBytes: number): Transport {
  const reader = createLineReader(maxBytes);
  let child: Child | null = null;
  const transport: Transport = {
    start() {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const started = startProgram(program);
      child = started;
      started.once('spawn', resolve);
      started.once('error', reject);
      // Its own child processes end with it.
      started.once('exit', () => endProgram(started, 'SIGKILL'));
      started.once('close', () => {
        child = null;
        transport.onclose?.();
      });
      listen(started, reader, transport);
      return promise;
    },
    async send(message) {
      if (child?.stdin?.writable !== true) throw new Error('its program has ended');
      reader.begin();
      child.stdin.write(`${JSON.stringify(message)}\n`);
    },
    async close() {
      const ending = child;
      child = null;
      if (ending !== null) await end(ending);
    },
  };
  return transport;
}

/** Passes on every message; one that is too long, or not protocol, ends the program. */
function listen(child: Child, reader: LineReader, transport: Transport): void {
  let unreadable = 0;
  const read = (line: string): void => {
    try {
      transport.onmessage?.(JSONRPCMessageSchema.parse(parseJson(line)));
    } catch (error) {
      unreadable += 1;
      if (unreadable > maxUnreadable) throw new BadAnswer('it does not speak MCP');
      transport.onerror?.(asError(error));
    }
  };
  child.stdout?.on('data', (piece: Buffer) => {
    try {
      reader.take(piece).forEach(read);
    } catch (error) {
      child.stdout?.destroy();
      transport.onerror?.(asError(error));
      void transport.close();
    }
  });
  for (const stream of [child.stdin, child.stdout])
    stream?.on('error', (error) => transport.onerror?.(error));
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

async function end(child: Child): Promise<void> {
  child.stdin?.end();
  if (await gone(child)) return;
  endProgram(child, 'SIGTERM');
  if (!(await gone(child))) endProgram(child, 'SIGKILL');
}

function gone(child: Child): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined)
    return Promise.resolve(true);
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), graceMs);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
