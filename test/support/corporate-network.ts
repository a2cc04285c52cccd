import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, request as requestTls } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { makeCertificate } from '../../sandbox/pagerduty/certificate.ts';

export interface CorporateNetwork {
  /** `http://127.0.0.1:port`, for HTTPS_PROXY. */
  readonly proxyUrl: string;
  /** PEM file of the authority that signed the names inside. */
  readonly caPath: string;
  /** `host:port` of each tunnel that was asked for, in order. */
  readonly tunnels: readonly string[];
  close(): Promise<void>;
}

/**
 * A network whose only way out is a proxy: no name in `hosts` can be resolved, and the proxy's CONNECT leads each to the
 * vendor behind its address, with a certificate of the company's own authority.
 */
export async function startCorporateNetwork(
  hosts: Readonly<Record<string, string>>,
): Promise<CorporateNetwork> {
  const certificate = await makeCertificate(Object.keys(hosts));
  const inside = createTlsServer({ key: certificate.key, cert: certificate.cert }, (asked, answer) =>
    forward(asked, answer, hosts),
  );
  inside.on('upgrade', (asked: IncomingMessage, socket, head) => {
    const { hostname, port } = new URL(hosts[hostOf(asked)] ?? '');
    const vendor = connect(Number(port), hostname, () => {
      const headers = asked.rawHeaders.flatMap((name, at) =>
        at % 2 === 0 ? [`${name}: ${asked.rawHeaders[at + 1]}`] : [],
      );
      vendor.write(`GET ${asked.url} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
      vendor.write(head);
      socket.pipe(vendor).pipe(socket);
    });
    for (const end of [vendor, socket]) end.on('error', () => [vendor, socket].map((one) => one.destroy()));
  });
  const insidePort = await listening(inside);
  const tunnels: string[] = [];
  const proxy = createServer((_asked, answer) => answer.writeHead(405).end());
  proxy.on('connect', (asked, client, head) => {
    const target = asked.url ?? '';
    tunnels.push(target);
    if (!Object.hasOwn(hosts, target.split(':')[0] ?? ''))
      return client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const tunnel = connect(insidePort, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      tunnel.write(head);
      client.pipe(tunnel).pipe(client);
    });
    for (const end of [tunnel, client]) end.on('error', () => [tunnel, client].map((one) => one.destroy()));
  });
  const proxyPort = await listening(proxy);
  return {
    proxyUrl: `http://127.0.0.1:${proxyPort}`,
    caPath: certificate.caPath,
    tunnels,
    async close() {
      for (const server of [proxy, inside]) {
        server.close();
        server.closeAllConnections();
      }
      await certificate.remove();
    },
  };
}

async function listening(server: ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function hostOf({ headers }: IncomingMessage): string {
  return headers.host?.split(':')[0] ?? '';
}

/** Passes a request on; an address of the vendor in its answer becomes the name it has in this network. */
function forward(
  asked: IncomingMessage,
  answer: ServerResponse,
  hosts: Readonly<Record<string, string>>,
): void {
  const name = hostOf(asked);
  const target = new URL(asked.url ?? '/', hosts[name]);
  const send = target.protocol === 'https:' ? requestTls : request;
  const headers = { ...asked.headers, host: target.host };
  const onwards = send(target, { method: asked.method, headers, rejectUnauthorized: false }, async (got) => {
    const chunks: Buffer[] = [];
    for await (const chunk of got) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString().replaceAll(`ws://${target.host}`, `wss://${name}`);
    answer.writeHead(got.statusCode ?? 502, { 'content-type': got.headers['content-type'] ?? 'text/plain' });
    answer.end(text);
  });
  onwards.on('error', () => answer.writeHead(502).end());
  asked.pipe(onwards);
}
