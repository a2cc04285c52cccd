import { describeError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { OutboxPort } from './ports.ts';

/** Milliseconds until another process may send what this one has taken: how long a crash holds a thread up. */
export const leaseMs = 6_000;
const renewMs = 2_000;

/** Keeps a parcel ours while Slack takes its time. `end` resolves when nothing more is written about it. */
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
    // One that cannot be renewed may be sent by another process, too, which looks for it in Slack first.
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
