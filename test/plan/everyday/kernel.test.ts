/** Why: the loop is written in machine code, so a slip in it would only show as worse plans. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKernel } from '../../../src/plan/everyday/kernel.ts';

const integers = fc.integer({ min: -128, max: 127 });

test('multiplies a matrix with a vector as plain arithmetic does', () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const multiply = createKernel(memory);
  const shapes = fc.record({ rows: fc.integer({ min: 1, max: 5 }), eights: fc.integer({ min: 1, max: 4 }) });
  const cases = shapes.chain(({ rows, eights }) =>
    fc.record({
      weights: fc.array(integers, { minLength: rows * 8 * eights, maxLength: rows * 8 * eights }),
      scales: fc.array(fc.integer({ min: -8, max: 8 }), { minLength: rows, maxLength: rows }),
      input: fc.array(integers, { minLength: 8 * eights, maxLength: 8 * eights }),
    }),
  );
  fc.assert(
    fc.property(cases, ({ weights, scales, input }) => {
      const [rows, columns] = [scales.length, input.length];
      // The numbers of a weights file begin anywhere.
      new Int8Array(memory.buffer, 3, weights.length).set(weights);
      new Float32Array(memory.buffer, 1_024, rows).set(scales);
      new Float32Array(memory.buffer, 2_048, columns).set(input);
      const output = new Float32Array(memory.buffer, 4_096, rows + 1).fill(7);
      multiply(3, 1_024, 2_048, 4_096, rows, columns);
      const expected = scales.map((scale, row) =>
        input.reduce((sum, value, column) => sum + value * (weights[row * columns + column] ?? 0) * scale, 0),
      );
      // Adding zero makes -0 the same as 0.
      expect([...output].map((value) => value + 0)).toEqual([...expected.map((value) => value + 0), 7]);
    }),
  );
});
