import type { WebClient } from '@slack/web-api';
import { VendorError } from '../../core/errors.ts';
import type { Call } from './call.ts';

interface Place {
  readonly channel: string;
  readonly ts: string;
}

/** The address of a message from Slack. Throws a VendorError. */
export async function permalinkOf(call: Call, { channel, ts }: Place): Promise<string> {
  const run = (client: WebClient) => client.chat.getPermalink({ channel, message_ts: ts });
  return (await call('chat.getPermalink', 'again', run)).permalink ?? '';
}

/** The address of an existing message, even when Slack is unavailable; Slack forwards the fallback. */
export async function linkTo(call: Call, at: Place): Promise<string> {
  try {
    return await permalinkOf(call, at);
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    return `https://slack.com/archives/${at.channel}/p${at.ts.replace('.', '')}`;
  }
}
