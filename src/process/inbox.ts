import { setTimeout as pause } from 'node:timers/promises';
import { describeError } from '../core/errors.ts';
import { fairTurns } from '../core/fair-queue.ts';
import type { Log } from '../core/log.ts';

/** A stored arrival: a command, a click, a form, a message, a tick of a schedule. */
export interface Stored<E> {
  readonly event: E;
  /** Number of attempts started, including this one. */
  readonly attempts: number;
}

export interface InboxPort<E> {
  /** True when it is newly stored; false for a repeated delivery. */
  store(event: E): Promise<boolean>;
  /** Deletes the content; the key is remembered for a day. */
  done(event: E): Promise<void>;
  /** Leaves the event to whichever process takes it up next. */
  giveBack(event: E): Promise<void>;
  /** Claims work that was given back, or that dead processes did not finish; no other process gets it. */
  takeOver(): Promise<readonly Stored<E>[]>;
  /** True for events that may wait in a burst: a new goal may, a click may not. */
  mayWait(event: E): boolean;
  /** True for work that any process may take up at once: it is no sign of one that stopped. */
  isLeftToAll(event: E): boolean;
  /** Whose turn a waiting event uses: a workspace. */
  ownerOf(event: E): string;
  /** Tells its person that it failed; `reference` is in the log. */
  tellFailure(event: E, error: unknown): Promise<void>;
  readonly log: Log;
}

export interface Inbox<E> {
  /** Resolves when the event is on disk and may be acknowledged: from then on it will be processed, here or elsewhere. */
  accept(event: E): Promise<boolean>;
  /** Processes an accepted event. Never throws: failures are reported to its person, or else it is processed again. */
  process(event: E, work: () => Promise<void>): Promise<void>;
  /** Processes the events that dead processes left. */
  takeUp(work: (event: E) => Promise<void>): Promise<void>;
  /** Resolves when nothing is being processed. */
  idle(): Promise<void>;
}

/** An event that repeatedly kills its process, or fails without a word, is abandoned. */
const maxAttempts = 3;
/** Maximum concurrent goals: in a burst the next acknowledgement must not wait for all of them. */
const maxAtOnce = 8;

/**
 * Accepted means stored: nothing is acknowledged before it is on disk, and anything on disk is processed until done, by
 * another process if need be. Work may therefore start twice; its effects are keyed by the event.
 */
export function createInbox<E extends { readonly key: string }>(port: InboxPort<E>): Inbox<E> {
  const running = new Set<Promise<void>>();
  const turns = fairTurns({ max: maxAtOnce });

  function process(event: E, work: () => Promise<void>, attempts = 1): Promise<void> {
    const finished = () => finish({ event, attempts }, work, port);
    const begun = port.mayWait(event) ? turns.take(port.ownerOf(event), finished) : finished();
    const done = begun.finally(() => running.delete(done));
    running.add(done);
    return done;
  }

  return {
    accept: (event) => port.store(event),
    process: (event, work) => process(event, work),
    async takeUp(work) {
      for (const { event, attempts } of await port.takeOver()) {
        if (!port.isLeftToAll(event))
          port.log.info({ key: event.key, attempts }, 'Taking up what a stopped process had accepted');
        const begin = () => {
          if (attempts > maxAttempts) throw new Error(`given up after ${attempts - 1} attempts`);
          return work(event);
        };
        void process(event, begin, attempts);
      }
    },
    async idle() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}

async function finish<E extends { readonly key: string }>(
  { event, attempts }: Stored<E>,
  work: () => Promise<void>,
  port: InboxPort<E>,
): Promise<void> {
  const { tellFailure, log } = port;
  try {
    await work();
  } catch (error) {
    const failed = await tellFailure(event, error).then(
      () => null,
      (cause: unknown) => describeError(cause),
    );
    if (failed !== null) {
      log.error({ key: event.key, attempts, ...failed }, 'A failure could not be told');
      if (attempts <= maxAttempts) return void settle(event, port.giveBack, backDelaysMs[attempts - 1]);
    }
  }
  await port.done(event).catch((error: unknown) => {
    log.warn({ key: event.key, ...describeError(error) }, 'Finished work could not be marked as done');
    void settle(event, port.done);
  });
}

/** Milliseconds until work that failed without a word is given back: its cause, mostly the database, may last. */
const backDelaysMs = [1_000, 15_000, 120_000];
/** Milliseconds between the tries to mark work, which go on for five minutes. */
const markDelaysMs = [500, 1_000, 2_000, 4_000, ...Array.from({ length: 10 }, () => 30_000)];

/** Tries until the database is back. Nobody waits for this: work that stays open is done once more after the next start. */
async function settle<E>(event: E, mark: (event: E) => Promise<void>, firstMs?: number): Promise<void> {
  const [usualMs = 0, ...others] = markDelaysMs;
  for (const ms of [firstMs ?? usualMs, ...others]) {
    await pause(ms, undefined, { ref: false });
    const isMarked = await mark(event).then(
      () => true,
      () => false,
    );
    if (isMarked) return;
  }
}
