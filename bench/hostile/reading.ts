import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Reader, readers } from './readers.ts';
import { type Shape, shapes } from './shapes.ts';

export interface Reading {
  readonly reader: string;
  /** The shape that held everything else up longest. */
  readonly shape: string;
  readonly blockedMs: number;
  /** Megabytes of heap kept after all shapes, garbage collected before and after. */
  readonly grownMb: number;
  /** Every text ended in an answer or in an error. */
  readonly ended: number;
}

/** Each reader with each shape at that size, one after the other. */
export async function readAll(bytes: number): Promise<Reading[]> {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const readings: Reading[] = [];
  for (const reader of readers) {
    // The first texts pay for compiling, and for memory that stays.
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

/** The most processor time of this thread between two turns of a timer: what nothing else came in between of. */
async function blockedBy(
  { read }: Reader,
  shape: Shape,
  bytes: number,
  collect: () => void,
): Promise<number> {
  const text = shape.text(bytes);
  // V8 joins a repeated text when it is first looked at: that time is not the reader's.
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
  // A text that is not taken is an answer as well.
  await read(text).catch(() => 0);
  await pause(2);
  look();
  clearInterval(timer);
  return longest;
}
