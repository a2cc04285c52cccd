import type { Message } from '../../blocks/message.ts';
import { describeError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { SlackGateway } from './gateway.ts';
import { somebody } from './payloads.ts';

/** Says to the person behind a payload that it failed: where they acted, else in a direct message. */
export async function tellFailure(
  gateway: SlackGateway,
  body: unknown,
  message: Message,
  log: Log,
): Promise<void> {
  const who = somebody.safeParse(body);
  if (!who.success) return;
  const { response_url: responseUrl, user, event } = who.data;
  const userId = who.data.user_id ?? (typeof user === 'object' ? user?.id : user) ?? event?.user;
  const channel = who.data.channel_id ?? who.data.channel?.id ?? event?.channel;
  try {
    if (responseUrl) return await gateway.respond(responseUrl, message);
    if (!userId) return;
    if (channel) return await gateway.ephemeral({ channel, userId, message });
    const direct = await gateway.openDirect(userId);
    await gateway.post({ channel: direct, message, key: `failure:${crypto.randomUUID()}` });
  } catch (error) {
    log.warn({ ...describeError(error) }, 'Could not notify the user of a failure');
  }
}
