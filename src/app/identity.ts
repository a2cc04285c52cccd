import { setTimeout as pause } from 'node:timers/promises';
import { VendorError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Identity, SlackGateway } from '../vendors/slack/gateway.ts';

const maxPauseMs = 30_000;

/** Our identity in Slack. Throws for a wrong token; waits while Slack is down. */
export async function learnIdentity(gateway: SlackGateway, log: Log): Promise<Identity> {
  for (let wait = 1_000; ; wait = Math.min(wait * 2, maxPauseMs)) {
    try {
      return await gateway.identity();
    } catch (error) {
      if (!(error instanceof VendorError && error.retryable)) throw error;
      log.warn({ code: error.code, waitMs: wait }, 'Slack cannot be reached yet');
      await pause(wait);
    }
  }
}
