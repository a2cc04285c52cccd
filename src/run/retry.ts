import { systemName } from '../core/askable.ts';
import { CountersignError, VendorError } from '../core/errors.ts';
import type { Manifest } from '../core/manifest.ts';
import { timeLimit } from '../process/call-turns.ts';

/**
 * Runs one call with a time limit, the tool's own if none is given, which stands still while a read waits for its turn
 * at a busy system. At the limit the call is aborted through its signal, without waiting for it to end: throws a
 * VendorError `timeout`.
 */
export async function timed<T>(
  manifest: Manifest,
  call: (signal: AbortSignal) => Promise<T>,
  timeoutMs = manifest.limits.timeoutMs,
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const isWrite = manifest.effect === 'write';
  const limit = timeLimit(timeoutMs, { waits: !isWrite }, () => {
    const words = timeoutMs < 1_000 ? `${timeoutMs} ms` : `${Math.round(timeoutMs / 100) / 10} s`;
    const message = `${systemName(manifest)} did not answer within ${words}.`;
    late.reject(new VendorError('timeout', message, { retryable: true, mayHaveHappened: isWrite }));
  });
  try {
    return await Promise.race([call(limit.signal), late.promise]);
  } finally {
    limit.end();
  }
}

const firstDelayMs = 500;
const maxDelayMs = 15_000;
/** If the vendor asks for a longer pause than this, we give up. */
export const maxRetryMs = 60_000;

/**
 * Milliseconds before the next attempt: doubled each time, randomised over the upper half, and never less than the
 * vendor asked for. Null when another attempt is pointless.
 */
export function delayAfter(error: unknown, attempt: number, random: () => number): number | null {
  if (!(error instanceof VendorError) || !error.retryable) return null;
  const asked = error.retryAfterMs ?? 0;
  if (asked > maxRetryMs) return null;
  const full = Math.min(firstDelayMs * 2 ** (attempt - 1), maxDelayMs);
  return Math.max(asked, full * (0.5 + random() / 2));
}

const storeDelaysMs = [100, 400, 1_500, 4_000];

/**
 * Retries a database call for about six seconds, so that a restart of the database does not end a run. Our own errors
 * are answers and are rethrown at once.
 */
export async function retryStore<T>(
  call: () => Promise<T>,
  sleep: (ms: number) => Promise<void>,
): Promise<T> {
  for (const delay of storeDelaysMs) {
    try {
      return await call();
    } catch (error) {
      if (error instanceof CountersignError) throw error;
      await sleep(delay);
    }
  }
  return call();
}

/** A permission that took longer may be outdated by another process, so it is requested again. */
export const maxAnswerMs = 2_000;
const maxTries = 5;

/** The answer of the database to a question that took no longer than that. `owned` never resolves for a lost run. */
export async function askInTime<T>(
  ask: () => Promise<T>,
  owned: () => Promise<void>,
  sleep: (ms: number) => Promise<void>,
): Promise<T> {
  for (let asks = 0; asks < maxTries; asks += 1) {
    let askedAt = 0;
    await owned();
    const answer = await retryStore(() => {
      askedAt = performance.now();
      return ask();
    }, sleep);
    await owned();
    if (performance.now() - askedAt < maxAnswerMs) return answer;
  }
  throw new CountersignError('slow_database', 'The database answers too slowly to act safely.');
}
