import { VendorError } from '../core/errors.ts';
import { type CallTurn, fairTurns } from '../core/fair-queue.ts';

/** The calls of one tool: its time limit, by the signal they carry. */
interface Limit {
  /** A write was approved for now, so it never waits. */
  readonly waits: boolean;
  /** Counts calls that wait for their turn, and calls under way. */
  changed(by: { waiting?: number; underWay?: number }): void;
}

const limits = new WeakMap<AbortSignal, Limit>();

/**
 * A time limit for calls with this signal. It stands still while all of them wait for their turn at a busy system.
 * Calls `onLate` and then aborts.
 */
export function timeLimit(
  ms: number,
  { waits }: { waits: boolean },
  onLate: () => void,
): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  let [left, since, waiting, underWay, isOver] = [ms, 0, 0, 0, false];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const pause = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const goOn = () => {
    since = performance.now();
    timer = setTimeout(() => {
      onLate();
      controller.abort();
    }, left);
  };
  limits.set(controller.signal, {
    waits,
    changed(by) {
      waiting += by.waiting ?? 0;
      underWay += by.underWay ?? 0;
      const standsStill = waiting > 0 && underWay === 0;
      if (standsStill && timer !== undefined) {
        pause();
        left -= performance.now() - since;
      } else if (!standsStill && timer === undefined && !isOver) goOn();
    },
  });
  goOn();
  return {
    signal: controller.signal,
    end() {
      isOver = true;
      pause();
    },
  };
}

/** Milliseconds that a call waits for its turn. */
const maxWaitMs = 60_000;

/**
 * Makes calls, at most `max` to each system at once; further ones wait. A call that is aborted gives its turn to the
 * next, whether or not it has ended, and one that waits is made at once, to fail in its client's words. Throws a VendorError
 * `busy` where no turn came in a minute.
 */
export function callsAtOnce(vendor: string, max: number) {
  const turns = fairTurns({ max: Number.POSITIVE_INFINITY, maxEach: max });
  return <T>({ system, signal }: CallTurn, call: () => Promise<T>): Promise<T> => {
    const limit = signal && limits.get(signal);
    if (limit?.waits === false || signal?.aborted) return Promise.try(call);
    const answer = Promise.withResolvers<T>();
    const place = takePlace(signal, limit, {
      call: () => answer.resolve(Promise.try(call)),
      giveUp: () => answer.reject(busy(vendor, max)),
    });
    void turns.take(system, () => place.turn(answer.promise));
    return answer.promise;
  };
}

/** A place in the queue: it ends with its turn, an abort, or a timeout. */
function takePlace(
  signal: AbortSignal | undefined,
  limit: Limit | undefined,
  { call, giveUp }: { call: () => void; giveUp: () => void },
) {
  const aborted = Promise.withResolvers<void>();
  let hasLeft = false;
  const leave = (act: () => void, underWay: number) => {
    if (hasLeft) return;
    hasLeft = true;
    clearTimeout(timer);
    limit?.changed({ waiting: -1, underWay });
    act();
  };
  const onAbort = () => {
    leave(call, 0);
    aborted.resolve();
  };
  const timer = setTimeout(() => {
    signal?.removeEventListener('abort', onAbort);
    leave(giveUp, 0);
  }, maxWaitMs);
  signal?.addEventListener('abort', onAbort, { once: true });
  limit?.changed({ waiting: 1 });
  return {
    async turn(answer: Promise<unknown>) {
      if (hasLeft) return;
      leave(call, 1);
      await Promise.race([Promise.allSettled([answer]), aborted.promise]);
      signal?.removeEventListener('abort', onAbort);
      limit?.changed({ underWay: -1 });
    },
  };
}

function busy(vendor: string, max: number): VendorError {
  const message = `No call to ${vendor} was free for ${maxWaitMs / 1_000} s: ${max} at once were under way. Try again later, or allow more under limits.calls_at_once.`;
  return new VendorError('busy', message, { retryable: false, mayHaveHappened: false });
}
