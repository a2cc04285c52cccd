import { digestOf } from '../../core/canonical.ts';
import { type McpServer, type McpServers, type Pin, pinsOf } from '../../core/mcp.ts';
import type { Connection, ConnectOptions } from './connection.ts';
import { type DeclaredTool, pinDigest } from './declared.ts';
import { failedCall, notReached, refused } from './errors.ts';
import type { McpCall, McpReader, McpResult, McpWriter } from './port.ts';
import { readResult } from './result.ts';

export interface McpOptions {
  readonly servers: McpServers;
  /** The environment as it was given; servers get what their entry names. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly fetch: typeof fetch;
}

/** What became of a pinned tool: `ok`, or why it cannot be called. */
export interface PinState {
  readonly pin: Pin;
  readonly state: 'ok' | 'changed' | 'missing' | 'unreachable';
  readonly message: string;
  /** Hash of what the server says of it now; empty where it says nothing. */
  readonly seen: string;
}

export interface Mcp {
  readonly reader: McpReader;
  readonly writer: McpWriter;
  /** Asks every server, or one, what it offers now. Never throws for what a server does. */
  look(signal: AbortSignal): Promise<PinState[]>;
  /** What a server offers, for pinning it. Throws a VendorError. */
  offered(server: string, signal: AbortSignal): Promise<DeclaredTool[]>;
  /** Tools that were found changed or missing, by name, with what is wrong; a tool that is as pinned again leaves it. */
  readonly off: ReadonlyMap<string, string>;
  /** Who is told when a tool is found changed or missing that was not before. */
  onOff(listener: (state: PinState) => void): void;
  close(): Promise<void>;
}

/** The configured servers. Each is connected to when it is needed, and asked for its tools before every call. */
export function createMcp(options: McpOptions): Mcp {
  const open = new Map<string, Promise<Connection>>();
  const off = new Map<string, string>();
  const listeners: ((state: PinState) => void)[] = [];
  const pins = new Map(pinsOf(options.servers).map((pin) => [pin.name, pin]));

  async function connection(name: string, signal: AbortSignal): Promise<Connection> {
    const server = options.servers[name];
    if (server === undefined)
      throw refused('mcp_server', `There is no MCP server ${name} in countersign.yml.`);
    const known = open.get(name);
    if (known !== undefined) return known;
    const opening: Promise<Connection> = connectTo(server, options, {
      signal,
      onLost: () => {
        if (open.get(name) === opening) open.delete(name);
      },
    }).catch((error: unknown) => {
      if (open.get(name) === opening) open.delete(name);
      throw notReached(error, aboutOf(name, server));
    });
    open.set(name, opening);
    return opening;
  }

  function aboutOf(name: string, { token, env }: McpServer) {
    const secrets = [token, ...env].flatMap((variable) => options.variables[variable ?? ''] ?? []);
    return { vendor: `the MCP server ${name}`, secrets: secrets.filter((secret) => secret.length >= 6) };
  }

  /** Runs one exchange; what is not an answer of the server ends the connection, so that the next starts afresh. */
  async function exchange<T>(
    server: string,
    about: { readonly write: boolean; readonly signal: AbortSignal },
    run: (connection: Connection, secrets: readonly string[]) => Promise<T>,
  ): Promise<T> {
    const to = await connection(server, about.signal);
    const said = aboutOf(server, options.servers[server] as McpServer);
    try {
      return await run(to, said.secrets);
    } catch (error) {
      const failed = failedCall(error, { ...said, ...about });
      if (failed.retryable) await to.close();
      throw failed;
    }
  }

  async function call(
    { name, args }: McpCall,
    effect: 'read' | 'write',
    signal: AbortSignal,
  ): Promise<McpResult> {
    const pin = pins.get(name);
    if (pin?.pinned.effect !== effect) throw refused('mcp_effect', `${name} is not pinned as a ${effect}.`);
    await exchange(pin.server, { write: false, signal }, async (to) => {
      const state = stateOf(pin, await to.list(signal));
      remember(state);
      if (state.state !== 'ok') throw refused('mcp_changed', state.message);
    });
    return exchange(pin.server, { write: effect === 'write', signal }, async (to, secrets) =>
      readResult(pin, await to.call(pin.tool, args, signal), secrets),
    );
  }

  function remember(found: PinState): void {
    const { pin, state, message } = found;
    if (state === 'ok') off.delete(pin.name);
    if (state !== 'changed' && state !== 'missing') return;
    const isNew = !off.has(pin.name);
    off.set(pin.name, message);
    if (isNew) for (const listener of listeners) listener(found);
  }

  async function lookAt(server: string, signal: AbortSignal): Promise<PinState[]> {
    const mine = [...pins.values()].filter((pin) => pin.server === server);
    try {
      const offered = await exchange(server, { write: false, signal }, (to) => to.list(signal));
      return mine.map((pin) => stateOf(pin, offered));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return mine.map((pin) => ({ pin, state: 'unreachable', message, seen: '' }));
    }
  }

  return {
    reader: { call: (asked, signal) => call(asked, 'read', signal) },
    writer: { call: (asked, signal) => call(asked, 'write', signal) },
    async look(signal) {
      const states = await Promise.all(Object.keys(options.servers).map((name) => lookAt(name, signal)));
      for (const state of states.flat()) remember(state);
      return states.flat();
    },
    offered: (server, signal) => exchange(server, { write: false, signal }, (to) => to.list(signal)),
    off,
    onOff: (listener) => void listeners.push(listener),
    async close() {
      const all = await Promise.allSettled(open.values());
      await Promise.all(all.map((one) => (one.status === 'fulfilled' ? one.value.close() : undefined)));
    },
  };
}

/** Whether a tool still is what was pinned. Two of one name could be told apart by nobody. */
function stateOf(pin: Pin, offered: readonly DeclaredTool[]): PinState {
  const [found, ...others] = offered.filter(({ name }) => name === pin.tool);
  const seen = found === undefined ? '' : pinDigest(found);
  const switchedOff = (state: 'changed' | 'missing', why: string): PinState => {
    const message = `The tool ${pin.name} is switched off: ${why}. See npm run -s cli -- mcp pin ${pin.server}`;
    return { pin, state, message, seen };
  };
  if (found === undefined) return switchedOff('missing', 'its server no longer has it');
  if (others.length > 0) return switchedOff('changed', 'its server offers two tools of that name');
  const isPinned = seen === pin.pinned.sha256 && digestOf(found.inputSchema) === digestOf(pin.pinned.input);
  if (isPinned) return { pin, state: 'ok', message: `${pin.name} is as pinned`, seen };
  return switchedOff('changed', 'its server now describes it differently than when it was pinned');
}

/** The client is loaded with the first connection: most installations have no MCP server. */
async function connectTo(
  server: McpServer,
  { variables, fetch }: McpOptions,
  options: ConnectOptions,
): Promise<Connection> {
  const [{ connect }, { transportFor }] = await Promise.all([
    import('./connection.ts'),
    import('./transport.ts'),
  ]);
  return connect(transportFor(server, variables, fetch), options);
}
