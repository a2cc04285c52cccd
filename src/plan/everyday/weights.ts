import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { CountersignError, describeError } from '../../core/errors.ts';

/** The weights file is missing, truncated, or of a version this code does not read. */
export class WeightsError extends CountersignError {}

export const weightsVersion = 1;

const headerSchema = z.object({
  version: z.literal(weightsVersion),
  /** SHA-256 of the cases that the weights were trained on. */
  cases: z.string(),
  words: z.array(z.string()),
  /** Words that cases contain without a value in the plan: their meaning is in the tools and conditions. */
  plain: z.array(z.string()),
  /** Words with a vector although no case contains them. */
  vectors: z.array(z.string()),
  actions: z.array(z.string()),
  size: z.object({ embedding: z.int(), hidden: z.int() }),
  /** In data order: rows of 8-bit numbers, then the scale of each row. */
  arrays: z.array(z.object({ name: z.string(), rows: z.int(), columns: z.int() })),
});
export type Header = z.infer<typeof headerSchema>;

/** In row-major order. */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float64Array;
}

export interface Weights {
  readonly header: Header;
  /** Throws a WeightsError if the file has no such matrix. */
  readonly matrix: (name: string) => Matrix;
}

/** Reads a file written by `tools/train`: the header's length in 4 bytes, the header in JSON, the numbers. */
export function readWeights(path: string): Weights {
  try {
    return decode(readFileSync(path));
  } catch (error) {
    if (error instanceof WeightsError) throw error;
    throw new WeightsError(
      'weights_unreadable',
      `The planner’s weights cannot be read: ${describeError(error).message}`,
      { path },
      error,
    );
  }
}

function decode(file: Buffer): Weights {
  const length = file.readUInt32LE(0);
  const header = headerSchema.parse(JSON.parse(file.toString('utf8', 4, 4 + length)));
  const matrices = new Map<string, Matrix>();
  let at = 4 + length;
  for (const { name, rows, columns } of header.arrays) {
    const count = rows * columns;
    const values = new Float64Array(count);
    const stored = new Int8Array(file.buffer, file.byteOffset + at, count);
    for (let row = 0, to = 0; row < rows; row += 1) {
      const scale = file.readFloatLE(at + count + 4 * row);
      for (let column = 0; column < columns; column += 1, to += 1)
        values[to] = (stored[to] as number) * scale;
    }
    matrices.set(name, { rows, columns, values });
    at += count + 4 * rows;
  }
  if (at !== file.length)
    throw new WeightsError(
      'weights_cut',
      `The planner’s weights have ${file.length} bytes instead of ${at}.`,
    );
  return {
    header,
    matrix(name) {
      const found = matrices.get(name);
      if (found === undefined)
        throw new WeightsError('weights_incomplete', `The planner’s weights lack ${name}.`);
      return found;
    },
  };
}
