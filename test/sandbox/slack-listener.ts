import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { type Fields, fieldsAt, isFields } from '../../sandbox/slack/fields.ts';
import type { SlackSandbox } from '../../sandbox/slack/slack-sandbox.ts';
import { world } from '../../sandbox/world.ts';
import { clientOf, messagesIn } from './slack-workspace.ts';

type Answer = Fields | 'silent' | { readonly afterMs: number };

interface Listener {
  readonly heard: Fields[];
  readonly socket: WebSocket;
}

/** A bare Socket Mode client that answers each envelope as told. */
export async function listen(slack: SlackSandbox, answer: (envelope: Fields) => Answer): Promise<Listener> {
  const { url } = await clientOf(slack, world.slack.appToken).apps.connections.open({});
  const socket = new WebSocket(url ?? '');
  const heard: Fields[] = [];
  onTestFinished(() => socket.terminate());
  const hello = new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', (data) => {
      const envelope: unknown = JSON.parse(String(data));
      if (!isFields(envelope)) return;
      if (envelope.type === 'hello') return resolve();
      heard.push(envelope);
      reply(socket, envelope, answer(envelope));
    });
  });
  await hello;
  return { heard, socket };
}

function reply(socket: WebSocket, envelope: Fields, answer: Answer): void {
  if (answer === 'silent') return;
  const id = envelope.envelope_id;
  if (typeof answer.afterMs === 'number') {
    setTimeout(() => socket.send(JSON.stringify({ envelope_id: id })), answer.afterMs);
    return;
  }
  socket.send(JSON.stringify({ envelope_id: id, payload: answer }));
}

export function payloadOf(envelope: Fields | undefined): Fields {
  return fieldsAt(envelope ?? {}, 'payload');
}

/** Slack's own words to this person in #ops. */
export function slackbotSays(slack: SlackSandbox, as: string): string[] {
  return messagesIn(slack, 'C0OPS', as).flatMap((one) => (one.user === 'USLACKBOT' ? [one.text] : []));
}

/** An app behind a request URL that answers as told. Resolves with that URL. */
export async function listenOverHttp(
  handle: (request: IncomingMessage, body: string, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => handle(request, Buffer.concat(parts).toString('utf8'), response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  return `http://127.0.0.1:${address.port}/slack/events`;
}
