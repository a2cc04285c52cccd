import { setTimeout as pause } from 'node:timers/promises';
import { describeError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';

/** Repeats work, one round at a time; a failure is logged and retried. */
export function every(ms: number, work: () => Promise<void>, log: Log): { stop(): Promise<void> } {
  const stopping = new AbortController();
  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      await work().catch((error: unknown) => log.warn({ ...describeError(error) }, 'Background task failed'));
      await pause(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  }
  const done = loop();
  return {
    async stop() {
      stopping.abort();
      await done;
    },
  };
}
