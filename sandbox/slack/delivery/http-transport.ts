import { type Envelope, type SignedRequest, signedRequest, type Tamper } from './envelope.ts';
import type { Fetch } from './transport.ts';
import { type Answer, DeliveryError, type Sent, type Transport } from './transport.ts';

/** Signed requests to the app's request URL, as Slack sends them without Socket Mode. */
export class HttpTransport implements Transport {
  readonly #options: { secret: string; nowMs: () => number; fetch: Fetch };
  readonly #closing = new AbortController();
  #requestUrl: string | undefined;

  constructor(options: { secret: string; nowMs: () => number; fetch: Fetch; requestUrl?: string }) {
    this.#options = options;
    this.#requestUrl = options.requestUrl;
  }

  set requestUrl(url: string) {
    this.#requestUrl = url;
  }

  send(envelope: Envelope, tamper?: Tamper): Sent {
    const { secret, nowMs } = this.#options;
    return this.sendAgain(
      signedRequest(envelope, { secret, nowMs: nowMs(), ...(tamper === undefined ? {} : { tamper }) }),
    );
  }

  sendAgain(request: SignedRequest): Sent {
    return { request, answer: this.#post(request) };
  }

  close(): void {
    this.#closing.abort();
  }

  async #post(request: SignedRequest): Promise<Answer> {
    if (this.#requestUrl === undefined) throw new DeliveryError('dispatch_failed');
    let response: Response;
    let body: string;
    try {
      response = await this.#options.fetch(this.#requestUrl, {
        method: 'POST',
        headers: request.headers,
        body: request.body,
        redirect: 'manual',
        signal: this.#closing.signal,
      });
      body = await response.text();
    } catch (error) {
      throw new DeliveryError('http_client_error', { cause: error });
    }
    const noRetry = response.headers.get('x-slack-no-retry') === '1';
    if (!response.ok) throw new DeliveryError('http_service_error', { status: response.status, noRetry });
    return { status: response.status, body: parsed(body, response.headers.get('content-type')) };
  }
}

function parsed(body: string, contentType: string | null): unknown {
  if (body === '') return undefined;
  try {
    return JSON.parse(body);
  } catch (error) {
    if (error instanceof SyntaxError && contentType?.includes('json') !== true) return body;
    throw new DeliveryError('http_client_error', { cause: error });
  }
}
