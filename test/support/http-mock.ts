import nock from 'nock';

/** A request that reached a mocked vendor. */
export interface MockedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface Expected {
  readonly method: 'GET' | 'POST';
  /** Path with its query, or a pattern of it. */
  readonly path: string | RegExp;
  readonly status: number;
  readonly answer?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

// Importing it takes over all of HTTP; test files share a process, and most of them talk to real servers.
nock.restore();

/**
 * Stands in for a vendor's real host: the address, path and headers that would go there are the ones checked. Nothing
 * else leaves the process. `done` fails when an expected request did not come.
 */
export function mockHost(host: string): {
  expect(request: Expected): void;
  readonly requests: readonly MockedRequest[];
  done(): void;
} {
  if (!nock.isActive()) nock.activate();
  nock.disableNetConnect();
  const requests: MockedRequest[] = [];
  const scope = nock(host);
  return {
    requests,
    expect({ method, path, status, answer = {}, headers = {} }) {
      const interceptor = scope.intercept(path, method);
      // nock 15 hands over a fetch Request, and takes status, body and headers back.
      interceptor.reply(async (request: Request) => {
        const { pathname, search } = new URL(request.url);
        const text = await request.text();
        requests.push({
          method: request.method,
          path: `${pathname}${search}`,
          headers: Object.fromEntries(request.headers),
          body: readBody(text),
        });
        return [status, JSON.stringify(answer), { 'content-type': 'application/json', ...headers }];
      });
    },
    done() {
      const pending = scope.pendingMocks();
      nock.cleanAll();
      nock.enableNetConnect();
      nock.restore();
      if (pending.length > 0) throw new Error(`these requests never came: ${pending.join(', ')}`);
    },
  };
}

function readBody(text: string): unknown {
  return text.startsWith('{') ? JSON.parse(text) : text;
}
