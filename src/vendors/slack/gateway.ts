import { WebClient } from '@slack/web-api';
import { assertMessageFits, assertViewFits, shortened } from '../../blocks/fit.ts';
import type { Block, Home, Message, Modal } from '../../blocks/message.ts';
import type { Log } from '../../core/log.ts';
import { type AgentSurface, agentSurface } from './agent-surface.ts';
import { slackError } from './api-errors.ts';
import { boltLogger } from './bolt-log.ts';
import type { Call } from './call.ts';
import { type Canvases, createCanvases } from './canvases.ts';
import { type Channels, createChannels } from './channels.ts';
import { createSlackClock } from './clock-skew.ts';
import { findByKey, keyMetadata, type Sought } from './find-by-key.ts';
import { type Identity, isInstalled, readIdentity, remembered } from './identity.ts';
import { createPeople, type People } from './people.ts';
import { linkTo, permalinkOf } from './permalink.ts';
import type { PostedMessage } from './port.ts';
import { createNames, type MarkedMessage, marked, type NameOf, wordsAt, writersIn } from './references.ts';
import { createResponder, type Respond } from './respond.ts';
import { attempt, type Repeat } from './retry.ts';
import { tokenOf } from './tokens.ts';

export interface PostOptions {
  readonly channel: string;
  readonly threadTs?: string | null;
  readonly message: Message;
  /** Stored in the metadata, so that the message can be found again. */
  readonly key: string;
  /** `never`: only one attempt; `once` if absent. */
  readonly repeat?: Repeat;
  readonly signal?: AbortSignal;
}

/** All our calls to Slack. Every method throws a VendorError, or a BlocksError before anything is sent. */
export interface SlackGateway extends People, Channels, Canvases, AgentSurface {
  /** Looks people up fresh, for decisions: a removed approver must not decide. */
  readonly fresh: People;
  /** Names of people, channels and groups in messages. */
  readonly nameOf: NameOf;
  /** For requests: a few seconds old, or up to a minute while Slack is unavailable. */
  readonly recent: Pick<People, 'userInfo'>;
  identity(): Promise<Identity>;
  /** False when Slack no longer accepts the token: the bot was removed, or the token revoked. */
  isInstalled(): Promise<boolean>;
  /** Why Slack rejected all our recent calls, such as a revoked token. Null while it accepts them, as far as we know. */
  refusal(): string | null;
  /** Milliseconds by which our clock is ahead of Slack's, negative when it is behind. */
  aheadMs(): number;
  post(options: PostOptions): Promise<{ channel: string; ts: string }>;
  update(options: { channel: string; ts: string; message: Message; key: string }): Promise<void>;
  ephemeral(options: {
    channel: string;
    userId: string;
    message: Message;
    threadTs?: string | null;
  }): Promise<void>;
  /** Responds to an interaction; works in channels the bot is not in. */
  respond: Respond;
  openView(triggerId: string, view: Modal): Promise<{ id: string; hash: string }>;
  updateView(of: { id: string; hash?: string }, view: Modal): Promise<void>;
  publishHome(userId: string, view: Home): Promise<void>;
  permalink(channel: string, ts: string): Promise<string>;
  /** Like `permalink`, but falls back to an address that Slack forwards when it is unavailable. */
  linkTo(channel: string, ts: string): Promise<string>;
  /** The direct channel with a person. */
  openDirect(userId: string, signal?: AbortSignal): Promise<string>;
  /** All words of the message that starts a thread, with names in their labels; null if it is our own, or gone. */
  wordsAt(of: { channel: string; ts: string }): Promise<string | null>;
  /** Slack ids of all who wrote in a thread, the bot aside. */
  writersIn(of: { channel: string; ts: string }): Promise<ReadonlySet<string>>;
  /** Messages of a thread with a pushpin as a reaction, oldest first: ISO 8601 time, author and words. */
  marked(of: { channel: string; ts: string }): Promise<readonly MarkedMessage[]>;
  /** The bot's message with this key in a channel or thread since `since`, or null. */
  findByKey(of: Sought): Promise<PostedMessage | null>;
}

export interface GatewayOptions {
  readonly token: string;
  /** The token's identity; fetched from Slack if absent. */
  readonly identity?: Identity;
  /** `https://slack.com/api/` or the address of another Slack. */
  readonly apiUrl: string;
  readonly log: Log;
  readonly fetch: typeof globalThis.fetch;
  readonly now: () => Date;
  /** Milliseconds for one request; 10 s if absent. */
  readonly timeoutMs?: number;
  /** Milliseconds for which answers about people and channels are used again; a minute each if absent. */
  readonly keepMs?: () => { readonly people: number; readonly channels: number };
  /** Wraps every request, by its method's name; it throws what the request throws. */
  readonly meter?: <T>(method: string, request: () => Promise<T>) => Promise<T>;
}

/** Names in text stay names and addresses stay text, whatever the workspace's settings are. */
const inert = { unfurl_links: false, unfurl_media: false, link_names: false } as const;

export function createSlackGateway(options: GatewayOptions): SlackGateway {
  const timeoutMs = options.timeoutMs ?? 10_000;
  const clock = createSlackClock(options.fetch, options.now);
  const client = new WebClient(options.token, {
    slackApiUrl: options.apiUrl,
    fetch: clock.fetch,
    timeout: timeoutMs,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
    logger: boltLogger(options.log, 'info'),
  });
  const { meter = (_method, request) => request() } = options;
  const token = options.identity && tokenOf(options.identity.teamId);
  let refusal: string | null = null;
  const ask = async <T>(method: string, run: (client: WebClient) => Promise<T>): Promise<T> => {
    try {
      const answer = await run(client);
      refusal = null;
      return answer;
    } catch (thrown) {
      const error = slackError(thrown, method, token);
      if (error.refusesUs) refusal = error.message;
      throw error;
    }
  };
  const call: Call = (method, repeat, run, signal) =>
    attempt(method, repeat, () => meter(method, () => ask(method, run)), signal);
  const known = options.identity;
  const whoAmI = (client: WebClient) => readIdentity(client, options.log);
  const identity = known ? async () => known : remembered(() => call('auth.test', 'again', whoAmI));
  const { now, keepMs = () => ({ people: 60_000, channels: 60_000 }) } = options;
  const aged = { now, keepMs: () => keepMs().people };
  const people = createPeople(call, async () => (await identity()).teamId, aged);
  const nameOf = createNames(call, people.userInfo);
  return {
    ...people,
    nameOf,
    wordsAt: async (of) => wordsAt(call, (await identity()).botUserId, nameOf, of),
    writersIn: async (of) => writersIn(call, (await identity()).botUserId, of),
    marked: (of) => marked(call, nameOf, of),
    ...createChannels(call, { now, keepMs: () => keepMs().channels }),
    ...agentSurface(call, options.log),
    ...createCanvases(call, { botUserId: async () => (await identity()).botUserId, clock, log: options.log }),
    ...messages(call),
    ...views(call),
    identity,
    isInstalled: () => isInstalled(call),
    refusal: () => refusal,
    aheadMs: clock.aheadMs,
    respond: createResponder({ apiUrl: options.apiUrl, fetch: options.fetch, timeoutMs }),
    openDirect: (userId, signal) => openDirect(call, userId, signal),
    findByKey: async (of) => findByKey(call, (await identity()).botUserId, clock, of),
  };
}

function messages(call: Call): Pick<SlackGateway, 'post' | 'update' | 'ephemeral' | 'permalink' | 'linkTo'> {
  return {
    async post({ channel, threadTs, message, key, repeat = 'once', signal }) {
      assertMessageFits(message);
      const content = {
        text: message.text,
        blocks: encoded(message.blocks),
        metadata: keyMetadata(key),
        ...inert,
      };
      const place = threadTs ? { channel, thread_ts: threadTs } : { channel };
      const run = (client: WebClient) => client.chat.postMessage({ ...place, ...content });
      const answer = await call('chat.postMessage', repeat, run, signal);
      return { channel: answer.channel ?? channel, ts: answer.ts ?? '' };
    },
    async update({ channel, ts, message, key }) {
      assertMessageFits(message);
      const content = { text: message.text, blocks: encoded(message.blocks), metadata: keyMetadata(key) };
      await call('chat.update', 'again', (client) =>
        client.chat.update({ channel, ts, ...content, link_names: false }),
      );
    },
    async ephemeral({ channel, userId, message, threadTs }) {
      const place = threadTs ? { channel, user: userId, thread_ts: threadTs } : { channel, user: userId };
      const { text, blocks } = shortened(message);
      const content = { text, blocks: encoded(blocks), link_names: false };
      await call('chat.postEphemeral', 'once', (client) =>
        client.chat.postEphemeral({ ...place, ...content }),
      );
    },
    permalink: (channel, ts) => permalinkOf(call, { channel, ts }),
    linkTo: (channel, ts) => linkTo(call, { channel, ts }),
  };
}

/** Blocks as sent. From an object the client would make a second copy without secrets, for a log it does not write. */
function encoded(blocks: readonly Block[]): Block[] {
  return JSON.stringify(blocks) as unknown as Block[];
}

function views(call: Call): Pick<SlackGateway, 'openView' | 'updateView' | 'publishHome'> {
  const shown = (answer: { view?: { id?: string; hash?: string } }) => ({
    id: answer.view?.id ?? '',
    hash: answer.view?.hash ?? '',
  });
  return {
    async openView(triggerId, view) {
      assertViewFits(view);
      return shown(await call('views.open', 'once', (c) => c.views.open({ trigger_id: triggerId, view })));
    },
    async updateView(of, view) {
      assertViewFits(view);
      const hash = of.hash ? { hash: of.hash } : {};
      await call('views.update', 'once', (client) => client.views.update({ view_id: of.id, ...hash, view }));
    },
    async publishHome(userId, view) {
      assertViewFits(view);
      await call('views.publish', 'again', (client) => client.views.publish({ user_id: userId, view }));
    },
  };
}

async function openDirect(call: Call, userId: string, signal?: AbortSignal): Promise<string> {
  const run = (client: WebClient) => client.conversations.open({ users: userId });
  return (await call('conversations.open', 'again', run, signal)).channel?.id ?? userId;
}
