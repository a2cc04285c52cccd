import { randomBytes } from 'node:crypto';
import { refusal, SlackApiError } from '../errors.ts';

/** Slack accepts a trigger_id once, within three seconds. */
const lifetimeMs = 3_000;
const rememberMs = 60 * 60_000;

interface Trigger {
  readonly user: string;
  readonly at: number;
  /** The modal of the interaction, on which views.push builds. */
  readonly viewId?: string;
  used: boolean;
}

/** The permission to open a modal, included in each interaction. */
export class Triggers {
  readonly #now: () => number;
  readonly #known = new Map<string, Trigger>();
  #last = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  issue(user: string, viewId?: string): string {
    this.#last += 1;
    const id = `${1_000_000 + this.#last}.${7_000_000}.${randomBytes(16).toString('hex')}`;
    this.#forget();
    this.#known.set(id, { user, at: this.#now(), used: false, ...(viewId === undefined ? {} : { viewId }) });
    return id;
  }

  /** Remembers expired ones for a while, to distinguish them from unknown ones. */
  #forget(): void {
    for (const [id, trigger] of this.#known) {
      if (this.#now() - trigger.at <= rememberMs) return;
      this.#known.delete(id);
    }
  }

  /** The trigger's user; throws with Slack's error code when it is not valid (any more). */
  exchange(id: string): { user: string; viewId?: string } {
    if (!/^\d+\.\d+\.[0-9a-f]+$/.test(id)) throw refusal('invalid_trigger_id', ['invalid trigger_id']);
    const trigger = this.#known.get(id);
    if (trigger === undefined) throw new SlackApiError('invalid_trigger_id');
    if (trigger.used) throw new SlackApiError('exchanged_trigger_id');
    if (this.#now() - trigger.at > lifetimeMs) throw new SlackApiError('expired_trigger_id');
    trigger.used = true;
    return trigger;
  }
}
