import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { PartOptions } from '../options.ts';
import type { World } from '../world.ts';
import { announceOwnMessages } from './announcing.ts';
import { defaultApp } from './default-app.ts';
import { Delivery, type DeliveryRecord, type DeliveryTimes } from './delivery/delivery.ts';
import type { Envelope, Tamper } from './delivery/envelope.ts';
import { HttpTransport } from './delivery/http-transport.ts';
import { ResponseUrls } from './delivery/response-urls.ts';
import { SocketTransport } from './delivery/socket-transport.ts';
import { Triggers } from './delivery/triggers.ts';
import { isFields } from './fields.ts';
import { readManifest } from './manifest.ts';
import type { AppDeclaration, Canvas, Outcome } from './model.ts';
import {
  type ClickInput,
  clickElement,
  clickInView,
  runMessageShortcut,
  type ShortcutInput,
  type ViewActionInput,
} from './person/clicking.ts';
import {
  type CommandInput,
  type MembershipInput,
  type PostInput,
  postMessage,
  type ReactInput,
  react,
  runCommand,
  setBotMember,
} from './person/speaking.ts';
import { type CloseInput, close, type SubmitInput, stopAgent, submit, visitTab } from './person/viewing.ts';
import { type MessageSnapshot, messagesIn, type SlackSnapshot, snapshot } from './snapshot.ts';
import { SlackState } from './state.ts';
import { slackApp } from './web.ts';
import type { Workspace } from './workspace.ts';

export interface SlackOptions extends PartOptions {
  /** 0 or absent: any free port. */
  readonly port?: number;
  /** The address the app uses if several workspaces are behind one; its own if absent. */
  readonly address?: string;
  /** The transport to the app; `socket` if absent. */
  readonly mode?: 'socket' | 'http';
  /** The target of signed requests in `http` mode, such as http://127.0.0.1:3000/slack/events. May be set later. */
  readonly requestUrl?: string;
  /** Block types unknown to this workspace; none if absent. */
  readonly unknownBlocks?: readonly string[];
  /** Scopes, events, commands and shortcuts; those of slack-manifest.yml if absent. */
  readonly app?: AppDeclaration;
  readonly times?: Partial<DeliveryTimes>;
}

const slackTimes: DeliveryTimes = { ackMs: 3_000, lateMs: 3_000, eventRetryMs: [1_000, 60_000, 300_000] };

/** Starts the local Slack on a loopback port. */
export async function startSlack(options: SlackOptions): Promise<SlackSandbox> {
  const slack = new SlackSandbox(options);
  await slack.listen(options.port ?? 0);
  return slack;
}

/** An in-memory Slack workspace: the Web API for the app on one side, people on the other. */
export class SlackSandbox {
  readonly #workspace: Workspace;
  readonly #socket: SocketTransport;
  readonly #http: HttpTransport;
  readonly #server: Server;
  #url = '';

  constructor(options: SlackOptions) {
    const { world, now } = options;
    const nowMs = () => now().getTime();
    const secret = world.slack.signingSecret;
    const requestUrl = options.requestUrl === undefined ? {} : { requestUrl: options.requestUrl };
    this.#socket = new SocketTransport(world.bot.appId);
    this.#http = new HttpTransport({ secret, nowMs, fetch, ...requestUrl });
    const transport = options.mode === 'http' ? this.#http : this.#socket;
    this.#workspace = {
      state: new SlackState(world, now),
      app: options.app ?? manifestApp(),
      unknownBlocks: options.unknownBlocks ?? [],
      triggers: new Triggers(nowMs),
      responseUrls: new ResponseUrls(nowMs),
      delivery: new Delivery(transport, { ...slackTimes, ...options.times }),
      url: () => options.address ?? this.#url,
      now,
    };
    announceOwnMessages(this.#workspace);
    const { faults, journal } = options;
    const open = () => ({ url: `${this.#url.replace(/^http/, 'ws')}${this.#socket.ticket()}` });
    const scopes = ['connections:write'];
    const extra = { 'apps.connections.open': { scopes, token: 'app', run: open } } as const;
    const app = slackApp(this.#workspace, { faults, journal, extra });
    this.#server = createServer(getRequestListener(app.fetch));
    this.#socket.attach(this.#server);
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', () => resolve());
    });
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new TypeError('the local Slack has no port');
    this.#url = `http://127.0.0.1:${address.port}`;
  }

  get world(): World {
    return this.#workspace.state.world;
  }

  /** Without a trailing slash. */
  get url(): string {
    return this.#url;
  }

  /** The value for SLACK_API_URL. */
  get apiUrl(): string {
    return `${this.#url}/api/`;
  }

  set requestUrl(url: string) {
    this.#http.requestUrl = url;
  }

  /** Slack's check of a new request URL: whether the app returns the challenge. */
  async verifyRequestUrl(): Promise<boolean> {
    const challenge = randomUUID();
    const payload = { type: 'url_verification', token: 'sandbox-verification-token', challenge };
    const { response } = await this.deliver({ type: 'events_api', payload });
    return isFields(response) ? response.challenge === challenge : response === challenge;
  }

  /** Number of the app's Socket Mode connections. */
  get connections(): number {
    return this.#socket.connections;
  }

  /** Asks the app to reconnect, as Slack does now and then. */
  disconnectSockets(): void {
    this.#socket.disconnectAll();
  }

  /** Cuts every connection without notice, like a network failure. */
  dropSockets(): void {
    this.#socket.dropAll();
  }

  command(input: CommandInput): Promise<Outcome> {
    return runCommand(this.#workspace, input);
  }

  postAs(input: PostInput): Promise<Outcome> {
    return postMessage(this.#workspace, input);
  }

  react(input: ReactInput): void {
    react(this.#workspace, input);
  }

  clickButton(input: ClickInput): Promise<Outcome> {
    return clickElement(this.#workspace, input);
  }

  messageShortcut(input: ShortcutInput): Promise<Outcome> {
    return runMessageShortcut(this.#workspace, input);
  }

  blockActionInView(input: ViewActionInput): Promise<Outcome> {
    return clickInView(this.#workspace, input);
  }

  submitView(input: SubmitInput): Promise<Outcome> {
    return submit(this.#workspace, input);
  }

  closeView(input: CloseInput): Promise<Outcome> {
    return close(this.#workspace, input);
  }

  openHome(input: { readonly as: string }): Promise<Outcome> {
    return visitTab(this.#workspace, { ...input, tab: 'home' });
  }

  /** Opens the direct conversation with the bot. */
  openMessages(input: { readonly as: string }): Promise<Outcome> {
    return visitTab(this.#workspace, { ...input, tab: 'messages' });
  }

  /** Presses the stop button of a thread in which the bot is at work. */
  stopAgent(input: Parameters<typeof stopAgent>[1]): Promise<Outcome> {
    return stopAgent(this.#workspace, input);
  }

  /** Adds the bot to a channel or removes it, as a person does with `/invite @countersign`. */
  setBotMember(input: MembershipInput): Promise<Outcome> {
    return setBotMember(this.#workspace, input);
  }

  /** Sends any envelope, in `http` mode optionally wrongly signed or stale. Once, whatever the app answers. */
  deliver(envelope: Envelope, options: { tamper?: Tamper } = {}): Promise<Outcome> {
    return this.#workspace.delivery.deliver(envelope, options);
  }

  /** All deliveries so far, newest last, at most 1,000. */
  get deliveries(): readonly DeliveryRecord[] {
    return this.#workspace.delivery.records;
  }

  /** Sends a recorded HTTP delivery again, byte for byte. */
  replay(record: DeliveryRecord): Promise<Outcome> {
    return this.#workspace.delivery.again(record, (request) => this.#http.sendAgain(request));
  }

  /** As seen by one person, or everything. */
  state(as?: string): SlackSnapshot {
    return snapshot(this.#workspace, as);
  }

  /**
   * Messages of a channel as seen by one person, or all; the channel by its id, its name, or the person of a direct
   * conversation.
   */
  messages(channel: string, as?: string): readonly MessageSnapshot[] {
    return messagesIn(this.#workspace, channel, as);
  }

  /** Canvases of the app, oldest first. */
  canvases(): readonly Canvas[] {
    return [...this.#workspace.state.canvases.values()];
  }

  /** Returns a function that removes the listener. */
  onChange(listener: () => void): () => void {
    return this.#workspace.state.onChange(listener);
  }

  reset(): void {
    this.#workspace.state.reset();
  }

  async close(): Promise<void> {
    await this.#workspace.delivery.close();
    await this.#socket.close();
    this.#http.close();
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

function manifestApp(): AppDeclaration {
  const path = new URL('../../slack-manifest.yml', import.meta.url);
  return existsSync(path) ? readManifest(path) : defaultApp;
}
