import { describeError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { OutboxPort } from './ports.ts';

/** Milliseconds before another process may send a message this one has claimed: how long a crash delays a thread. */
export const leaseMs = 6_000;
const renewMs = 2_000;

/** Renews the lease of a message while Slack is slow. `end` resolves when nothing more is written about it. */
export function keepLease(
  deps: {
    readonly outbox: Pick<OutboxPort, 'renew'>;
    readonly now: () => Date;
    readonly log: Log;
  },
  id: number,
): { end(): Promise<void> } {
  const { outbox, now, log } = deps;
  let last: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    const until = new Date(now().getTime() + leaseMs);
    // Without a renewal another process may send it, too; that one searches Slack first.
    last = outbox
      .renew({ id, until })
      .catch((error: unknown) =>
        log.warn({ ...describeError(error), id }, 'Could not renew the lease of a message'),
      );
  }, renewMs);
  return {
    async end() {
      clearInterval(timer);
      await last;
    },
  };
}
