import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { signedRequest } from '../../../sandbox/slack/delivery/envelope.ts';
import { createDoor, type Door } from '../../../src/vendors/http/door.ts';
import { slackRoute } from '../../../src/vendors/slack/http-door.ts';
import { keepingLog, until } from '../../support/slack-workspace.ts';

const secret = 'a-signing-secret-of-some-length';
const plausible = `v0=${'a'.repeat(64)}`;

let door: Door;
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await door.close();
});

interface Beginning {
  timeoutMs?: number;
  maxTotalBytes?: number;
  maxConnections?: number;
  /** Delays the answer. */
  before?: () => Promise<void>;
}

async function begin({ before, ...limits }: Beginning = {}) {
  const entered: string[] = [];
  const log = keepingLog();
  const slack = slackRoute({
    signingSecret: secret,
    now: () => new Date(),
    log,
    enter: async (request, response: ServerResponse) => {
      entered.push(request.rawBody.toString());
      await before?.();
      response.end();
    },
  });
  door = createDoor({ port: 0, host: '127.0.0.1', routes: [slack], log, ...limits });
  const port = await door.open();
  return { port, entered, log };
}

/** Sends only the head of a request. */
async function sendHead(port: number, headers: Readonly<Record<string, string>>) {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  const peer = { socket, answer: '', closed: false };
  socket.on('data', (data) => (peer.answer += String(data)));
  socket.on('close', () => (peer.closed = true));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`);
  socket.write(`POST /slack/events HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  return peer;
}

const now = () => String(Math.floor(Date.now() / 1_000));
const looksSigned = () => ({ 'x-slack-signature': plausible, 'x-slack-request-timestamp': now() });

function genuine(port: number, text: string): Promise<Response> {
  const envelope = { type: 'events_api', payload: { event: { type: 'message', text } } } as const;
  const { headers, body } = signedRequest(envelope, { secret, nowMs: Date.now() });
  return fetch(`http://127.0.0.1:${port}/slack/events`, { method: 'POST', headers, body });
}

describe('the HTTP door', () => {
  it.each<[string, Record<string, string>, number]>([
    ['no signature', {}, 401],
    ['no timestamp', { 'x-slack-signature': plausible }, 401],
    ['a signature of another form', { ...looksSigned(), 'x-slack-signature': 'v0=0' }, 401],
    ['a stale timestamp', { ...looksSigned(), 'x-slack-request-timestamp': '1000' }, 401],
    ['a body that is too long', { ...looksSigned(), 'content-length': '600000' }, 413],
  ])('refuses a request with %s before its body is sent', async (_why, headers, status) => {
    const { port, entered } = await begin();
    const peer = await sendHead(port, { 'content-length': '400000', ...headers });
    await until(() => peer.closed);
    expect(peer.answer).toContain(`HTTP/1.1 ${status} `);
    expect(entered).toEqual([]);
    expect((await genuine(port, 'still open')).status).toBe(200);
  });

  it('answers a wrong method with 405 and the allowed ones, and an unknown path with 404', async () => {
    const { port } = await begin();
    const url = `http://127.0.0.1:${port}/slack/events`;
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await fetch(url, { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    }
    const unknown = await fetch(`${url}/other`);
    expect([unknown.status, unknown.headers.get('allow')]).toEqual([404, null]);
  });

  it('stops reading a body of unknown length at the limit', async () => {
    const { port, entered } = await begin();
    const peer = await sendHead(port, { ...looksSigned(), 'transfer-encoding': 'chunked' });
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    let sent = 0;
    await until(() => {
      if (!peer.closed && peer.socket.writable && sent < 100) peer.socket.write(chunk);
      sent += 1;
      return peer.closed || peer.answer !== '';
    });
    expect(peer.answer).toContain('413');
    expect(entered).toEqual([]);
  });

  it('closes a request that takes too long', async () => {
    const { port } = await begin({ timeoutMs: 200 });
    const withoutHead = connect(port, '127.0.0.1');
    sockets.push(withoutHead);
    withoutHead.on('error', () => undefined).resume();
    await once(withoutHead, 'connect');
    withoutHead.write('POST /slack/events HTTP/1.1\r\nhost: x\r\n');
    const slow = await sendHead(port, { ...looksSigned(), 'content-length': '1000' });
    slow.socket.write('a few bytes');
    await until(() => slow.closed && withoutHead.destroyed);
  });

  it('accepts a limited number of connections', async () => {
    const { port } = await begin({ maxConnections: 3 });
    const head = { ...looksSigned(), 'content-length': '1000' };
    const peers: Awaited<ReturnType<typeof sendHead>>[] = [];
    for (let count = 0; count < 3; count += 1) peers.push(await sendHead(port, head));
    const refused = await sendHead(port, head);
    await until(() => refused.closed);
    expect(peers.every((peer) => !peer.closed)).toBe(true);
  });

  it("drops the slowest unfinished bodies when there are many, and still accepts Slack's requests", async () => {
    const { port, entered } = await begin({ maxTotalBytes: 1_000_000 });
    const peers: Awaited<ReturnType<typeof sendHead>>[] = [];
    for (let count = 0; count < 30; count += 1) {
      const peer = await sendHead(port, { ...looksSigned(), 'content-length': '400000' });
      peer.socket.write('x'.repeat(100_000));
      peers.push(peer);
    }
    await until(() => peers.filter((peer) => peer.closed).length >= 20);
    expect((await genuine(port, 'hello')).status).toBe(200);
    expect(entered).toHaveLength(1);
    expect(peers.slice(0, 10).every((peer) => peer.closed)).toBe(true);
    expect(peers.at(-1)?.closed).toBe(false);
  });

  it('answers pending requests before it closes, and asks the sender for a new connection', async () => {
    const held = Promise.withResolvers<void>();
    const { port, entered } = await begin({ before: () => held.promise });
    const answer = genuine(port, 'hello');
    await until(() => entered.length === 1);
    const closed = door.close();
    held.resolve();
    const { status, headers } = await answer;
    expect([status, headers.get('connection')]).toEqual([200, 'close']);
    await closed;
  });
});
