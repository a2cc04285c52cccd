import { compact, type Fields } from './fields.ts';
import type { Channel, Message, View } from './model.ts';
import type { SlackState } from './state.ts';

/** Messages, channels and views in the format of the Web API and the events. */
export function messageJson(
  state: SlackState,
  message: Message,
  options: { metadata: boolean } = { metadata: true },
): Fields {
  const bot = message.botId === undefined ? {} : botFields(state);
  return compact({
    type: 'message',
    user: message.user,
    text: message.text,
    ts: message.ts,
    team: state.world.team.id,
    ...bot,
    blocks: message.blocks.length > 0 ? message.blocks : undefined,
    attachments: message.attachments.length > 0 ? message.attachments : undefined,
    edited: message.edited,
    reactions: reactionsOf(message),
    metadata: options.metadata ? message.metadata : undefined,
    ...threadFields(state, message),
  });
}

function reactionsOf({ reactions }: Message): Fields[] | undefined {
  if (reactions.size === 0) return undefined;
  return [...reactions].map(([name, people]) => ({ name, users: [...people], count: people.size }));
}

function botFields(state: SlackState): Fields {
  const { bot, team } = state.world;
  return {
    bot_id: bot.botId,
    app_id: bot.appId,
    bot_profile: { id: bot.botId, app_id: bot.appId, name: bot.realName, deleted: false, team_id: team.id },
  };
}

function threadFields(state: SlackState, message: Message): Fields {
  if (message.threadTs !== undefined) {
    const parent = state.message(message.channel, message.threadTs);
    return compact({ thread_ts: message.threadTs, parent_user_id: parent?.user });
  }
  const replies = state.replies(message.channel, message.ts);
  const last = replies.at(-1);
  if (last === undefined) return {};
  const users = [...new Set(replies.map((one) => one.user))];
  return {
    thread_ts: message.ts,
    reply_count: replies.length,
    reply_users_count: users.length,
    reply_users: users.slice(0, 5),
    latest_reply: last.ts,
    is_locked: false,
    subscribed: false,
  };
}

export function channelJson(state: SlackState, channel: Channel): Fields {
  const created = 1_700_000_000;
  if (channel.im !== undefined) {
    const flags = { is_im: true, is_channel: false, is_group: false, is_mpim: false, is_archived: false };
    return {
      id: channel.id,
      created,
      ...flags,
      is_org_shared: false,
      user: channel.im,
      is_open: true,
      priority: 0,
    };
  }
  return {
    id: channel.id,
    name: channel.name,
    name_normalized: channel.name,
    is_channel: true,
    is_group: false,
    is_im: false,
    is_mpim: false,
    is_private: false,
    is_archived: false,
    is_general: channel.name === 'general',
    is_shared: false,
    is_org_shared: false,
    is_ext_shared: false,
    is_member: state.botIsIn(channel),
    created,
    creator: state.world.people[0]?.id,
    context_team_id: state.world.team.id,
    topic: { value: channel.topic, creator: '', last_set: 0 },
    purpose: { value: '', creator: '', last_set: 0 },
    previous_names: [],
    num_members: channel.members.size,
  };
}

/** A view in API answers and interactions. */
export function viewJson(state: SlackState, view: View): Fields {
  const { bot, team } = state.world;
  const defaults = {
    private_metadata: '',
    callback_id: '',
    external_id: '',
    title: null,
    close: null,
    submit: null,
  };
  return {
    ...defaults,
    clear_on_close: false,
    notify_on_close: false,
    ...view.definition,
    id: view.id,
    team_id: team.id,
    app_id: bot.appId,
    app_installed_team_id: team.id,
    bot_id: bot.botId,
    hash: view.hash,
    root_view_id: view.rootId,
    previous_view_id: view.previousId,
    state: { values: view.values },
  };
}

export function teamJson(state: SlackState): Fields {
  return { id: state.world.team.id, domain: state.world.team.domain };
}
