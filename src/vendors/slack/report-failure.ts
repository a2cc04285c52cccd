import type { Message } from '../../blocks/message.ts';
import { describeError, VendorError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { SlackEvent } from './events.ts';
import type { SlackGateway } from './gateway.ts';

export interface FailureDeps {
  readonly gateway: SlackGateway;
  /** Queues a message to a person, to be sent once Slack accepts it. */
  readonly queue: (userId: string, key: string, message: Message) => Promise<void>;
  readonly log: Log;
}

/**
 * Tells the person behind an event that it failed: where they acted, else in a direct message, or, while Slack is down,
 * as soon as it is back. Throws when that cannot be stored either.
 */
export async function tellFailure(
  event: SlackEvent,
  message: Message,
  { gateway, queue, log }: FailureDeps,
): Promise<void> {
  const { userId } = event.actor;
  const key = `failure:${event.key}`;
  try {
    if (await toldThere(gateway, event, message)) return;
    const channel = await gateway.openDirect(userId);
    await gateway.post({ channel, message, key });
  } catch (error) {
    log.warn({ key: event.key, ...describeError(error) }, 'Could not tell the person about a failure yet');
    await queue(userId, key, message);
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
