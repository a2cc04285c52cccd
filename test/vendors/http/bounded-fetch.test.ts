/** Why: every run calls Slack and Jira through it, so no answer may fill the memory or lead elsewhere. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { boundedFetch } from '../../../src/vendors/http/bounded-fetch.ts';
import { freePort } from '../../support/port.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/there`;
}

test('reads an answer as fetch does', async () => {
  const url = await serve(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    response.writeHead(body === '' ? 204 : 201, {
      'x-two': ['one', 'other'],
      'x-asked': request.method ?? '',
    });
    response.end(body === '' ? undefined : `${body} zurück`);
  });
  const answer = await boundedFetch(url, { method: 'POST', body: 'Grüße' });
  expect([answer.status, answer.statusText]).toEqual([201, 'Created']);
  expect([answer.headers.get('x-two'), answer.headers.get('x-asked')]).toEqual(['one, other', 'POST']);
  expect(await answer.text()).toBe('Grüße zurück');
  const empty = await boundedFetch(new URL(url));
  expect([empty.status, await empty.text()]).toEqual([204, '']);
});

test('follows no redirect', async () => {
  const url = await serve((_request, response) => {
    response.writeHead(302, { location: 'https://evil.example/' }).end('moved');
  });
  expect((await boundedFetch(url, { redirect: 'manual' })).status).toBe(302);
  expect((await boundedFetch(url)).status).toBe(302);
  await expect(boundedFetch(url, { redirect: 'error' })).rejects.toThrow('fetch failed');
});

test('a failed request says why', async () => {
  const nobody = `http://127.0.0.1:${await freePort()}/`;
  await expect(boundedFetch(nobody)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  const silent = await serve(() => undefined);
  const reason = new Error('that was long enough');
  const stop = new AbortController();
  const asked = boundedFetch(silent, { signal: stop.signal });
  stop.abort(reason);
  await expect(asked).rejects.toBe(reason);
  const half = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('half', () => response.destroy());
  });
  await expect(boundedFetch(half)).rejects.toMatchObject({ cause: { code: 'UND_ERR_SOCKET' } });
});

test('an endless answer is abandoned and its connection closed', async () => {
  const closed = Promise.withResolvers<void>();
  const endless = await serve((_request, response) => {
    response.once('close', closed.resolve);
    const more = () => response.write('x'.repeat(1_000_000), (error) => error ?? setImmediate(more));
    more();
  });
  await expect(boundedFetch(endless)).rejects.toThrow('the answer is too long');
  await closed.promise;
});
