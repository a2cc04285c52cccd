import { createHmac } from 'node:crypto';
import type { Fields } from '../fields.ts';

export type EnvelopeType = 'slash_commands' | 'interactive' | 'events_api';

/** One delivery from Slack to the app, over either transport. */
export interface Envelope {
  readonly type: EnvelopeType;
  readonly payload: Fields;
  /** Only for events that were not acknowledged before. */
  readonly retry?: {
    readonly attempt: number;
    readonly reason: 'timeout' | 'http_error' | 'connection_failed';
  };
}

/** Deliberate damage to a signed HTTP delivery, for tests of the app's signature check. */
export interface Tamper {
  /** Signs with a different secret. */
  readonly secret?: string;
  /** Replaces the whole signature header. */
  readonly signature?: string;
  /** Shifts the signed timestamp; negative is the past. */
  readonly timestampSkewSeconds?: number;
  /** Signs these bytes instead of the payload's. */
  readonly rawBody?: string;
  /** Changes the body after signing. */
  readonly changeBody?: (raw: string) => string;
}

/** A request exactly as sent, so that it can be repeated. */
export interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The HTTP form of an envelope: commands as a form, interactions as a form with `payload`, events as JSON. */
export function signedRequest(
  envelope: Envelope,
  options: { secret: string; nowMs: number; tamper?: Tamper },
): SignedRequest {
  const tamper = options.tamper ?? {};
  const raw = tamper.rawBody ?? rawBody(envelope);
  const timestamp = String(Math.floor(options.nowMs / 1_000) + (tamper.timestampSkewSeconds ?? 0));
  const key = tamper.secret ?? options.secret;
  const digest = createHmac('sha256', key).update(`v0:${timestamp}:${raw}`).digest('hex');
  const retry: Record<string, string> =
    envelope.retry === undefined
      ? {}
      : {
          'x-slack-retry-num': String(envelope.retry.attempt),
          'x-slack-retry-reason':
            envelope.retry.reason === 'timeout' ? 'http_timeout' : envelope.retry.reason,
        };
  const json = envelope.type === 'events_api';
  return {
    headers: {
      'content-type': json ? 'application/json' : 'application/x-www-form-urlencoded',
      'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': tamper.signature ?? `v0=${digest}`,
      ...retry,
    },
    body: tamper.changeBody?.(raw) ?? raw,
  };
}

function rawBody(envelope: Envelope): string {
  if (envelope.type === 'events_api') return JSON.stringify(envelope.payload);
  if (envelope.type === 'interactive') {
    return new URLSearchParams({ payload: JSON.stringify(envelope.payload) }).toString();
  }
  const flat = Object.entries(envelope.payload).map(([key, value]) => [key, String(value)]);
  return new URLSearchParams(flat).toString();
}
