import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Reader, readers } from './readers.ts';
import { type Shape, shapes } from './shapes.ts';

export interface Reading {
  readonly reader: string;
  /** The shape that blocked the event loop longest. */
  readonly shape: string;
  readonly blockedMs: number;
  /** Megabytes of heap retained after all shapes, with garbage collected before and after. */
  readonly grownMb: number;
  /** Every text led to an answer or an error. */
  readonly ended: number;
}

/** Runs each reader with each shape at that size, one after the other. */
export async function readAll(bytes: number): Promise<Reading[]> {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const readings: Reading[] = [];
  for (const reader of readers) {
    // The first texts include compiling, and memory that stays.
    for (const shape of shapes) await reader.read(shape.text(1_000)).catch(() => 0);
    collect();
    const before = held();
    const longest = { shape: '', blockedMs: 0 };
    for (const shape of shapes) {
      const blockedMs = await blockedBy(reader, shape, bytes, collect);
      if (blockedMs > longest.blockedMs) Object.assign(longest, { shape: shape.name, blockedMs });
    }
    collect();
    const grownMb = Math.max(0, held() - before) / 1e6;
    readings.push({ reader: reader.name, ...longest, grownMb, ended: shapes.length });
  }
  return readings;
}

function held(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The longest CPU time of this thread between two turns of a timer: time in which nothing else could run. */
async function blockedBy(
  { read }: Reader,
  shape: Shape,
  bytes: number,
  collect: () => void,
): Promise<number> {
  const text = shape.text(bytes);
  // V8 flattens a repeated text when it is first read: that time is not the reader's.
  text.charCodeAt(0);
  collect();
  const used = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let [last, longest] = [used(), 0];
  const look = (): void => {
    const now = used();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, 1);
  await pause(5);
  look();
  longest = 0;
  // A rejected text counts as an answer, too.
  await read(text).catch(() => 0);
  await pause(2);
  look();
  clearInterval(timer);
  return longest;
}
