import type { Outcome } from '../model.ts';
import type { Envelope, SignedRequest, Tamper } from './envelope.ts';
import { type Answer, DeliveryError, type Sent, type Transport } from './transport.ts';

export interface DeliveryTimes {
  /** How long the app has to acknowledge. Slack: 3,000 ms. */
  readonly ackMs: number;
  /** How much longer a late answer is waited for, so that it can be told from none. */
  readonly lateMs: number;
  /** Pauses before the repeats of an event. Slack: at once, a minute, five minutes. */
  readonly eventRetryMs: readonly number[];
}

/** One delivery as it happened, for tests. */
export interface DeliveryRecord {
  readonly id: number;
  readonly envelope: Envelope;
  /** Over HTTP: what went over the wire. */
  readonly request?: SignedRequest;
  outcome?: Outcome;
}

const maxRecords = 1_000;

/** Hands envelopes to the app under Slack's rules: three seconds, events again, everything else once. */
export class Delivery {
  readonly #transport: Transport;
  readonly #times: DeliveryTimes;
  readonly #timers = new Set<NodeJS.Timeout>();
  #records: DeliveryRecord[] = [];
  #lastId = 0;

  constructor(transport: Transport, times: DeliveryTimes) {
    this.#transport = transport;
    this.#times = times;
  }

  /** Commands and interactions: one attempt. */
  deliver(envelope: Envelope, tamper?: Tamper): Promise<Outcome> {
    return this.#attempt(envelope, this.#transport.send(envelope, tamper));
  }

  /** Events: the outcome is that of the first attempt; up to three more follow while nobody acknowledges. */
  async event(envelope: Envelope): Promise<Outcome> {
    const outcome = await this.deliver(envelope);
    if (!outcome.acknowledged) this.#repeat(envelope, 1, outcome);
    return outcome;
  }

  /** Sends the same bytes a second time, timestamp and signature included. HTTP only. */
  again(record: DeliveryRecord, send: (request: SignedRequest) => Sent): Promise<Outcome> {
    if (record.request === undefined) throw new TypeError('this delivery did not go over HTTP');
    return this.#attempt(record.envelope, send(record.request));
  }

  get records(): readonly DeliveryRecord[] {
    return this.#records;
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#transport.close();
  }

  #repeat(envelope: Envelope, attempt: number, last: Outcome): void {
    const pause = this.#times.eventRetryMs[attempt - 1];
    if (pause === undefined || last.noRetry === true) return;
    const timer = setTimeout(async () => {
      this.#timers.delete(timer);
      const reason =
        last.error === undefined || last.error === 'operation_timeout' ? 'timeout' : 'http_error';
      const outcome = await this.deliver({ ...envelope, retry: { attempt, reason } });
      if (!outcome.acknowledged) this.#repeat(envelope, attempt + 1, outcome);
    }, pause);
    timer.unref();
    this.#timers.add(timer);
  }

  async #attempt(envelope: Envelope, sent: Sent): Promise<Outcome> {
    this.#lastId += 1;
    const request = sent.request === undefined ? {} : { request: sent.request };
    const record: DeliveryRecord = { id: this.#lastId, envelope, ...request };
    this.#records.push(record);
    if (this.#records.length > maxRecords) this.#records.shift();
    const settled = sent.answer.then(acknowledged, failed);
    const inTime = await this.#within(settled, this.#times.ackMs);
    const outcome = inTime ?? (await this.#overdue(settled));
    record.outcome = outcome;
    return outcome;
  }

  async #overdue(settled: Promise<Outcome>): Promise<Outcome> {
    const late = await this.#within(settled, this.#times.lateMs);
    const error = 'operation_timeout';
    return { delivered: true, acknowledged: false, late: late?.acknowledged === true, error };
  }

  #within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        resolve(undefined);
      }, ms);
      this.#timers.add(timer);
      void promise.then((value) => {
        clearTimeout(timer);
        this.#timers.delete(timer);
        resolve(value);
      });
    });
  }
}

function acknowledged(answer: Answer): Outcome {
  const status = answer.status === undefined ? {} : { status: answer.status };
  const response = answer.body === undefined ? {} : { response: answer.body };
  return { delivered: true, acknowledged: true, late: false, ...response, ...status };
}

function failed(error: unknown): Outcome {
  if (!(error instanceof DeliveryError)) throw error;
  const status = error.status === undefined ? {} : { status: error.status };
  return {
    delivered: true,
    acknowledged: false,
    late: false,
    error: error.code,
    noRetry: error.noRetry,
    ...status,
  };
}
