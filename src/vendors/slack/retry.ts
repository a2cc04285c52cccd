import { setTimeout as pause } from 'node:timers/promises';
import { VendorError } from '../../core/errors.ts';
import { slackError } from './api-errors.ts';

/**
 * `again`: repeating the call is harmless. `once`: it is repeated only when it did not happen. `never`: not even then,
 * because the caller needs a new permission for each attempt.
 */
export type Repeat = 'again' | 'once' | 'never';

const maxAttempts = 3;
const firstPauseMs = 250;
/** Longer waits are left to the caller. */
const maxPauseMs = 5_000;

/**
 * Makes a call, with a few retries when that is safe. Throws a VendorError. Aborting `signal` ends the wait with
 * `slack_aborted`; the request itself may still arrive, so it counts as possibly made.
 */
export async function attempt<T>(
  method: string,
  repeat: Repeat,
  call: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  for (let count = 1; ; count += 1) {
    const failed = await tryOnce(method, call, signal);
    if (failed.ok) return failed.value;
    const wait = failed.error.retryAfterMs ?? firstPauseMs * 2 ** (count - 1) * (1 + Math.random());
    const safe = repeat === 'again' || (repeat === 'once' && !failed.error.mayHaveHappened);
    if (!failed.error.retryable || !safe || count >= maxAttempts || wait > maxPauseMs) throw failed.error;
    await pause(wait, undefined, signal ? { signal } : {}).catch(() => {
      throw aborted(method);
    });
  }
}

type Outcome<T> = { ok: true; value: T } | { ok: false; error: VendorError };

async function tryOnce<T>(method: string, call: () => Promise<T>, signal?: AbortSignal): Promise<Outcome<T>> {
  if (signal?.aborted) return { ok: false, error: aborted(method, false) };
  const stop = Promise.withResolvers<never>();
  const onAbort = (): void => stop.reject(aborted(method));
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return { ok: true, value: await Promise.race([call(), stop.promise]) };
  } catch (error) {
    return { ok: false, error: slackError(error, method) };
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

function aborted(method: string, mayHaveHappened = true): VendorError {
  return new VendorError('slack_aborted', 'The call to Slack was stopped before it answered.', {
    retryable: false,
    mayHaveHappened,
    facts: { method },
  });
}
