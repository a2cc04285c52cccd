import type { Envelope } from './delivery/envelope.ts';
import type { Fields } from './fields.ts';
import { messageJson } from './message-json.ts';
import type { Channel, Message } from './model.ts';
import { eventPayload } from './person/payloads.ts';
import type { MessageChange } from './state.ts';
import type { Workspace } from './workspace.ts';

/** Whether the app receives messages of this channel: subscribed and a member. */
export function hearsMessages({ state, app }: Workspace, channel: Channel): boolean {
  const event = channel.im === undefined ? 'message.channels' : 'message.im';
  return app.events.includes(event) && state.botIsIn(channel);
}

export function messageEvent(
  workspace: Workspace,
  channel: Channel,
  message: Message,
  type: 'message' | 'app_mention',
): Envelope {
  const common = messageJson(workspace.state, message);
  const kind = type === 'message' ? { channel_type: channelType(channel) } : {};
  const event = { ...common, ...kind, type, channel: channel.id, event_ts: message.ts };
  return { type: 'events_api', payload: eventPayload(workspace, event) };
}

/** An app also receives its own messages and every change to them; it has to recognise them itself. */
export function announceOwnMessages(workspace: Workspace): void {
  const { state, delivery } = workspace;
  state.onMessage((change) => {
    const { message } = change;
    const channel = state.channels.get(message.channel);
    if (message.user !== state.world.bot.userId || message.ephemeralFor !== undefined) return;
    if (channel === undefined || !hearsMessages(workspace, channel)) return;
    const envelope =
      change.kind === 'posted'
        ? messageEvent(workspace, channel, message, 'message')
        : changeEvent(workspace, channel, change);
    void delivery.event(envelope);
  });
}

function changeEvent(workspace: Workspace, channel: Channel, change: MessageChange): Envelope {
  const { state } = workspace;
  const ts = state.nextTs();
  const details: Fields =
    change.kind === 'changed'
      ? {
          subtype: 'message_changed',
          message: messageJson(state, change.message),
          previous_message: messageJson(state, change.previous),
        }
      : {
          subtype: 'message_deleted',
          deleted_ts: change.message.ts,
          previous_message: messageJson(state, change.message),
        };
  const place = { channel: channel.id, channel_type: channelType(channel), hidden: true, ts, event_ts: ts };
  return { type: 'events_api', payload: eventPayload(workspace, { type: 'message', ...details, ...place }) };
}

function channelType(channel: Channel): 'channel' | 'im' {
  return channel.im === undefined ? 'channel' : 'im';
}
