import { randomBytes, randomUUID } from 'node:crypto';
import type { Server as HttpServer } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Fields, isFields } from '../fields.ts';
import type { Envelope } from './envelope.ts';
import { type Answer, DeliveryError, type Sent, type Transport } from './transport.ts';

/** Slack pings; clients give up after 30 s without one. */
const pingEveryMs = 10_000;
const closeWithinMs = 500;
/** A ticket from apps.connections.open is valid for one connection. */
const path = '/link/';

interface Waiting {
  readonly socket: WebSocket;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: DeliveryError) => void;
}

/** The WebSocket side of Socket Mode. Each envelope goes to one connection, in turn. */
export class SocketTransport implements Transport {
  readonly #server = new WebSocketServer({ noServer: true });
  readonly #appId: string;
  readonly #tickets = new Set<string>();
  readonly #waiting = new Map<string, Waiting>();
  readonly #pings: NodeJS.Timeout;
  #connections: WebSocket[] = [];

  constructor(appId: string) {
    this.#appId = appId;
    this.#pings = setInterval(() => this.#ping(), pingEveryMs);
    this.#pings.unref();
  }

  /** Handles the upgrade requests of the server that also serves the Web API. */
  attach(server: HttpServer): void {
    server.on('upgrade', (request, socket, head) => {
      const url = new URL(request.url ?? '/', 'http://localhost');
      if (url.pathname !== path || !this.#tickets.delete(url.searchParams.get('ticket') ?? '')) {
        socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n');
        return;
      }
      this.#server.handleUpgrade(request, socket, head, (connection) => this.#welcome(connection));
    });
  }

  /** Path and query of a fresh WebSocket address. */
  ticket(): string {
    const ticket = randomUUID();
    this.#tickets.add(ticket);
    return `${path}?ticket=${ticket}&app_id=${this.#appId}`;
  }

  get connections(): number {
    return this.#connections.length;
  }

  send(envelope: Envelope): Sent {
    const connection = this.#connections.shift();
    if (connection === undefined) return { answer: Promise.reject(new DeliveryError('dispatch_failed')) };
    this.#connections.push(connection);
    const id = randomUUID();
    const answer = new Promise<Answer>((resolve, reject) => {
      this.#waiting.set(id, { socket: connection, resolve, reject });
    });
    connection.send(JSON.stringify(frame(envelope, id)));
    return { answer };
  }

  /** Slack renews connections now and then; the client is expected to reconnect. */
  disconnectAll(reason: 'refresh_requested' | 'warning' | 'link_disabled' = 'refresh_requested'): void {
    for (const connection of this.#connections) {
      connection.send(JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'sandbox' } }));
    }
  }

  dropAll(): void {
    for (const connection of this.#connections) {
      this.#drop(connection);
      connection.terminate();
    }
  }

  /** Lets closing handshakes finish, and cuts connections that do not take part in them. */
  async close(): Promise<void> {
    clearInterval(this.#pings);
    await Promise.all([...this.#server.clients].map((connection) => farewell(connection)));
    this.#server.close();
  }

  #welcome(connection: WebSocket): void {
    this.#connections.push(connection);
    connection.on('message', (data) => this.#take(String(data)));
    connection.on('close', () => this.#drop(connection));
    // A broken connection also closes, and is dropped there.
    connection.on('error', () => connection.terminate());
    const debug = { host: 'sandbox', build_number: 1, approximate_connection_time: 3_600 };
    const hello = {
      type: 'hello',
      num_connections: this.#connections.length,
      connection_info: { app_id: this.#appId },
    };
    connection.send(JSON.stringify({ ...hello, debug_info: debug }));
  }

  #take(text: string): void {
    const message = parsedAck(text);
    const id = message?.envelope_id;
    if (typeof id !== 'string') return;
    this.#waiting.get(id)?.resolve({ body: message?.payload });
    this.#waiting.delete(id);
  }

  #drop(connection: WebSocket): void {
    this.#connections = this.#connections.filter((one) => one !== connection);
    for (const [id, waiting] of this.#waiting) {
      if (waiting.socket !== connection) continue;
      waiting.reject(new DeliveryError('dispatch_failed'));
      this.#waiting.delete(id);
    }
  }

  #ping(): void {
    for (const connection of this.#connections) connection.ping(randomBytes(4));
  }
}

function farewell(connection: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => connection.terminate(), closeWithinMs);
    connection.once('close', () => {
      clearTimeout(cut);
      resolve();
    });
    connection.close(1001);
  });
}

function frame(envelope: Envelope, id: string): Fields {
  const event = envelope.type === 'events_api';
  const retry = { retry_attempt: envelope.retry?.attempt ?? 0, retry_reason: envelope.retry?.reason ?? '' };
  return {
    type: envelope.type,
    envelope_id: id,
    payload: envelope.payload,
    accepts_response_payload: !event,
    ...(event ? retry : {}),
  };
}

function parsedAck(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch (error) {
    // Slack ignores what it cannot parse; the envelope then times out.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
