/** Why: a source that never stops answering must not fill the memory, and has to notice that nobody is reading any more. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { mcpServerSchema } from '../../src/core/mcp.ts';
import { createConfluence } from '../../src/vendors/confluence/search.ts';
import { boundedFetch } from '../../src/vendors/http/bounded-fetch.ts';
import { jiraTransport } from '../../src/vendors/jira/transport.ts';
import { createMcp } from '../../src/vendors/mcp/servers.ts';
import { modelFetch } from '../../src/vendors/model/fetch.ts';
import { restGet } from '../../src/vendors/pagerduty/rest.ts';
import { createResponder } from '../../src/vendors/slack/respond.ts';
import { exportSearch } from '../../src/vendors/splunk/search.ts';

/** The limit is 2 MB; sockets buffer some more on both sides. */
const most = 12_000_000;
const now = () => new Date('2026-03-10T12:00:00Z');
const signal = () => AbortSignal.timeout(20_000);

/** Answers every request without end, in the given type. */
async function endless(type: string, text: string) {
  const seen = { bytes: 0, closed: Promise.withResolvers<void>() };
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': type });
    response.once('close', () => seen.closed.resolve());
    const write = (to: ServerResponse): void => {
      while (!to.destroyed && to.write(text)) seen.bytes += text.length;
      seen.bytes += text.length;
      to.once('drain', () => write(to));
    };
    write(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const json = 'application/json';
const space = ' '.repeat(16_384);
const jira = { email: 'bot@acme.example', apiToken: 'token-token', now };
const about = { words: 'redis', service: null, code: null };

type Ask = (url: string) => Promise<unknown>;
const sources: Readonly<
  Record<string, { readonly type?: string; readonly text?: string; readonly ask: Ask }>
> = {
  Jira: {
    ask: (host) =>
      jiraTransport({ ...jira, host, fetch: boundedFetch }, signal()).sendRequest({
        url: '/x',
        schema: z.any(),
      }),
  },
  Confluence: {
    ask: (host) => createConfluence({ ...jira, host, spaces: [], fetch }).search(about, 5, signal()),
  },
  PagerDuty: {
    ask: (apiUrl) =>
      restGet({ apiUrl, token: 'token', now }, z.any(), { path: 'incidents', query: {}, signal: signal() }),
  },
  Splunk: {
    ask: (url) => {
      const search = { search: 'search x', from: now(), to: now() };
      return exportSearch({ url, token: 'token', maxSeconds: 10, fetch, now }, search, 10, signal());
    },
  },
  model: { ask: (url) => modelFetch(url, null, fetch)(`${url}/chat`, { signal: signal() }) },
  'MCP server over HTTP': {
    ask: (url) => offered(url),
  },
  'MCP server with events': {
    type: 'text/event-stream',
    text: `data: ${'x'.repeat(8_000)}\n`,
    ask: (url) => offered(url),
  },
  'Slack answer': {
    ask: (url) =>
      createResponder({ apiUrl: url, fetch, timeoutMs: 20_000 })(`${url}/x`, { text: 'hi', blocks: [] }),
  },
};

async function offered(url: string): Promise<unknown> {
  const mcp = createMcp({ servers: { notes: mcpServerSchema.parse({ url }) }, variables: {}, fetch });
  try {
    return await mcp.offered('notes', signal());
  } finally {
    await mcp.close();
  }
}

test.for(Object.entries(sources))(
  'an endless answer of %s is cut off and its connection closed',
  async ([, of]) => {
    const { url, seen } = await endless(of.type ?? json, of.text ?? space);
    await expect(of.ask(url)).rejects.toBeInstanceOf(Error);
    await seen.closed.promise;
    expect(seen.bytes).toBeLessThan(most);
  },
);

test('a slow source is abandoned when its time is up', async () => {
  const left = Promise.withResolvers<void>();
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': json });
    response.write('{');
    response.once('close', () => left.resolve());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const limit = new AbortController();
  server.once('request', () => setImmediate(() => limit.abort()));
  const asked = jiraTransport({ ...jira, host, fetch: boundedFetch }, limit.signal).sendRequest({
    url: '/x',
    schema: z.any(),
  });
  await expect(asked).rejects.toMatchObject({ code: 'timeout' });
  await left.promise;
});
