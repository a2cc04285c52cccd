import type { Message } from '../../blocks/message.ts';
import { describeError, VendorError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { SlackEvent } from './events.ts';
import type { SlackGateway } from './gateway.ts';

/** Says to the person behind an event that it failed: where they acted, and where that does not work in a direct message. */
export async function tellFailure(
  gateway: SlackGateway,
  event: SlackEvent,
  message: Message,
  log: Log,
): Promise<void> {
  const { userId } = event.actor;
  try {
    if (await toldThere(gateway, event, message)) return;
    const channel = await gateway.openDirect(userId);
    await gateway.post({ channel, message, key: `failure:${event.key}` });
  } catch (error) {
    log.warn({ key: event.key, ...describeError(error) }, 'Could not tell the person about a failure');
  }
}

async function toldThere(gateway: SlackGateway, event: SlackEvent, message: Message): Promise<boolean> {
  const responseUrl = 'responseUrl' in event ? event.responseUrl : null;
  const channel = 'channel' in event ? event.channel : null;
  try {
    if (responseUrl !== null) await gateway.respond(responseUrl, message);
    else if (channel !== null) {
      await gateway.ephemeral({ channel, userId: event.actor.userId, message });
    } else return false;
    return true;
  } catch (error) {
    if (error instanceof VendorError && !error.mayHaveHappened) return false;
    throw error;
  }
}
