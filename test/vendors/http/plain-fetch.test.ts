/** Why: every run calls Slack and Jira through it, so each difference from fetch has to be on purpose. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { plainFetch } from '../../../src/vendors/http/plain-fetch.ts';
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

test('sends and reads the same as fetch', async () => {
  const asked: unknown[] = [];
  const url = await serve(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    asked.push([
      request.method,
      request.url,
      request.headers['x-own'],
      request.headers.accept,
      request.headers['user-agent'],
      request.headers['content-length'],
      body,
    ]);
    response.writeHead(body === '' ? 204 : 201, { 'x-two': ['one', 'other'] });
    response.end(body === '' ? undefined : 'Grüße zurück');
  });
  const body = JSON.stringify({ text: 'Grüße' });
  for (const ask of [fetch, plainFetch]) {
    const answer = await ask(url, { method: 'POST', headers: { 'X-Own': 'yes' }, body });
    expect([answer.status, answer.statusText, answer.headers.get('x-two')]).toEqual([
      201,
      'Created',
      'one, other',
    ]);
    expect(await answer.text()).toBe('Grüße zurück');
    const empty = await ask(new URL(url));
    expect([empty.status, await empty.text()]).toEqual([204, '']);
    const form = await ask(url, { method: 'POST', body: new URLSearchParams({ a: 'b' }) });
    expect(form.status).toBe(201);
  }
  expect(asked.slice(3)).toEqual(asked.slice(0, 3));
  expect(asked[0]).toEqual(['POST', '/there', 'yes', '*/*', 'node', String(Buffer.byteLength(body)), body]);
});

test('follows no redirect', async () => {
  const url = await serve((_request, response) => {
    response.writeHead(302, { location: 'https://evil.example/' }).end('moved');
  });
  expect((await plainFetch(url, { redirect: 'manual' })).status).toBe(302);
  expect((await plainFetch(url)).status).toBe(302);
  await expect(plainFetch(url, { redirect: 'error' })).rejects.toThrow('the answer is a redirect');
});

test('a failed request says why', async () => {
  const nobody = `http://127.0.0.1:${await freePort()}/`;
  await expect(plainFetch(nobody)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  const silent = await serve(() => undefined);
  const reason = new Error('that was long enough');
  const stop = new AbortController();
  const asked = plainFetch(silent, { signal: stop.signal });
  stop.abort(reason);
  await expect(asked).rejects.toBe(reason);
  await expect(plainFetch(silent, { signal: stop.signal })).rejects.toBe(reason);
  const half = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('half', () => response.destroy());
  });
  await expect(plainFetch(half)).rejects.toMatchObject({ code: 'ECONNRESET' });
  const endless = await serve((_request, response) => {
    const more = () => response.write('x'.repeat(1_000_000), (error) => error ?? setImmediate(more));
    more();
  });
  await expect(plainFetch(endless)).rejects.toThrow('the answer is too long');
});
