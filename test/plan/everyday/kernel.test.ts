/** Why: the loop is written in machine code, so a slip in it would only show as worse plans. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKernel } from '../../../src/plan/everyday/kernel.ts';

const integers = fc.integer({ min: -128, max: 127 });
/** Small enough for a sum of products to be exact as a 32-bit float. */
const numbers = fc.integer({ min: -100, max: 100 });

test('adds the product of a matrix and a vector as plain arithmetic does', () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const multiply = createKernel(memory);
  const shapes = fc.record({ rows: fc.integer({ min: 1, max: 5 }), eights: fc.integer({ min: 1, max: 4 }) });
  const cases = shapes.chain(({ rows, eights }) =>
    fc.record({
      weights: fc.array(integers, { minLength: rows * 8 * eights, maxLength: rows * 8 * eights }),
      scales: fc.array(fc.integer({ min: -8, max: 8 }), { minLength: rows, maxLength: rows }),
      input: fc.array(numbers, { minLength: 8 * eights, maxLength: 8 * eights }),
    }),
  );
  fc.assert(
    fc.property(cases, ({ weights, scales, input }) => {
      const [rows, columns] = [scales.length, input.length];
      // The numbers of a weights file begin anywhere.
      new Int8Array(memory.buffer, 3, weights.length).set(weights);
      new Float32Array(memory.buffer, 1_024, rows).set(scales);
      new Int16Array(memory.buffer, 2_048, columns).set(input);
      const output = new Float32Array(memory.buffer, 4_096, rows + 1).fill(7);
      multiply(3, 1_024, 2_048, 4_096, rows, columns, 0.5);
      const expected = scales.map((scale, row) => {
        const products = input.map((value, column) => value * (weights[row * columns + column] ?? 0));
        return 7 + products.reduce((sum, product) => sum + product, 0) * scale * 0.5;
      });
      expect([...output]).toEqual([...expected, 7]);
    }),
  );
});

test('the largest numbers of the most columns do not overflow', () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const multiply = createKernel(memory);
  new Int8Array(memory.buffer, 0, 512).fill(127);
  new Float32Array(memory.buffer, 512, 1).fill(1);
  new Int16Array(memory.buffer, 1_024, 512).fill(32_767);
  const output = new Float32Array(memory.buffer, 4_096, 1);
  multiply(0, 512, 1_024, 4_096, 1, 512, 1);
  expect(output[0]).toBe(512 * 127 * 32_767);
});
