import { setTimeout as pause } from 'node:timers/promises';
import type { WebClient } from '@slack/web-api';
import { VendorError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { Call } from './call.ts';
import { scopes } from './manifest.ts';

/** The bot that a token is for. */
export interface Identity {
  readonly teamId: string;
  readonly botUserId: string;
  readonly botId: string;
}

/** Also warns about missing scopes of the token, which Slack returns as well. */
export async function readIdentity(client: WebClient, log: Log): Promise<Identity> {
  const answer = await client.auth.test();
  const granted = answer.response_metadata?.scopes;
  const missing = Object.keys(scopes).filter((scope) => granted?.includes(scope) === false);
  if (missing.length > 0)
    log.warn(
      { scopes: missing.join(', ') },
      'The Slack app lacks scopes: add them under OAuth & Permissions and install the app again',
    );
  const { team_id: teamId = '', user_id: botUserId = '', bot_id: botId = '' } = answer;
  return { teamId, botUserId, botId };
}

const maxPauseMs = 30_000;

/** Our identity in Slack. Throws for a wrong token; waits while Slack is down. */
export async function learnIdentity(gateway: { identity(): Promise<Identity> }, log: Log): Promise<Identity> {
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

/** Slack's errors for a token that used to work. For one that never did, our own setting may be wrong. */
const removed = ['slack_account_inactive', 'slack_token_revoked'];

export async function isInstalled(call: Call): Promise<boolean> {
  try {
    await call('auth.test', 'again', (client) => client.auth.test());
    return true;
  } catch (error) {
    if (error instanceof VendorError && removed.includes(error.code)) return false;
    throw error;
  }
}

/** Asks once and keeps the answer; a failure is not kept. */
export function remembered<T>(ask: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined;
  return () => {
    known ??= ask().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}
