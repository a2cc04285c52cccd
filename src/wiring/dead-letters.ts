import { describeError, VendorError } from '../core/errors.ts';
import type { Say } from '../pipeline.ts';
import type { QueuedParcel } from '../report/ports.ts';
import { notInChannel, undeliverable } from '../report/private.ts';
import * as requests from '../store/requests.ts';
import type { World } from './world.ts';

/** A message that Slack will not take: whoever asked is told where they asked, or in a direct message. */
export function onDeadParcel(
  world: Pick<World, 'db' | 'gateway' | 'teamId' | 'log'>,
  voiceOf: (requestId: string) => Say | undefined,
) {
  const { db, gateway, teamId, log } = world;
  return async (parcel: QueuedParcel, error: unknown): Promise<void> => {
    const request = await requests.get(db, teamId, parcel.conversation);
    if (request === null || !/^[UW]/.test(request.requester)) return;
    const { botUserId } = await gateway.identity();
    const away = error instanceof VendorError && notThere.has(error.code);
    const words = away
      ? notInChannel(request.channel, botUserId)
      : undeliverable(describeError(error).message);
    try {
      const voice = voiceOf(request.id);
      if (voice) return await voice(words);
      const channel = await gateway.openDirect(request.requester);
      await gateway.post({ channel, message: words, key: `dead:${parcel.key}` });
    } catch (failed) {
      log.error({ ...describeError(failed), key: parcel.key }, 'Nobody could be told of a lost message');
    }
  };
}

const notThere = new Set(['slack_not_in_channel', 'slack_channel_not_found']);
