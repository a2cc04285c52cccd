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
  /** Claims work that dead processes accepted and did not finish; no other process gets it. */
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
  /** Processes an accepted event. Never throws: failures are reported to its person. */
  process(event: E, work: () => Promise<void>): Promise<void>;
  /** Processes the events that dead processes left. */
  takeUp(work: (event: E) => Promise<void>): Promise<void>;
  /** Resolves when nothing is being processed. */
  idle(): Promise<void>;
}

/** An event that repeatedly kills its process is abandoned, and its person is told. */
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

  function process(event: E, work: () => Promise<void>): Promise<void> {
    const finished = () => finish(event, work, port);
    const begun = port.mayWait(event) ? turns.take(port.ownerOf(event), finished) : finished();
    const done = begun.finally(() => running.delete(done));
    running.add(done);
    return done;
  }

  return {
    accept: (event) => port.store(event),
    process,
    async takeUp(work) {
      for (const { event, attempts } of await port.takeOver()) {
        if (!port.isLeftToAll(event))
          port.log.info({ key: event.key, attempts }, 'Taking up what a stopped process had accepted');
        void process(event, () => {
          if (attempts > maxAttempts) throw new Error(`given up after ${attempts - 1} attempts`);
          return work(event);
        });
      }
    },
    async idle() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}

async function finish<E extends { readonly key: string }>(
  event: E,
  work: () => Promise<void>,
  port: InboxPort<E>,
): Promise<void> {
  const { done, tellFailure, log } = port;
  try {
    await work();
  } catch (error) {
    await tellFailure(event, error).catch((failed: unknown) =>
      log.error({ key: event.key, ...describeError(failed) }, 'A failure could not be told'),
    );
  }
  await done(event).catch((error: unknown) => {
    log.warn({ key: event.key, ...describeError(error) }, 'Finished work could not be marked as done');
    void markLater(event, port);
  });
}

/** Milliseconds between the tries to mark finished work, which go on for five minutes. */
const markDelaysMs = [500, 1_000, 2_000, 4_000, ...Array.from({ length: 10 }, () => 30_000)];

/** The database was down. Nobody waits for this: work that stays open is done once more after the next start. */
async function markLater<E>(event: E, { done }: InboxPort<E>): Promise<void> {
  for (const ms of markDelaysMs) {
    await pause(ms, undefined, { ref: false });
    const isMarked = await done(event).then(
      () => true,
      () => false,
    );
    if (isMarked) return;
  }
}
