import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { App } from '@slack/bolt';
import { afterEach, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { boltLogger } from '../../../src/vendors/slack/bolt-log.ts';
import { createSocketLink, type SocketLink } from '../../../src/vendors/slack/socket.ts';
import { keepingLog, until } from '../../support/slack-workspace.ts';

const hello = JSON.stringify({ type: 'hello', num_connections: 1 });
const open: { link: SocketLink | null; server: Server | null } = { link: null, server: null };

afterEach(async () => {
  await open.link?.close();
  open.server?.closeAllConnections();
  await new Promise((resolve) => open.server?.close(resolve));
});

/** A Slack that treats each connection as the test wants, and a link to it. */
async function begin(welcome: (socket: WebSocket, count: number) => void, helloTimeoutMs = 10_000) {
  let count = 0;
  const sockets = new WebSocketServer({ noServer: true });
  const server = createServer((_request, response) => {
    const { port } = server.address() as AddressInfo;
    response.end(JSON.stringify({ ok: true, url: `ws://127.0.0.1:${port}/link` }));
  });
  server.on('upgrade', (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, (connection) => {
      count += 1;
      welcome(connection, count);
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.server = server;
  const { port } = server.address() as AddressInfo;
  const log = keepingLog();
  const about = { appToken: 'xapp-1', apiUrl: `http://127.0.0.1:${port}/api/`, fetch, log };
  const link = createSocketLink({ ...about, firstPauseMs: 5, helloTimeoutMs });
  open.link = link;
  const app = new App({
    receiver: link.receiver,
    authorize: async () => ({ botToken: 'xoxb-1' }),
    convoStore: false,
    logger: boltLogger(log),
  });
  const commands: string[] = [];
  app.command('/plan', async ({ ack, body }) => {
    commands.push(body.text);
    await ack();
  });
  return { link, log, commands };
}

const command = (text: string) =>
  JSON.stringify({
    type: 'slash_commands',
    envelope_id: `id-${text}`,
    payload: { command: '/plan', text, team_id: 'T1', user_id: 'U1', channel_id: 'C1' },
  });

test('a malformed message is dropped, and the next one is handled', async () => {
  const { link, log, commands } = await begin((socket) => {
    socket.send(hello);
    for (const odd of ['null', '7', '[]', 'no json', '{"type":"events_api"}', '{}']) socket.send(odd);
    socket.send(Buffer.from([1, 2, 3]));
    socket.send(command('after all that'));
  });
  await link.open();
  await until(() => commands.length === 1);
  expect(commands).toEqual(['after all that']);
  const unreadable = log.lines.filter((one) => one.message === 'Unreadable Socket Mode message');
  expect(unreadable).toHaveLength(5);
});

test('a server that accepts but says nothing does not count as connected: another connection is made', async () => {
  const { link, log, commands } = await begin((socket, count) => {
    if (count < 3) return;
    socket.send(hello);
    socket.send(command('at last'));
  }, 300);
  await link.open();
  await until(() => commands.length === 1);
  const refused = log.lines.filter((one) => one.message === 'Could not connect to Slack');
  expect(refused.length).toBeGreaterThanOrEqual(2);
});

test('a connection that ends right after its hello is made again', async () => {
  const { link, commands } = await begin((socket, count) => {
    socket.send(hello);
    if (count < 3) socket.close();
    else socket.send(command('stable'));
  });
  await link.open();
  await until(() => commands.length === 1);
});

test('a server that keeps asking for renewal does not get ever more connections', async () => {
  let connections = 0;
  const { link } = await begin((socket, count) => {
    connections = count;
    socket.send(hello);
    for (let one = 0; one < 20; one += 1) {
      socket.send(JSON.stringify({ type: 'disconnect', reason: 'refresh_requested' }));
    }
  });
  await link.open();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(connections).toBeLessThan(20);
});
