import type { Message } from '../blocks/message.ts';
import { VendorError } from '../core/errors.ts';
import { notInChannel } from './undeliverable.ts';

const notThere = new Set(['slack_not_in_channel', 'slack_channel_not_found']);

/** How to invite the bot to a channel if that resolves the error, else null. */
export async function invitation(
  error: unknown,
  channel: string,
  botUserId: () => Promise<string>,
): Promise<Message | null> {
  if (!(error instanceof VendorError && notThere.has(error.code))) return null;
  return notInChannel(channel, await botUserId());
}
