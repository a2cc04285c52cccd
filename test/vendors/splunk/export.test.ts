import { expect, test } from 'vitest';
import { readExport } from '../../../src/vendors/splunk/export.ts';

/** An export whose results have one value each, of the given lengths. */
async function* results(lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  for (const length of lengths) yield Buffer.from(`{"result":{"text":"${'x'.repeat(length)}"}}\n`);
}

test('results too large to keep are refused, but not those that are only counted', async () => {
  const large = Array.from({ length: 20 }, () => 900_000);
  await expect(readExport(results(large), 200)).rejects.toMatchObject({
    ...{ code: 'answer_too_large', retryable: false },
    message: expect.stringContaining('larger than 8 MB'),
  });
  expect(await readExport(results(large), 2)).toMatchObject({ total: 20, exact: true });
});

test('a line that is too long is refused', async () => {
  await expect(readExport(results([3_000_000]), 200)).rejects.toMatchObject({
    code: 'bad_answer',
    message: expect.stringContaining('a line of it is too long'),
  });
});
