import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CountersignError, VendorError } from '../../src/core/errors.ts';
import { delayAfter, retryStore } from '../../src/run/retry.ts';

function vendor(retryable: boolean, retryAfterMs?: number) {
  const more = retryAfterMs === undefined ? {} : { retryAfterMs };
  return new VendorError('x', 'x', { retryable, mayHaveHappened: false, ...more });
}

test('pauses double up to fifteen seconds with jitter, and are never shorter than the vendor asked', () => {
  const delays = (random: number) =>
    [1, 2, 3, 4, 5, 6, 7].map((n) => delayAfter(vendor(true), n, () => random));
  expect(delays(1)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
  expect(delays(0)).toEqual([250, 500, 1_000, 2_000, 4_000, 7_500, 7_500]);
  const parameters = [fc.integer({ min: 1, max: 30 }), fc.integer({ min: 0, max: 60_000 })] as const;
  fc.assert(
    fc.property(...parameters, (attempt, asked) => {
      const delay = delayAfter(vendor(true, asked), attempt, () => 0);
      expect(delay).toBeGreaterThanOrEqual(asked);
      expect(delay).toBeLessThanOrEqual(60_000);
    }),
  );
  expect(delayAfter(vendor(true, 60_001), 1, () => 0)).toBeNull();
  expect(delayAfter(vendor(false), 1, () => 0)).toBeNull();
  expect(delayAfter(new Error('a bug'), 1, () => 0)).toBeNull();
});

test('a database call is retried a few times when it breaks, but not when it answers', async () => {
  const slept: number[] = [];
  const sleep = async (ms: number) => {
    slept.push(ms);
  };
  let calls = 0;
  const breaks = (times: number, error: Error) => async () => {
    calls += 1;
    if (calls <= times) throw error;
    return calls;
  };
  expect(await retryStore(breaks(2, new Error('ECONNRESET')), sleep)).toBe(3);
  expect(slept).toEqual([100, 400]);
  calls = 0;
  await expect(retryStore(breaks(9, new Error('ECONNRESET')), sleep)).rejects.toThrowError('ECONNRESET');
  expect(calls).toBe(5);
  calls = 0;
  await expect(retryStore(breaks(9, new CountersignError('not_found', 'no')), sleep)).rejects.toThrowError(
    'no',
  );
  expect(calls).toBe(1);
});
