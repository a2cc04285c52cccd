import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { CountersignError, describeError } from '../../core/errors.ts';
import { createKernel } from './kernel.ts';

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
  arrays: z.array(
    z
      .object({ name: z.string(), rows: z.int().min(1), columns: z.int().min(1) })
      .refine(
        ({ rows, columns }) => rows === 1 || (columns % 8 === 0 && columns <= 512),
        'the kernel needs columns in eights, and at most 512',
      ),
  ),
});
export type Header = z.infer<typeof headerSchema>;

export type Vector = Float32Array;

export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  /** `to`, with `factor` times a row added in place. */
  addRow(to: Vector, at: number, factor?: number): Vector;
  /** This matrix times a vector, plus `start`. */
  times(input: Vector, start: Vector): Vector;
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
  const sizeOf = ({ rows, columns }: Header['arrays'][number]): number => rows * columns + 4 * rows;
  const numbers = file.subarray(4 + length);
  const size = header.arrays.reduce((sum, array) => sum + sizeOf(array), 0);
  if (size !== numbers.length)
    throw new WeightsError(
      'weights_cut',
      `The planner’s weights have ${numbers.length} bytes of numbers instead of ${size}.`,
    );
  const matrixAt = inMemory(numbers, header.arrays);
  const matrices = new Map<string, Matrix>();
  let at = 0;
  for (const array of header.arrays) {
    matrices.set(array.name, matrixAt(at, array));
    at += sizeOf(array);
  }
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

const page = 65_536;
/** The largest number of 16 bits, which the largest of a vector becomes. */
const largest = 32_767;

/** The numbers as they are in the file, in the kernel’s memory, followed by room for a vector and its product. */
function inMemory(
  numbers: Buffer,
  arrays: Header['arrays'],
): (at: number, array: Header['arrays'][number]) => Matrix {
  const input = Math.ceil(numbers.length / 16) * 16;
  const output = input + 4 * Math.max(...arrays.map(({ columns }) => columns));
  const bytes = output + 4 * Math.max(...arrays.map(({ rows }) => rows));
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / page) });
  const kernel = createKernel(memory);
  const weights = new Int8Array(memory.buffer);
  weights.set(numbers);
  const view = new DataView(memory.buffer);
  return (at, { rows, columns }) => {
    const scales = at + rows * columns;
    const given = new Int16Array(memory.buffer, input, columns);
    const product = new Float32Array(memory.buffer, output, rows);
    return {
      rows,
      columns,
      addRow(to, nth, factor = 1) {
        const scale = factor * view.getFloat32(scales + 4 * nth, true);
        const from = at + nth * columns;
        for (let place = 0; place < columns; place += 1)
          to[place] = (to[place] as number) + (weights[from + place] as number) * scale;
        return to;
      },
      times(vector, start) {
        let top = 0;
        for (let place = 0; place < columns; place += 1)
          top = Math.max(top, Math.abs(vector[place] as number));
        const unit = top / largest;
        const scale = top === 0 ? 0 : largest / top;
        for (let place = 0; place < columns; place += 1)
          given[place] = Math.round((vector[place] as number) * scale);
        product.set(start);
        kernel(at, scales, input, output, rows, columns, unit);
        return product.slice();
      },
    };
  };
}
