import { setTimeout as pause } from 'node:timers/promises';
import { describeError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { RunEvent } from '../core/run.ts';

interface Waiting {
  /** The newest event that no refresh has covered yet. */
  next: RunEvent | null;
  done: Promise<void>;
}

export interface Refresh {
  /** Refreshes the card in a moment. What comes until then, or during a refresh, is covered by one more. */
  soon(event: RunEvent): void;
  /** The run's last refresh: after all others of it, and waited for. Throws what it throws. */
  last(event: RunEvent): Promise<void>;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

/**
 * Cards follow a run without holding it up: a step does not wait until its card says so. Refreshes of one run happen
 * one after the other, so that an older state never replaces a newer one.
 */
export function createRefresh(deps: {
  readonly refresh: (event: RunEvent) => Promise<void>;
  /** Milliseconds to gather events before a refresh. */
  readonly gatherMs: number;
  readonly log: Log;
}): Refresh {
  const runs = new Map<string, Waiting>();

  async function work(runId: string, waiting: Waiting): Promise<void> {
    while (waiting.next !== null) {
      await pause(deps.gatherMs);
      const event = waiting.next;
      if (event === null) break;
      waiting.next = null;
      await deps.refresh(event).catch((error: unknown) => {
        deps.log.warn({ ...describeError(error), runId }, 'Card refresh failed; the next event retries');
      });
    }
    runs.delete(runId);
  }

  return {
    soon(event) {
      const known = runs.get(event.runId);
      if (known !== undefined) {
        known.next = event;
        return;
      }
      const fresh: Waiting = { next: event, done: Promise.resolve() };
      runs.set(event.runId, fresh);
      fresh.done = work(event.runId, fresh);
    },
    async last(event) {
      const waiting = runs.get(event.runId);
      if (waiting !== undefined) waiting.next = null;
      await waiting?.done;
      await deps.refresh(event);
    },
    async idle() {
      while (runs.size > 0) await Promise.all([...runs.values()].map(({ done }) => done));
    },
  };
}
