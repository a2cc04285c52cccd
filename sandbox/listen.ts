import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { serve } from '@hono/node-server';
import type { Env, Hono } from 'hono';
import type { SandboxEnv } from './journal.ts';

export interface Listening {
  readonly port: number;
  /** Without a trailing slash. */
  readonly url: string;
  /** Also ends open and hanging connections. */
  close(): Promise<void>;
}

export interface ListenOptions {
  /** 0 or absent: any free port. */
  readonly port?: number;
  /** PEM texts; the address is then https://localhost, the name on the certificate. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

type App<E extends Env = SandboxEnv> = Pick<Hono<E>, 'fetch'>;

/** Serves an application on 127.0.0.1 and resolves once connections are accepted. */
export async function listen<E extends Env>(app: App<E>, options: ListenOptions = {}): Promise<Listening> {
  const { tls } = options;
  const address = { fetch: app.fetch, hostname: '127.0.0.1', port: options.port ?? 0 };
  const { server, port } = await new Promise<{ server: ReturnType<typeof serve>; port: number }>(
    (resolve, reject) => {
      function ready(info: AddressInfo): void {
        resolve({ server: started, port: info.port });
      }
      const started =
        tls === undefined
          ? serve(address, ready)
          : serve({ ...address, createServer: createTlsServer, serverOptions: tls }, ready);
      started.once('error', reject);
    },
  );
  return {
    port,
    url: tls === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}

/** A port that is ours from now on; it answers 503 until it has an application. */
export interface Claim extends Listening {
  serve(app: App): Listening;
}

const portsToTry = 20;

/**
 * The first free port, held at once: two that start together get one each. The port that is `beside` higher is free as
 * well, and nobody who claims ports in this way takes it.
 */
export async function claimPort(first: number, beside: number): Promise<Claim> {
  let served: App = { fetch: () => new Response('It is starting.', { status: 503 }) };
  for (let port = first; port < first + portsToTry; port += 1) {
    const held = await unlessTaken(
      listen<SandboxEnv>({ fetch: (...request) => served.fetch(...request) }, { port }),
    );
    if (held === null) continue;
    if (await isFree(port + beside)) {
      return {
        ...held,
        serve(app) {
          served = app;
          return held;
        },
      };
    }
    await held.close();
  }
  throw new Error(
    `ports ${first} to ${first + portsToTry - 1}, or those ${beside} higher, are all taken: set PORT to another one`,
  );
}

/** Null where another program listens already. */
async function unlessTaken<T>(listening: Promise<T>): Promise<T | null> {
  try {
    return await listening;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return null;
    throw error;
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  const found = await unlessTaken(once(probe, 'listening'));
  probe.close();
  return found !== null;
}
