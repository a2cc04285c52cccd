import { channel } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';

/** What the vendor answered, seen before the library reads it. */
export interface Observed {
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;
}

const requestIdHeader = 'x-request-id';

/**
 * Runs one request of pdjs and sees its answer's head. The library repeats a 429 three times on a clock of its own
 * and hides the status of a body that it cannot read; both matter to us. So the head is taken from Node's own
 * diagnostics channel, matched by request id, and a 429 ends the request before the library can repeat it.
 */
export async function observe<T>(
  id: string,
  signal: AbortSignal,
  request: (options: { headers: Record<string, string>; signal: AbortSignal }) => Promise<T>,
): Promise<{ outcome: { ok: true; value: T } | { ok: false; error: unknown }; seen: Observed }> {
  const slowDown = new AbortController();
  let seen: Observed = { status: undefined, retryAfter: undefined };
  const answers = channel('http.client.response.finish');
  const listener = (message: unknown): void => {
    const { request: sent, response } = message as { request: ClientRequest; response: IncomingMessage };
    if (sent.getHeader(requestIdHeader) !== id) return;
    seen = { status: response.statusCode, retryAfter: response.headers['retry-after'] };
    if (response.statusCode === 429) slowDown.abort();
  };
  answers.subscribe(listener);
  try {
    const value = await request({
      headers: { [requestIdHeader]: id },
      signal: AbortSignal.any([signal, slowDown.signal]),
    });
    return { outcome: { ok: true, value }, seen };
  } catch (error) {
    return { outcome: { ok: false, error }, seen };
  } finally {
    answers.unsubscribe(listener);
  }
}
