import { channel } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';

/** The vendor's response, seen before the library reads it. */
export interface Observed {
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;
}

/** Bytes. A larger answer is refused. */
const maxAnswer = 2_000_000;
const requestIdHeader = 'x-request-id';

/** PagerDuty says it in a header of its own, which stands on every answer, and what is in front of it in the usual one. */
function pauseIn({ statusCode, headers }: IncomingMessage): string | undefined {
  const own = statusCode === 429 ? headers['ratelimit-reset'] : undefined;
  return headers['retry-after'] ?? (typeof own === 'string' ? own : undefined);
}

/**
 * Runs one request of pdjs and sees the head of its response. The library retries a 429 three times on its own
 * schedule, hides the status of an unreadable body, and waits forever for a truncated one. So the head is taken from
 * Node's own diagnostics channel, matched by request id; a 429 and a truncated or oversized body end the request.
 */
export async function observe<T>(
  id: string,
  signal: AbortSignal,
  request: (options: { headers: Record<string, string>; signal: AbortSignal }) => Promise<T>,
): Promise<{ outcome: { ok: true; value: T } | { ok: false; error: unknown }; seen: Observed }> {
  const enough = new AbortController();
  let seen: Observed = { status: undefined, retryAfter: undefined };
  const answers = channel('http.client.response.finish');
  const listener = (message: unknown): void => {
    const { request: sent, response } = message as { request: ClientRequest; response: IncomingMessage };
    // The fetch below the library sets every header as a list.
    if (String(sent.getHeader(requestIdHeader)) !== id) return;
    seen = { status: response.statusCode, retryAfter: pauseIn(response) };
    if (response.statusCode === 429) enough.abort();
    let size = 0;
    // The library drops what is too long and keeps reading for as long as data arrives.
    response.on('data', (piece: Buffer) => {
      size += piece.length;
      if (size > maxAnswer) enough.abort();
    });
    response.once('close', () => {
      if (!response.complete) enough.abort();
    });
  };
  answers.subscribe(listener);
  try {
    const value = await request({
      headers: { [requestIdHeader]: id },
      signal: AbortSignal.any([signal, enough.signal]),
    });
    return { outcome: { ok: true, value }, seen };
  } catch (error) {
    return { outcome: { ok: false, error }, seen };
  } finally {
    answers.unsubscribe(listener);
  }
}
