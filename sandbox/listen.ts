import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import type { Env, Hono } from 'hono';

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

/** Serves an application on 127.0.0.1 and resolves once connections are accepted. */
export async function listen<E extends Env>(app: Hono<E>, options: ListenOptions = {}): Promise<Listening> {
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
