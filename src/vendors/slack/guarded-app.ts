import { App, type ReceiverEvent } from '@slack/bolt';
import { describeError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { isExpected, isFields, rateLimitedMinute } from './known-payloads.ts';
import { command } from './manifest.ts';

type AppOptions = NonNullable<ConstructorParameters<typeof App>[0]>;

interface Told {
  readonly log: Log;
  readonly onRateLimit: (minute: Date, body: unknown) => void;
  /** Seconds from an arrival to its acknowledgement. */
  readonly acknowledged: (seconds: number) => void;
}

/**
 * Bolt's app, limited to payloads we handle. Anything else is acknowledged at once and logged. Bolt acknowledges an
 * event before its listeners run; here that happens once they have stored it.
 */
export class GuardedApp extends App {
  readonly #log: Log;
  readonly #onRateLimit: (minute: Date, body: unknown) => void;
  readonly #acknowledged: Told['acknowledged'];
  readonly #arriving = new Set<Promise<void>>();

  constructor(options: AppOptions, told: Told) {
    super(options);
    this.#log = told.log;
    this.#onRateLimit = told.onRateLimit;
    this.#acknowledged = told.acknowledged;
  }

  override async processEvent(event: ReceiverEvent): Promise<void> {
    const began = performance.now();
    const ack: ReceiverEvent['ack'] = async (answer) => {
      try {
        await event.ack(answer);
        this.#acknowledged((performance.now() - began) / 1_000);
      } catch (error) {
        // It is stored, so it is worked on even if Slack no longer waits for the acknowledgement.
        this.#log.warn({ ...describeError(error) }, 'An acknowledgement came too late for Slack');
      }
    };
    const done = this.#take({ ...event, ack });
    this.#arriving.add(done);
    try {
      await done;
    } finally {
      this.#arriving.delete(done);
    }
  }

  /** Resolves once everything that arrived is stored and acknowledged, or has failed. */
  async quiet(): Promise<void> {
    while (this.#arriving.size > 0) await Promise.allSettled(this.#arriving);
  }

  async #take(event: ReceiverEvent): Promise<void> {
    const body: unknown = event.body;
    if (isFields(body) && isExpected(body)) {
      if (body.type !== 'event_callback') return super.processEvent(event);
      await super.processEvent({ ...event, ack: async () => undefined });
      return event.ack();
    }
    const minute = rateLimitedMinute(body);
    if (minute === null) this.#log.warn(kindOf(body), 'Unexpected payload');
    else this.#log.error({ minute: minute.toISOString() }, 'Slack held events back');
    await event.ack(isForeignCommand(body) ? `I only answer ${command}.` : undefined);
    if (minute !== null) this.#onRateLimit(minute, body);
  }
}

function isForeignCommand(body: unknown): boolean {
  return isFields(body) && typeof body.command === 'string';
}

/** The parts of a payload that can be logged: not its content. */
function kindOf(body: unknown): { type: string; event?: string } {
  if (!isFields(body)) return { type: Array.isArray(body) ? 'array' : typeof body };
  const type = nameOf(body.type ?? (body.command === undefined ? 'none' : 'command'));
  return isFields(body.event) ? { type, event: nameOf(body.event.type) } : { type };
}

function nameOf(value: unknown): string {
  return typeof value === 'string' && /^[\w.]{1,60}$/.test(value) ? value : 'unnamed';
}
