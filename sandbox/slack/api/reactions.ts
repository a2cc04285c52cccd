import { SlackApiError } from '../errors.ts';
import type { Fields } from '../fields.ts';
import { messageJson } from '../message-json.ts';
import type { Message } from '../model.ts';
import type { Workspace } from '../workspace.ts';
import type { Args } from './args.ts';
import { botMethod, channelById, type Methods, requireMember } from './method.ts';

export const reactionMethods: Methods = {
  'reactions.add': botMethod(['reactions:write'], add),
  'reactions.remove': botMethod(['reactions:write'], remove),
  'reactions.get': botMethod(['reactions:read'], get),
};

function target(args: Args, { state }: Workspace): Message {
  const channel = channelById(state, args.need('channel'));
  requireMember(state, channel);
  const message = state.message(channel.id, args.need('timestamp'));
  if (message === undefined) throw new SlackApiError('message_not_found');
  return message;
}

function emoji(args: Args): string {
  const name = args.need('name').replaceAll(':', '');
  if (!/^[a-z0-9_+'-]+$/.test(name)) throw new SlackApiError('invalid_name');
  return name;
}

function add(args: Args, workspace: Workspace): Fields {
  const name = emoji(args);
  const message = target(args, workspace);
  const { userId } = workspace.state.world.bot;
  const known = message.reactions.find((one) => one.name === name);
  if (known?.users.includes(userId)) throw new SlackApiError('already_reacted');
  if (known === undefined) message.reactions.push({ name, users: [userId] });
  else known.users.push(userId);
  workspace.state.changed();
  return {};
}

function remove(args: Args, workspace: Workspace): Fields {
  const name = emoji(args);
  const message = target(args, workspace);
  const { userId } = workspace.state.world.bot;
  const known = message.reactions.find((one) => one.name === name);
  if (known?.users.includes(userId) !== true) throw new SlackApiError('no_reaction');
  known.users = known.users.filter((one) => one !== userId);
  message.reactions = message.reactions.filter((one) => one.users.length > 0);
  workspace.state.changed();
  return {};
}

function get(args: Args, workspace: Workspace): Fields {
  const message = target(args, workspace);
  return { type: 'message', channel: message.channel, message: messageJson(workspace.state, message) };
}
