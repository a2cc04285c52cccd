import { describe, expect, test } from 'vitest';
import { createBreaker } from '../../../src/plan/model/breaker.ts';

describe('the breaker', () => {
  test('opens after consecutive failures, allows one trial after the pause, and closes when it succeeds', () => {
    let now = 0;
    const breaker = createBreaker({ failures: 3, coolMs: 1_000, clock: () => now });
    breaker.failed();
    breaker.failed();
    breaker.succeeded();
    breaker.failed();
    breaker.failed();
    expect(breaker.allows()).toBe(true);
    breaker.failed();
    expect(breaker.allows()).toBe(false);
    now = 999;
    expect(breaker.allows()).toBe(false);
    now = 1_000;
    expect([breaker.allows(), breaker.allows()]).toEqual([true, false]);
    breaker.failed();
    now = 1_999;
    expect(breaker.allows()).toBe(false);
    now = 2_000;
    expect(breaker.allows()).toBe(true);
    breaker.succeeded();
    expect([breaker.allows(), breaker.allows()]).toEqual([true, true]);
  });

  test('does not stay open because a trial never reported back', () => {
    let now = 0;
    const breaker = createBreaker({ failures: 1, coolMs: 100, clock: () => now });
    breaker.failed();
    now = 100;
    expect(breaker.allows()).toBe(true);
    now = 199;
    expect(breaker.allows()).toBe(false);
    now = 200;
    expect(breaker.allows()).toBe(true);
  });
});
