import { type Fields, isFields, stringAt } from './fields.ts';
import type { AgentThread, Channel, Message, Prompts, View } from './model.ts';
import type { SlackState } from './state.ts';
import { unescaped } from './text.ts';
import type { Workspace } from './workspace.ts';

export interface MessageSnapshot {
  readonly ts: string;
  readonly channel: string;
  readonly user: string;
  readonly isBot: boolean;
  readonly text: string;
  readonly blocks: readonly Fields[];
  readonly attachments: readonly Fields[];
  readonly metadata?: { readonly event_type: string; readonly event_payload: Fields };
  readonly threadTs?: string;
  readonly replyCount: number;
  readonly edited: boolean;
  readonly ephemeralFor?: string;
  /** Who it notifies: user and group ids, `here`, `channel`, `everyone`. */
  readonly mentions: readonly string[];
}

export interface ChannelSnapshot {
  readonly id: string;
  readonly name: string;
  readonly topic: string;
  /** A direct message between the bot and this person. */
  readonly im?: string;
  readonly members: readonly string[];
  readonly botIsMember: boolean;
  /** All messages in order of time, including replies. */
  readonly messages: readonly MessageSnapshot[];
}

export interface ViewSnapshot {
  readonly id: string;
  readonly user: string;
  readonly hash: string;
  /** type, title, submit, close, blocks, private_metadata … as sent by the app. */
  readonly definition: Fields;
  readonly values: Readonly<Record<string, Readonly<Record<string, Fields>>>>;
  /** Block id to message. */
  readonly errors: Readonly<Record<string, string>>;
  readonly notice?: string;
}

export interface SlackSnapshot {
  readonly team: { readonly id: string; readonly name: string };
  readonly bot: { readonly userId: string; readonly name: string; readonly realName: string };
  readonly userGroups: readonly { readonly id: string; readonly handle: string }[];
  readonly commands: readonly { command: string; description: string; usageHint: string }[];
  readonly shortcuts: readonly { name: string; callbackId: string; type: 'message' | 'global' }[];
  readonly channels: readonly ChannelSnapshot[];
  /** Open modals by user id, the top one last. */
  readonly views: Readonly<Record<string, readonly ViewSnapshot[]>>;
  readonly homes: Readonly<Record<string, ViewSnapshot>>;
  /** Threads in which the bot has said what it is doing. */
  readonly agentThreads: readonly AgentThread[];
  readonly prompts: readonly Prompts[];
}

/** The workspace as seen by one person, or all of it. Plain text objects are unescaped, as a client shows them. */
export function snapshot({ state, app }: Workspace, as?: string): SlackSnapshot {
  const { team, bot, userGroups } = state.world;
  const mine = (user: string) => as === undefined || user === as;
  const channels = [...state.channels.values()].filter((one) => one.im === undefined || mine(one.im));
  const stacks = [...state.stacks].filter(([user]) => mine(user));
  const homes = [...state.homes].filter(([user]) => mine(user));
  return {
    team: { id: team.id, name: team.name },
    bot: { userId: bot.userId, name: bot.name, realName: bot.realName },
    userGroups: userGroups.map(({ id, handle }) => ({ id, handle })),
    commands: app.commands,
    shortcuts: app.shortcuts,
    channels: channels.map((one) => channelSnapshot(state, one, as)),
    views: Object.fromEntries(stacks.map(([user, stack]) => [user, stack.map(viewSnapshot)])),
    homes: Object.fromEntries(homes.map(([user, view]) => [user, viewSnapshot(view)])),
    agentThreads: state.agentThreads().filter(({ channel }) => channels.some(({ id }) => id === channel)),
    prompts: [...state.prompts.values()].filter(({ channel }) => channels.some(({ id }) => id === channel)),
  };
}

/** The messages of one channel as seen by one person, or all: without the cost of a whole snapshot. */
export function messagesIn({ state }: Workspace, channel: string, as?: string): MessageSnapshot[] {
  const found = state.channels.values().find((one) => [one.id, one.name, one.im].includes(channel));
  return found === undefined ? [] : messageSnapshots(state, found, as);
}

function messageSnapshots(state: SlackState, { id }: Channel, as: string | undefined): MessageSnapshot[] {
  const messages = state
    .messages(id)
    .filter((one) => as === undefined || one.ephemeralFor === undefined || one.ephemeralFor === as);
  return messages.map((one) => messageSnapshot(state, one));
}

function channelSnapshot(state: SlackState, channel: Channel, as: string | undefined): ChannelSnapshot {
  return {
    id: channel.id,
    name: channel.name,
    topic: channel.topic,
    ...(channel.im === undefined ? {} : { im: channel.im }),
    members: [...channel.members],
    botIsMember: state.botIsIn(channel),
    messages: messageSnapshots(state, channel, as),
  };
}

function messageSnapshot(state: SlackState, message: Message): MessageSnapshot {
  return {
    ts: message.ts,
    channel: message.channel,
    user: message.user,
    isBot: message.botId !== undefined,
    text: message.text,
    blocks: message.blocks.map(shownBlock),
    attachments: message.attachments,
    ...(message.metadata === undefined ? {} : { metadata: message.metadata }),
    ...(message.threadTs === undefined ? {} : { threadTs: message.threadTs }),
    replyCount: state.replies(message.channel, message.ts).length,
    edited: message.edited !== undefined,
    ...(message.ephemeralFor === undefined ? {} : { ephemeralFor: message.ephemeralFor }),
    mentions: message.mentions,
  };
}

function viewSnapshot(view: View): ViewSnapshot {
  return {
    id: view.id,
    user: view.user,
    hash: view.hash,
    definition: shownBlock(view.definition),
    values: view.values,
    errors: view.errors,
    ...(view.notice === undefined ? {} : { notice: view.notice }),
  };
}

/** A changed message gets new blocks, so what is shown of one is worked out once, however often somebody looks. */
const shown = new WeakMap<Fields, Fields>();

function shownBlock(block: Fields): Fields {
  const known = shown.get(block);
  if (known !== undefined) return known;
  const value = shownValue(block);
  const now = isFields(value) ? value : block;
  shown.set(block, now);
  return now;
}

function shownValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shownValue);
  if (!isFields(value)) return value;
  const text = stringAt(value, 'text');
  if (value.type === 'plain_text' && text !== undefined) return { ...value, text: unescaped(text) };
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shownValue(one)]));
}
