import type { Outcome } from '../model.ts';
import type { Envelope, SignedRequest, Tamper } from './envelope.ts';
import { type Answer, DeliveryError, type Sent, type Transport } from './transport.ts';

export interface DeliveryTimes {
  /** How long the app has to acknowledge. Slack: 3,000 ms. */
  readonly ackMs: number;
  /** How much longer to wait for a late answer, to distinguish it from none. */
  readonly lateMs: number;
  /** Pauses before an event is repeated. Slack: none, a minute, five minutes. */
  readonly eventRetryMs: readonly number[];
}

export interface DeliveryOptions {
  readonly tamper?: Tamper;
  /** Called once, with Slack's error code, as soon as the app has failed to acknowledge in time. */
  readonly onFailure?: (error: string) => void;
}

/** One delivery, recorded for tests. */
export interface DeliveryRecord {
  readonly id: number;
  readonly envelope: Envelope;
  /** Over HTTP: the request as sent. */
  readonly request?: SignedRequest;
  outcome?: Outcome;
}

const maxRecords = 1_000;

/** Delivers envelopes to the app by Slack's rules: three seconds, events repeatedly, everything else once. */
export class Delivery {
  readonly #transport: Transport;
  readonly #times: DeliveryTimes;
  readonly #retries = new Set<NodeJS.Timeout>();
  readonly #waits = new Set<() => void>();
  readonly #records: DeliveryRecord[] = [];
  #lastId = 0;
  #closed = false;

  constructor(transport: Transport, times: DeliveryTimes) {
    this.#transport = transport;
    this.#times = times;
  }

  /** Commands and interactions: one attempt. Resolves when the app answered, failed, or timed out. */
  deliver(envelope: Envelope, options: DeliveryOptions = {}): Promise<Outcome> {
    return this.#attempt(envelope, this.#transport.send(envelope, options.tamper), options.onFailure);
  }

  /** Events: the outcome is that of the first attempt; up to three more follow without an acknowledgement. */
  event(envelope: Envelope): Promise<Outcome> {
    return this.#eventAttempt(envelope, 1);
  }

  /** Sends the same bytes a second time, timestamp and signature included. HTTP only. */
  again(record: DeliveryRecord, send: (request: SignedRequest) => Sent): Promise<Outcome> {
    if (record.request === undefined) throw new TypeError('this delivery did not go over HTTP');
    return this.#attempt(record.envelope, send(record.request));
  }

  get records(): readonly DeliveryRecord[] {
    return this.#records;
  }

  /** Aborts all deliveries in progress. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#retries) clearTimeout(timer);
    for (const giveUp of this.#waits) giveUp();
    await this.#transport.close();
  }

  async #eventAttempt(envelope: Envelope, next: number): Promise<Outcome> {
    const outcome = await this.deliver(envelope);
    const pause = this.#times.eventRetryMs[next - 1];
    if (outcome.acknowledged || outcome.noRetry === true || pause === undefined || this.#closed)
      return outcome;
    const retry = { attempt: next, reason: reasonOf(outcome) };
    const timer = setTimeout(() => {
      this.#retries.delete(timer);
      void this.#eventAttempt({ ...envelope, retry }, next + 1);
    }, pause);
    timer.unref();
    this.#retries.add(timer);
    return outcome;
  }

  async #attempt(envelope: Envelope, sent: Sent, onFailure?: (error: string) => void): Promise<Outcome> {
    this.#lastId += 1;
    const request = sent.request === undefined ? {} : { request: sent.request };
    const record: DeliveryRecord = { id: this.#lastId, envelope, ...request };
    this.#records.push(record);
    if (this.#records.length > maxRecords) this.#records.shift();
    const settled = sent.answer.then(acknowledged, failed);
    let outcome = await this.#within(settled, this.#times.ackMs);
    if (outcome?.acknowledged !== true) onFailure?.(outcome?.error ?? 'operation_timeout');
    outcome ??= await this.#overdue(settled);
    record.outcome = outcome;
    return outcome;
  }

  async #overdue(settled: Promise<Outcome>): Promise<Outcome> {
    const late = await this.#within(settled, this.#times.lateMs);
    const error = 'operation_timeout';
    return { delivered: true, acknowledged: false, late: late?.acknowledged === true, error };
  }

  #within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        clearTimeout(timer);
        this.#waits.delete(giveUp);
        resolve(undefined);
      };
      const timer = setTimeout(giveUp, this.#closed ? 0 : ms);
      this.#waits.add(giveUp);
      promise.then(resolve, reject).finally(giveUp);
    });
  }
}

function reasonOf(last: Outcome): 'timeout' | 'http_error' | 'connection_failed' {
  if (last.error === 'operation_timeout') return 'timeout';
  return last.error === 'http_service_error' ? 'http_error' : 'connection_failed';
}

function acknowledged(answer: Answer): Outcome {
  const status = answer.status === undefined ? {} : { status: answer.status };
  const response = answer.body === undefined ? {} : { response: answer.body };
  return { delivered: true, acknowledged: true, late: false, ...response, ...status };
}

function failed(error: unknown): Outcome {
  if (!(error instanceof DeliveryError)) throw error;
  const status = error.status === undefined ? {} : { status: error.status };
  const outcome = { delivered: true, acknowledged: false, late: false, error: error.code, ...status };
  return error.noRetry ? { ...outcome, noRetry: true } : outcome;
}
