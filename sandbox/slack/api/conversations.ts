import { SlackApiError } from '../errors.ts';
import type { Fields } from '../fields.ts';
import { channelJson, messageJson } from '../message-json.ts';
import type { Channel, Message } from '../model.ts';
import type { SlackState } from '../state.ts';
import type { Workspace } from '../workspace.ts';
import type { Args } from './args.ts';
import { botMethod, channelById, type Methods, paged, requireMember, requireScope } from './method.ts';

const readScopes = ['channels:read', 'groups:read', 'mpim:read', 'im:read'];
const historyScopes = ['channels:history', 'groups:history', 'mpim:history', 'im:history'];
const openScopes = ['im:write', 'mpim:write', 'channels:manage', 'groups:write'];

export const conversationMethods: Methods = {
  'conversations.info': botMethod(readScopes, info),
  'conversations.members': botMethod(readScopes, members),
  'conversations.history': botMethod(historyScopes, history),
  'conversations.replies': botMethod(historyScopes, replies),
  'conversations.open': botMethod(openScopes, open),
  'conversations.join': botMethod(['channels:join'], join),
};

function info(args: Args, { state }: Workspace): Fields {
  return { channel: channelJson(state, channelById(state, args.need('channel'))) };
}

function members(args: Args, { state }: Workspace): Fields {
  const { page, cursor } = paged([...channelById(state, args.need('channel')).members], args, 100);
  return { members: page, response_metadata: { next_cursor: cursor } };
}

function readable(args: Args, workspace: Workspace): Channel {
  const channel = channelById(workspace.state, args.need('channel'));
  requireScope(workspace, channel.im === undefined ? 'channels:history' : 'im:history');
  requireMember(workspace.state, channel);
  return channel;
}

function inWindow(args: Args, message: Message): boolean {
  const ts = Number(message.ts);
  const oldest = Number(args.string('oldest') ?? '0');
  const latest = Number(args.string('latest') ?? 'Infinity');
  if (Number.isNaN(oldest)) throw new SlackApiError('invalid_ts_oldest');
  if (Number.isNaN(latest)) throw new SlackApiError('invalid_ts_latest');
  return args.flag('inclusive') ? ts >= oldest && ts <= latest : ts > oldest && ts < latest;
}

function answer(args: Args, state: SlackState, all: readonly Message[]): Fields {
  const { page, cursor, hasMore } = paged(all, args, 100);
  const metadata = args.flag('include_all_metadata');
  return {
    messages: page.map((one) => messageJson(state, one, { metadata })),
    has_more: hasMore,
    ...(hasMore ? { response_metadata: { next_cursor: cursor } } : {}),
  };
}

/** Newest first, without replies, as Slack lists a channel. */
function history(args: Args, workspace: Workspace): Fields {
  const channel = readable(args, workspace);
  const all = workspace.state
    .messages(channel.id)
    .filter((one) => one.ephemeralFor === undefined && one.threadTs === undefined && inWindow(args, one));
  return answer(args, workspace.state, all.toReversed());
}

/** The first message and its replies, oldest first. */
function replies(args: Args, workspace: Workspace): Fields {
  const { state } = workspace;
  const channel = readable(args, workspace);
  const ts = args.need('ts');
  const root = state.message(channel.id, ts);
  if (root === undefined) throw new SlackApiError('thread_not_found');
  const rest = state.replies(channel.id, ts).filter((one) => inWindow(args, one));
  return answer(args, state, [root, ...rest]);
}

function open(args: Args, workspace: Workspace): Fields {
  const { state } = workspace;
  const known = args.string('channel');
  if (known !== undefined) return { channel: { id: channelById(state, known).id } };
  const users = args.need('users').split(',');
  if (users.length > 1) throw new SlackApiError('method_not_supported_for_channel_type');
  requireScope(workspace, 'im:write');
  const user = users[0] ?? '';
  if (!state.world.people.some((one) => one.id === user)) throw new SlackApiError('user_not_found');
  const already = state.channels.has(`D${user.slice(1)}`);
  const channel = state.openIm(user);
  const full = args.flag('return_im') ? channelJson(state, channel) : { id: channel.id };
  return { channel: full, ...(already ? { no_op: true, already_open: true } : {}) };
}

function join(args: Args, { state }: Workspace): Fields {
  const channel = channelById(state, args.need('channel'));
  if (channel.im !== undefined) throw new SlackApiError('method_not_supported_for_channel_type');
  const already = state.botIsIn(channel);
  channel.members.add(state.world.bot.userId);
  state.changed();
  return { channel: channelJson(state, channel), ...(already ? { warning: 'already_in_channel' } : {}) };
}
