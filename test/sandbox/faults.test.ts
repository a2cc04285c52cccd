import { request } from 'node:http';
import { Hono } from 'hono';
import { afterEach, expect, test } from 'vitest';
import { type Fault, Faults } from '../../sandbox/faults.ts';
import { Journal, type SandboxEnv } from '../../sandbox/journal.ts';
import { type Listening, listen } from '../../sandbox/listen.ts';

const running: Listening[] = [];
const now = () => new Date('2026-03-10T12:00:00Z');

/** A vendor that counts what takes effect and echoes its body. */
async function start() {
  const faults = new Faults();
  const journal = new Journal(now);
  const done: string[] = [];
  const app = new Hono<SandboxEnv>();
  app.use(journal.middleware('jira'));
  app.use(faults.middleware('jira'));
  app.all('*', async (context) => {
    context.set('authOk', true);
    done.push(`${context.req.method} ${context.req.path}`);
    return context.json({ echo: await context.req.text() }, 201);
  });
  const server = await listen(app);
  running.push(server);
  return { faults, journal, done, url: server.url };
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.close()));
});

/** The answer that the caller sees: a status with the body's text, or the code of the error. */
async function call(
  url: string,
  options: RequestInit = {},
): Promise<{ status?: number; text?: string; error?: string }> {
  try {
    const response = await fetch(url, { method: 'POST', body: 'hello', ...options });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { cause } = error;
    return { error: cause instanceof Error && 'code' in cause ? String(cause.code) : error.name };
  }
}

test.each<[Fault['kind'], Partial<Fault>, unknown, number, number | null]>([
  ['status', { status: 503 }, { status: 503, text: expect.stringContaining('errorMessages') }, 0, 503],
  ['status', { status: 418, body: 'short and stout' }, { status: 418, text: 'short and stout' }, 0, 418],
  ['status', { status: 200, body: { ok: false } }, { status: 200, text: '{"ok":false}' }, 0, 200],
  ['reset', {}, { error: 'UND_ERR_SOCKET' }, 0, null],
  ['lost-answer', {}, { error: 'UND_ERR_SOCKET' }, 1, null],
  ['truncate', {}, { error: 'UND_ERR_SOCKET' }, 1, 201],
  ['delay', { delayMs: 1 }, { status: 201, text: '{"echo":"hello"}' }, 1, 201],
])(
  'a %s fault %j hits once, has the effect it should, and is in the journal',
  async (kind, more, seen, effects, status) => {
    const { url, faults, journal, done } = await start();
    faults.add({ vendor: 'jira', kind, times: 1, ...more });
    expect(await call(`${url}/write`)).toEqual(seen);
    expect(done).toHaveLength(effects);
    expect(await call(`${url}/write`)).toEqual({ status: 201, text: '{"echo":"hello"}' });
    expect(journal.list()).toMatchObject([
      { id: 1, fault: kind, status, authOk: effects === 1 },
      { id: 2, status: 201, authOk: true },
    ]);
  },
);

test('a hanging request ends when the caller gives up, or when the vendor stops', async () => {
  const { url, faults, journal, done } = await start();
  faults.add({ vendor: 'jira', kind: 'hang' });
  expect(await call(url, { signal: AbortSignal.timeout(50) })).toEqual({ error: 'TimeoutError' });
  const waiting = call(url);
  await expect.poll(() => journal.list().length).toBe(2);
  await running.pop()?.close();
  expect(await waiting).toEqual({ error: 'UND_ERR_SOCKET' });
  expect(done).toEqual([]);
  expect(journal.list().every((entry) => entry.status === null)).toBe(true);
});

test('a fault hits only what it matches, and the first one that matches', async () => {
  const { url, faults } = await start();
  const exact = { method: 'post', path: '/issue', exact: true } as const;
  const first = faults.add({ vendor: 'jira', kind: 'status', status: 500, match: exact });
  faults.add({ vendor: 'jira', kind: 'status', status: 502, match: { path: '/issue' }, times: 2 });
  faults.add({ vendor: 'slack', kind: 'status', status: 503 });
  const status = async (path: string, method = 'POST') =>
    (await call(`${url}${path}`, method === 'GET' ? { method, body: null } : { method })).status;
  expect(await status('/issue')).toBe(500);
  expect(await status('/issue', 'GET')).toBe(502);
  expect(await status('/issue/OPS-1')).toBe(502);
  expect(await status('/issue/OPS-1')).toBe(201);
  expect(await status('/other')).toBe(201);
  expect(faults.list().map(({ id, hits }) => [id, hits])).toEqual([
    [first, 1],
    ['fault-3', 0],
  ]);
  expect(faults.remove(first)).toBe(true);
  expect(faults.remove(first)).toBe(false);
  expect(await status('/issue')).toBe(201);
  faults.clear();
  expect(faults.list()).toEqual([]);
});

test('a rate limit carries Retry-After', async () => {
  const { url, faults } = await start();
  faults.add({ vendor: 'jira', kind: 'status', status: 429, retryAfterSeconds: 12 });
  const response = await fetch(url);
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '12']);
});

test('the journal keeps bodies and queries but no token, and at most 5,000 entries', async () => {
  const { url, journal } = await start();
  await call(`${url}/form?a=1&a=2&b=3`, { body: new URLSearchParams({ token: 'xoxb-secret', text: 'hi' }) });
  await call(`${url}/json`, { body: '{"x":[1]}' });
  await call(`${url}/text`, { body: '{broken' });
  await call(`${url}/bytes`, { body: '\u0001', headers: { 'content-type': 'application/octet-stream' } });
  await call(`${url}/none`, { body: null });
  expect(journal.list().map(({ body }) => body)).toEqual([{ text: 'hi' }, { x: [1] }, '{broken', null, null]);
  expect(journal.list()[0]).toMatchObject({
    at: '2026-03-10T12:00:00.000Z',
    query: { a: ['1', '2'], b: ['3'] },
  });
  expect(JSON.stringify(journal.list())).not.toContain('xoxb-secret');
  expect(journal.list({ path: '/jso', method: 'post' })).toHaveLength(1);
  expect(journal.list({ after: 4 })).toHaveLength(1);

  for (let count = 0; count < 5_000; count += 1) {
    journal.record({ vendor: 'slack', method: 'GET', path: '/', query: {}, body: null });
  }
  expect(journal.list()).toHaveLength(5_000);
  expect(journal.list({ vendor: 'jira' })).toEqual([]);
  expect(journal.list()[0]?.id).toBe(6);
  journal.clear();
  expect(journal.list()).toEqual([]);
});

test('a truncated answer announces its full length', async () => {
  const { url, faults } = await start();
  faults.add({ vendor: 'jira', kind: 'truncate' });
  const { announced, received } = await new Promise<{ announced: number; received: number }>(
    (resolve, reject) => {
      const sent = request(url, (response) => {
        let received = 0;
        response.on('data', (chunk: Buffer) => {
          received += chunk.length;
        });
        response.on('error', () => undefined);
        response.on('close', () =>
          resolve({ announced: Number(response.headers['content-length']), received }),
        );
      });
      sent.on('error', reject);
      sent.end();
    },
  );
  expect(received).toBeGreaterThan(0);
  expect(received).toBeLessThan(announced);
});
