import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface OddServer {
  readonly url: string;
  /** Requests so far, as `METHOD /path?query`. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** A vendor that answers whatever the test wants, on loopback: web pages, cut bodies, redirects, silence. */
export async function startOddServer(
  answer: (request: IncomingMessage, response: ServerResponse, count: number) => void,
): Promise<OddServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    answer(request, response, requests.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
