import type { Content } from './content.ts';
import { SlackApiError } from './errors.ts';
import type { Channel, Message } from './model.ts';
import type { SlackState } from './state.ts';
import { mentionsIn } from './text.ts';

export interface Author {
  readonly user: string;
  readonly botId?: string;
}

export function botAuthor(state: SlackState): Author {
  return { user: state.world.bot.userId, botId: state.world.bot.botId };
}

export interface Placement {
  readonly threadTs?: string;
  readonly ephemeralFor?: string;
}

/** Puts a message into a channel. A thread_ts of a reply uses that reply's thread, as in Slack. */
export function post(
  state: SlackState,
  channel: Channel,
  author: Author,
  content: Content,
  placement: Placement = {},
): Message {
  const thread =
    placement.threadTs === undefined ? undefined : threadRoot(state, channel, placement.threadTs);
  const text = content.text ?? '';
  const blocks = content.blocks ?? [];
  const message: Message = {
    ts: state.nextTs(),
    channel: channel.id,
    ...author,
    ...(thread === undefined ? {} : { threadTs: thread }),
    ...(placement.ephemeralFor === undefined ? {} : { ephemeralFor: placement.ephemeralFor }),
    text,
    blocks,
    attachments: content.attachments ?? [],
    entries: new Map(),
    reactions: new Map(),
    mentions: mentionsIn(text, blocks),
  };
  if (content.metadata !== undefined && content.metadata !== null) message.metadata = content.metadata;
  state.addMessage(message);
  return message;
}

function threadRoot(state: SlackState, channel: Channel, ts: string): string {
  const found = state.message(channel.id, ts);
  if (found === undefined) throw new SlackApiError('thread_not_found');
  return found.threadTs ?? found.ts;
}

/** Changes a message in place. A new text without blocks removes the old blocks; if nothing is given they stay. */
export function edit(state: SlackState, message: Message, content: Content): void {
  const previous = { ...message };
  if (content.blocks !== undefined) message.blocks = content.blocks;
  else if (content.text !== undefined) message.blocks = [];
  if (content.text !== undefined) message.text = content.text;
  if (content.attachments !== undefined) message.attachments = content.attachments;
  if (content.metadata === null) delete message.metadata;
  else if (content.metadata !== undefined) message.metadata = content.metadata;
  message.mentions = mentionsIn(message.text, message.blocks);
  message.edited = { user: message.user, ts: `${Math.floor(state.now() / 1_000)}.000000` };
  state.messageChanged(message, previous);
}

/** A message from Slack itself, visible to one person. */
export function slackbotNotice(state: SlackState, channel: string, user: string, text: string): void {
  const where = state.channels.get(channel);
  if (where !== undefined) post(state, where, { user: 'USLACKBOT' }, { text }, { ephemeralFor: user });
}
