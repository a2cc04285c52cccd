import { Args } from './api/args.ts';
import { contentOf, isEmpty } from './content.ts';
import type { ResponseTarget } from './delivery/response-urls.ts';
import { SlackApiError } from './errors.ts';
import { type Fields, stringAt } from './fields.ts';
import { botAuthor, edit, post } from './posting.ts';
import type { Workspace } from './workspace.ts';

/**
 * Handles a message sent to a response_url or with the acknowledgement of a command: a new message, ephemeral unless
 * `response_type` is `in_channel`, or a change of the interaction's message. Works in channels without the bot. Throws
 * SlackApiError.
 */
export function respond(workspace: Workspace, target: ResponseTarget, body: Fields): void {
  const { state } = workspace;
  const args = new Args(body);
  const channel = state.channels.get(target.channel);
  if (channel === undefined) throw new SlackApiError('channel_not_found');
  const original =
    target.messageTs === undefined ? undefined : state.message(channel.id, target.messageTs, target.user);
  if (args.flag('delete_original')) {
    if (original === undefined) throw new SlackApiError('message_not_found');
    state.removeMessage(original);
    return;
  }
  const content = contentOf(args, {
    state,
    unknownBlocks: workspace.unknownBlocks,
    maxText: 40_000,
    limitBlocks: false,
  });
  if (isEmpty(content)) throw new SlackApiError('no_text');
  if (args.flag('replace_original') && original !== undefined) {
    edit(state, original, content);
    return;
  }
  const threadTs = stringAt(body, 'thread_ts');
  const placement = {
    ...(threadTs === undefined ? {} : { threadTs }),
    ...(args.string('response_type') === 'in_channel' ? {} : { ephemeralFor: target.user }),
  };
  post(state, channel, botAuthor(state), content, placement);
}
