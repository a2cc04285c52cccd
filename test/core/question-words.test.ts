/** Why: few people type a question mark, and a question must not become an order. */
import { expect, test } from 'vitest';
import { asksFor, asksWhether } from '../../src/core/question-words.ts';

test('a question is told by its first words, also where they are joined to another', () => {
  for (const text of ['who is on call', '“What’s step 1', 'hows it going', 'WHICH one'])
    expect(asksFor(text)).toBe(true);
  expect(asksFor('wait, why them')).toBe(false);
  expect(asksFor('wait, why them', 3)).toBe(true);
  for (const text of ['is it down', 'isn’t it down', ' Have they acked', 'arent we done'])
    expect(asksWhether(text)).toBe(true);
  for (const text of ['issue OPS-1', 'don’t page ops', 'whoever', 'page who is on call', '']) {
    expect(asksFor(text)).toBe(false);
    expect(asksWhether(text)).toBe(false);
  }
});
