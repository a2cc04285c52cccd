import type { McpServer, McpServers } from '../../core/mcp.ts';
import type { Connection, ConnectOptions } from './connection.ts';
import { failedCall, notReached, refused } from './errors.ts';

export interface McpOptions {
  readonly servers: McpServers;
  /** The raw environment; servers get the variables named in their entry. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly fetch: typeof fetch;
}

/** Connections to the configured servers, each opened on demand. */
export interface McpLines {
  /**
   * Runs one exchange; anything that is not a valid answer ends the connection, so that the next call starts afresh.
   * Throws a VendorError.
   */
  exchange<T>(
    server: string,
    about: { readonly write: boolean; readonly signal: AbortSignal },
    run: (connection: Connection, secrets: readonly string[]) => Promise<T>,
  ): Promise<T>;
  close(): Promise<void>;
}

export function createLines(options: McpOptions): McpLines {
  const open = new Map<string, Promise<Connection>>();

  function connection(name: string, server: McpServer, signal: AbortSignal): Promise<Connection> {
    const known = open.get(name);
    if (known !== undefined) return known;
    const forget = () => {
      if (open.get(name) === opening) open.delete(name);
    };
    const opening: Promise<Connection> = connectTo(server, options, { signal, onLost: forget }).catch(
      (error: unknown) => {
        forget();
        throw notReached(error, aboutOf(name, server, options));
      },
    );
    open.set(name, opening);
    return opening;
  }

  return {
    async exchange(name, about, run) {
      const server = options.servers[name];
      if (server === undefined)
        throw refused('mcp_server', `There is no MCP server ${name} in countersign.yml.`);
      const to = await connection(name, server, about.signal);
      const said = aboutOf(name, server, options);
      try {
        return await run(to, said.secrets);
      } catch (error) {
        const failed = failedCall(error, { ...said, ...about });
        if (failed.retryable) await to.close();
        throw failed;
      }
    },
    async close() {
      const all = await Promise.allSettled(open.values());
      await Promise.all(all.map((one) => (one.status === 'fulfilled' ? one.value.close() : undefined)));
    },
  };
}

/** The server's name in errors, and the secrets to hide in them. */
function aboutOf(name: string, { token, env }: McpServer, { variables }: McpOptions) {
  const secrets = [token, ...env].flatMap((variable) => variables[variable ?? ''] ?? []);
  return { vendor: `the MCP server ${name}`, secrets: secrets.filter((secret) => secret.length >= 6) };
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
