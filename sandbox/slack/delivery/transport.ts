import type { Envelope, SignedRequest, Tamper } from './envelope.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The app's acknowledgement. `status` is only present over HTTP. */
export interface Answer {
  readonly body: unknown;
  readonly status?: number;
}

export interface Sent {
  /** Resolves when the app answers, however late; rejects with a DeliveryError. */
  readonly answer: Promise<Answer>;
  readonly request?: SignedRequest;
}

export interface Transport {
  send(envelope: Envelope, tamper?: Tamper): Sent;
  close(): void | Promise<void>;
}

export type DeliveryErrorCode = 'dispatch_failed' | 'http_client_error' | 'http_service_error';

/** The app was unreachable or answered with a failure; Slack shows the code to the person. */
export class DeliveryError extends Error {
  readonly code: DeliveryErrorCode;
  readonly status?: number;
  readonly noRetry: boolean;

  constructor(code: DeliveryErrorCode, facts: { status?: number; noRetry?: boolean; cause?: unknown } = {}) {
    super(code, { cause: facts.cause });
    this.name = 'DeliveryError';
    this.code = code;
    this.noRetry = facts.noRetry ?? false;
    if (facts.status !== undefined) this.status = facts.status;
  }
}
