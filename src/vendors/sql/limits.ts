import type { Duplex } from 'node:stream';
import { answerTooLarge } from '../../core/queries/answer.ts';
import { tooSlow } from './errors.ts';

/** Maximum bytes of one answer in memory. */
const maxAnswerBytes = 8_000_000;
/** How a person gets an answer that fits. */
const advice = 'fewer columns or rows, or for the start of long values: left(column, 200)';
/** Maximum bytes received while rows are counted and dropped. */
export const maxCountedBytes = 40_000_000;
/** The database stops a query itself; if it does not, we give up this much later. */
const graceMs = 1_000;

/** Limits of a query, whatever its text. */
export interface Limits {
  readonly source: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** The connection's stream: drivers buffer a whole row before passing it on, so bytes are counted here. */
  readonly stream: Duplex;
  /** Closes the connection and makes the database stop. */
  stop(): void;
}

/** Counts the bytes of an answer as they arrive. */
export interface ByteMeter {
  /** Bytes still in memory. */
  held: number;
  /** Total bytes. */
  seen: number;
}

/** The answer, or an error as soon as a limit is reached: never waits for the database to notice. */
export async function withinLimits<T>(
  { source, timeoutMs, signal, stream, stop }: Limits,
  ask: (meter: ByteMeter) => Promise<T>,
): Promise<T> {
  const meter: ByteMeter = { held: 0, seen: 0 };
  const { promise, reject } = Promise.withResolvers<never>();
  const leave = (why: Error): void => {
    stop();
    reject(why);
  };
  const onAbort = (): void => leave(new Error('timeout: it did not answer, and the connection was closed'));
  const onData = (chunk: Buffer): void => {
    meter.held += chunk.length;
    meter.seen += chunk.length;
    if (meter.held > maxAnswerBytes) leave(answerTooLarge(source, maxAnswerBytes, advice));
  };
  const timer = setTimeout(() => leave(tooSlow(source)), timeoutMs + graceMs);
  signal.addEventListener('abort', onAbort, { once: true });
  stream.on('data', onData);
  try {
    signal.throwIfAborted();
    return await Promise.race([ask(meter), promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    stream.off('data', onData);
  }
}
