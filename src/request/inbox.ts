import { describeError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { fairTurns } from '../core/turns.ts';

/** What arrived and is stored: a command, a click, a form, a message, a tick of a schedule. */
export interface Stored<E> {
  readonly event: E;
  /** How often somebody began to work on it, this time included. */
  readonly attempts: number;
}

export interface InboxPort<E> {
  /** True when it is on disk for the first time; false for a repeated delivery. */
  store(event: E): Promise<boolean>;
  /** What it said is forgotten; that it came is remembered for a day. */
  done(event: E): Promise<void>;
  /** Takes what dead processes had accepted and not finished; nobody else gets it. */
  takeOver(): Promise<readonly Stored<E>[]>;
  /** True for what may wait a moment when much arrives at once: a new goal may, a click may not. */
  mayWait(event: E): boolean;
  /** Whose turn it takes when it waits: a workspace. */
  ownerOf(event: E): string;
  /** Says to its person that it failed; `reference` stands in the log. */
  tellFailure(event: E, error: unknown): Promise<void>;
  readonly log: Log;
}

export interface Inbox<E> {
  /** Resolves when the event is on disk and may be acknowledged: from then on it is worked on, here or elsewhere. */
  accept(event: E): Promise<boolean>;
  /** Works on what was accepted. Never throws: what fails is said to its person. */
  process(event: E, work: () => Promise<void>): Promise<void>;
  /** Works on what dead processes left. */
  takeUp(work: (event: E) => Promise<void>): Promise<void>;
  /** Resolves when nothing is being worked on. */
  idle(): Promise<void>;
}

/** An event that ends its process again and again is given up, and its person is told. */
const maxAttempts = 3;
/** Goals that are worked on at a time: in a storm the next acknowledgement must not wait for all of them. */
const maxAtOnce = 8;

/**
 * Accepted means stored: nothing is acknowledged before it is on disk, and what is on disk is worked on until it is
 * done, if need be by another process. Work may therefore begin twice; its effects are keyed by the event.
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
  { done, tellFailure, log }: InboxPort<E>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    await tellFailure(event, error).catch((untold: unknown) =>
      log.error({ key: event.key, ...describeError(untold) }, 'A failure could not be told'),
    );
  }
  // Left as it is when the database is away: then it is taken up after the next start.
  await done(event).catch((error: unknown) =>
    log.warn({ key: event.key, ...describeError(error) }, 'Finished work could not be marked as done'),
  );
}
