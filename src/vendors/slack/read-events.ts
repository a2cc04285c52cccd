import type { z } from 'zod';
import type {
  ActionEvent,
  Actor,
  BotMentionEvent,
  CommandEvent,
  HomeEvent,
  MentionEvent,
  ReplyEvent,
  ShortcutEvent,
  StopEvent,
  SubmitEvent,
} from './events.ts';
import type { Identity } from './identity.ts';
import { messageWords } from './message-words.ts';
import * as payloads from './payloads.ts';

/** Each reads one kind of payload. Null: not for us. Throws a ZodError for a payload that Slack never sends. */

function actor(userId: string, home: string | null | undefined, bot: Identity): Actor {
  return { userId, teamId: bot.teamId, home: home ?? null };
}

/** Sent for the bot's own workspace, wherever it happened. */
export function forUs(
  { team_id: team, authorizations }: Pick<z.infer<typeof payloads.messageBody>, 'team_id' | 'authorizations'>,
  bot: Identity,
): boolean {
  const installed = (authorizations ?? []).flatMap((one) => [one.team_id, one.enterprise_id]);
  return (installed.length > 0 ? installed : [team]).includes(bot.teamId);
}

export function command(body: unknown, bot: Identity): CommandEvent {
  const sent = payloads.commandPayload.parse(body);
  return {
    type: 'command',
    key: `trigger:${sent.trigger_id}`,
    actor: actor(sent.user_id, sent.team_id, bot),
    channel: sent.channel_id,
    text: sent.text,
    responseUrl: sent.response_url,
    triggerId: sent.trigger_id,
  };
}

/** A person's message, or null for other message events. */
function writtenByPerson(body: unknown, bot: Identity) {
  const { event, ...envelope } = payloads.messageBody.parse(body);
  const plain = !event.subtype || ['thread_broadcast', 'file_share'].includes(event.subtype);
  if (!forUs(envelope, bot) || !plain) return null;
  if (!event.user || event.bot_id || event.user === bot.botUserId) return null;
  return { ...event, user: event.user };
}

export function mention(body: unknown, bot: Identity): MentionEvent | BotMentionEvent | null {
  const event = writtenByPerson(body, bot);
  return event === null ? mentionByBot(body, bot) : addressed(event, bot);
}

function mentionByBot(body: unknown, bot: Identity): BotMentionEvent | null {
  const { event, ...envelope } = payloads.messageBody.parse(body);
  const { bot_id: by, channel, ts } = event;
  if (!forUs(envelope, bot) || !by || by === bot.botId || event.user === bot.botUserId) return null;
  const hour = Math.floor(Number(ts) / 3_600);
  return {
    type: 'bot_mention',
    key: `bot_mention:${channel}:${by}:${hour}`,
    actor: actor(by, event.user_team ?? event.team, bot),
    channel,
    ts,
  };
}

/**
 * A direct message to the bot. Slack sends no mention event there, whether or not the bot is named. Each starts a thread:
 * there Slack shows what the bot is doing, and its stop button.
 */
export function direct(body: unknown, bot: Identity): MentionEvent | null {
  const event = writtenByPerson(body, bot);
  return event?.channel_type === 'im'
    ? addressed({ ...event, thread_ts: event.thread_ts ?? event.ts }, bot)
    : null;
}

function addressed(event: NonNullable<ReturnType<typeof writtenByPerson>>, bot: Identity): MentionEvent {
  return {
    type: 'mention',
    key: `message:${event.channel}:${event.ts}`,
    actor: actor(event.user, event.user_team ?? event.team, bot),
    channel: event.channel,
    ts: event.ts,
    threadTs: event.thread_ts ?? null,
    text: withoutMention(event.text, bot),
  };
}

/** A reply that also mentions the bot arrives as a mention, too, and is handled there. */
export function reply(body: unknown, bot: Identity): ReplyEvent | null {
  const event = writtenByPerson(body, bot);
  if (event === null || event.channel_type === 'im') return null;
  if (!event.thread_ts || event.thread_ts === event.ts) return null;
  if (event.text !== withoutMention(event.text, bot)) return null;
  return {
    type: 'reply',
    key: `message:${event.channel}:${event.ts}`,
    actor: actor(event.user, event.user_team ?? event.team, bot),
    channel: event.channel,
    ts: event.ts,
    threadTs: event.thread_ts,
    text: event.text,
  };
}

function withoutMention(text: string, bot: Identity): string {
  const marks = text.split(new RegExp(`<@${bot.botUserId}(?:\\|[^<>]*)?>`));
  if (marks.length === 1) return text;
  return marks
    .map((part) => part.trim())
    .join(' ')
    .trim();
}

export function home(body: unknown, bot: Identity): HomeEvent | null {
  const envelope = payloads.homeBody.parse(body);
  const { user, tab, channel } = envelope.event;
  if (!forUs(envelope, bot) || (tab !== 'home' && tab !== 'messages')) return null;
  const opened = { type: 'home', key: `event:${envelope.event_id}`, actor: actor(user, null, bot) } as const;
  return tab === 'home' ? opened : { ...opened, messages: channel };
}

export function stop(body: unknown, bot: Identity): StopEvent | null {
  const { event, ...envelope } = payloads.stopBody.parse(body);
  if (!forUs(envelope, bot)) return null;
  const { user, channel, thread_ts: threadTs } = event;
  return {
    type: 'stop',
    key: `event:${envelope.event_id}`,
    actor: actor(user, null, bot),
    channel,
    threadTs,
  };
}

export function shortcut(body: unknown, bot: Identity): ShortcutEvent {
  const sent = payloads.shortcutPayload.parse(body);
  const { ts, thread_ts: threadTs } = sent.message;
  return {
    type: 'shortcut',
    key: `trigger:${sent.trigger_id}`,
    actor: actor(sent.user.id, sent.user.team_id ?? sent.team?.id, bot),
    channel: sent.channel.id,
    responseUrl: sent.response_url,
    triggerId: sent.trigger_id,
    message: { ts, threadTs: threadTs ?? null, text: messageWords(sent.message) },
  };
}

export function action(body: unknown, bot: Identity): ActionEvent | null {
  const sent = payloads.actionPayload.parse(body);
  const clicked = sent.actions[0];
  if (!clicked) return null;
  const channel = sent.channel?.id ?? sent.container?.channel_id;
  const ts = sent.message?.ts ?? sent.container?.message_ts;
  return {
    type: 'action',
    key: `trigger:${sent.trigger_id}:${clicked.action_id}`,
    actor: actor(sent.user.id, sent.user.team_id ?? sent.team?.id, bot),
    actionId: clicked.action_id,
    value: clicked.selected_option?.value ?? clicked.value ?? '',
    triggerId: sent.trigger_id,
    responseUrl: sent.response_url ?? null,
    message: channel && ts ? { channel, ts, threadTs: sent.message?.thread_ts ?? null } : null,
    view: sent.view ? payloads.openView(sent.view) : null,
  };
}

export function submit(body: unknown, bot: Identity): SubmitEvent | null {
  const sent = payloads.submitPayload.parse(body);
  if (sent.view.type !== 'modal') return null;
  return {
    type: 'submit',
    key: `trigger:${sent.trigger_id || `${sent.view.id}:${sent.view.hash}`}`,
    actor: actor(sent.user.id, sent.user.team_id ?? sent.team?.id, bot),
    triggerId: sent.trigger_id,
    view: payloads.openView(sent.view),
  };
}
