import { describeError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { RunEvent } from '../core/run.ts';

interface Following {
  /** The newest event not covered by a refresh yet. */
  next: RunEvent | null;
  timer: NodeJS.Timeout | undefined;
  over: boolean;
  /** The active refreshes, in sequence. */
  done: Promise<void>;
}

export interface Refresh {
  /** Refreshes the card shortly. Events until then, or during a refresh, are covered by one more. */
  soon(event: RunEvent): void;
  /** Resolves when no refresh of this run is active, and blocks new ones until `forget`. */
  end(runId: string): Promise<void>;
  /** Call when everything before the end of the run was announced. */
  forget(runId: string): void;
  /** Resolves when nothing is active. */
  idle(): Promise<void>;
}

const nothingYet = (next: RunEvent | null): Following => ({
  ...{ next, timer: undefined, over: false },
  done: Promise.resolve(),
});

/**
 * Cards follow a run without delaying it: a step does not wait for its card. Refreshes of one run are sequential, so
 * that an older state never replaces a newer one.
 */
export function createRefresh(deps: {
  readonly refresh: (event: RunEvent) => Promise<void>;
  /** Milliseconds to gather events before a refresh. */
  readonly gatherMs: number;
  readonly log: Log;
}): Refresh {
  const runs = new Map<string, Following>();

  async function work(runId: string, following: Following): Promise<void> {
    const event = following.next;
    following.next = null;
    if (event === null) return;
    await deps.refresh(event).catch((error: unknown) => {
      deps.log.warn({ ...describeError(error), runId }, 'a card was not refreshed; the next event does it');
    });
    if (following.over) return;
    if (following.next === null) runs.delete(runId);
    else wait(runId, following);
  }

  function wait(runId: string, following: Following): void {
    following.timer = setTimeout(() => {
      following.done = work(runId, following);
    }, deps.gatherMs);
  }

  return {
    soon(event) {
      const known = runs.get(event.runId);
      if (known !== undefined) {
        known.next = event;
        return;
      }
      const fresh = nothingYet(event);
      runs.set(event.runId, fresh);
      wait(event.runId, fresh);
    },
    async end(runId) {
      const following = runs.get(runId) ?? nothingYet(null);
      clearTimeout(following.timer);
      runs.set(runId, Object.assign(following, { next: null, over: true }));
      await following.done;
    },
    forget: (runId) => void runs.delete(runId),
    async idle() {
      while ([...runs.values()].some(({ over }) => !over))
        await new Promise((resolve) => setTimeout(resolve, deps.gatherMs));
    },
  };
}
