import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { VendorError } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import { noAnswer } from '../http/no-answer.ts';
import { retryAfterMs } from '../http/vendor-status.ts';

export interface EventSinkOptions {
  readonly url: string;
  /** Each signs, so that a receiver may have any of them. */
  readonly secrets: readonly string[];
  readonly fetch: typeof globalThis.fetch;
  readonly now: () => Date;
}

const timeoutMs = 10_000;
/** Answers to an event that will never be accepted. */
const final: ReadonlySet<number> = new Set([400, 410, 413, 422]);
const eventSchema = z.looseObject({ id: z.string() });

/**
 * Sends an event (CloudEvents 1.0, structured JSON), signed as Standard Webhooks are. Throws a VendorError where it was
 * not accepted: one that may be sent again, but for an event that the receiver calls wrong.
 */
export function createEventSink({
  url,
  secrets,
  fetch,
  now,
}: EventSinkOptions): (event: Json) => Promise<void> {
  const { host } = new URL(url);
  return async (event) => {
    const { id } = eventSchema.parse(event);
    const body = JSON.stringify(event);
    const timestamp = String(Math.floor(now().getTime() / 1_000));
    const headers = {
      'content-type': 'application/cloudevents+json; charset=utf-8',
      ...{ 'webhook-id': id, 'webhook-timestamp': timestamp },
      'webhook-signature': signatures(`${id}.${timestamp}.${body}`, secrets),
    };
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
      await answer.body?.cancel();
      if (!answer.ok) throw refused(answer, host, now);
    } catch (error) {
      const { code, message, facts } = noAnswer(error, { vendor, host, write: true, signal });
      if (error instanceof VendorError) throw error;
      throw new VendorError(code, message, { retryable: true, mayHaveHappened: true, facts, cause: error });
    }
  };
}

const vendor = 'The receiver of events';

function signatures(text: string, secrets: readonly string[]): string {
  return secrets
    .map((secret) => `v1,${createHmac('sha256', secret).update(text).digest('base64')}`)
    .join(' ');
}

function refused({ status, headers }: Response, host: string, now: () => Date): VendorError {
  const waitMs = retryAfterMs(headers.get('retry-after'), now);
  return new VendorError('event_refused', `${vendor} at ${host} answered with HTTP ${status}.`, {
    ...{ retryable: !final.has(status), mayHaveHappened: false, facts: { vendor, status } },
    ...(waitMs === undefined ? {} : { retryAfterMs: Math.min(waitMs, maxWaitMs) }),
  });
}

/** Longest pause that a receiver may ask for. */
const maxWaitMs = 3_600_000;
