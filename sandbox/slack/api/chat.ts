import { type Content, contentOf, isEmpty } from '../content.ts';
import { SlackApiError } from '../errors.ts';
import type { Fields } from '../fields.ts';
import { messageJson } from '../message-json.ts';
import type { Message } from '../model.ts';
import { botAuthor, edit, post } from '../posting.ts';
import type { Workspace } from '../workspace.ts';
import type { Args } from './args.ts';
import { botMethod, channelById, channelOf, type Methods, requireMember } from './method.ts';

const maxPosted = 40_000;
const maxUpdated = 4_000;

export const chatMethods: Methods = {
  'chat.postMessage': botMethod(['chat:write'], postMessage),
  'chat.postEphemeral': botMethod(['chat:write'], postEphemeral),
  'chat.update': botMethod(['chat:write'], update),
  'chat.delete': botMethod(['chat:write'], remove),
  'chat.getPermalink': botMethod([], getPermalink),
};

function contentRules(workspace: Workspace, maxText: number): Parameters<typeof contentOf>[1] {
  const { state, unknownBlocks } = workspace;
  return { state, unknownBlocks, maxText, limitBlocks: true };
}

function postable(args: Args, workspace: Workspace): Content {
  const content = contentOf(args, contentRules(workspace, maxPosted));
  if (isEmpty(content)) throw new SlackApiError('no_text');
  return content;
}

function postMessage(args: Args, workspace: Workspace): Fields {
  const { state } = workspace;
  const channel = channelOf(state, args.need('channel'));
  const everywhere = workspace.app.scopes.includes('chat:write.public');
  if (!everywhere) requireMember(state, channel);
  if (channel.im !== undefined && !workspace.app.messagesTab)
    throw new SlackApiError('messages_tab_disabled');
  const content = postable(args, workspace);
  const threadTs = args.string('thread_ts');
  const message = post(state, channel, botAuthor(state), content, threadTs === undefined ? {} : { threadTs });
  return { channel: channel.id, ts: message.ts, message: messageJson(state, message) };
}

function postEphemeral(args: Args, workspace: Workspace): Fields {
  const { state } = workspace;
  const channel = channelOf(state, args.need('channel'));
  const user = args.need('user');
  requireMember(state, channel);
  if (!channel.members.has(user)) throw new SlackApiError('user_not_in_channel');
  const content = postable(args, workspace);
  const threadTs = args.string('thread_ts');
  const message = post(state, channel, botAuthor(state), content, {
    ephemeralFor: user,
    ...(threadTs === undefined ? {} : { threadTs }),
  });
  return { message_ts: message.ts };
}

/** Only the author may change a message. Ephemeral messages cannot be found by their timestamp. */
function ownMessage(args: Args, workspace: Workspace, refused: string): Message {
  const { state } = workspace;
  const channel = channelById(state, args.need('channel'));
  const message = state.message(channel.id, args.need('ts'));
  if (message === undefined) throw new SlackApiError('message_not_found');
  if (message.user !== state.world.bot.userId) throw new SlackApiError(refused);
  return message;
}

function update(args: Args, workspace: Workspace): Fields {
  const message = ownMessage(args, workspace, 'cant_update_message');
  const content = contentOf(args, contentRules(workspace, maxUpdated));
  const given = content.text ?? content.blocks ?? content.attachments ?? content.metadata;
  const cleared = content.blocks?.length === 0 && (content.text ?? message.text) === '';
  if (given === undefined || cleared) throw new SlackApiError('no_text');
  edit(workspace.state, message, content);
  const json = messageJson(workspace.state, message);
  return { channel: message.channel, ts: message.ts, text: message.text, message: json };
}

function remove(args: Args, workspace: Workspace): Fields {
  const message = ownMessage(args, workspace, 'cant_delete_message');
  workspace.state.removeMessage(message);
  return { channel: message.channel, ts: message.ts };
}

function getPermalink(args: Args, workspace: Workspace): Fields {
  const { state } = workspace;
  const channel = channelById(state, args.need('channel'));
  const message = state.message(channel.id, args.need('message_ts'));
  if (message === undefined) throw new SlackApiError('message_not_found');
  const host = `https://${state.world.team.domain}.slack.com`;
  const link = `${host}/archives/${channel.id}/p${message.ts.replace('.', '')}`;
  const thread = message.threadTs === undefined ? '' : `?thread_ts=${message.threadTs}&cid=${channel.id}`;
  return { channel: channel.id, permalink: `${link}${thread}` };
}
