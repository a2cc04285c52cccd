import { expect, test } from 'vitest';
import { isChangeOrder } from '../../src/request/change-order.ts';

test.each([
  'use P2 and post to #ops instead',
  'threshold 15',
  'ok, make it P2 please',
  'hmm, actually only if more than 3',
  'can you use P2?',
  'could we please post it in #ops instead?',
  "don't page, post to #ops",
  'no need to page',
  'also tell @ana',
  'P2 instead',
  'P2',
  '> 15',
  '#incidents instead',
  'PAY-4 too',
  'only bugs',
  'not ops',
  'with low urgency please',
  'every 5 minutes',
  'at 8:30',
  'assign it to ben',
  'and P2s',
])('an order to the plan: %s', (words) => {
  expect(isChangeOrder(words)).toBe(true);
});

test.each([
  'hmm, why P2?',
  'is PAY affected, too?',
  'shall we page checkout instead?',
  'who is on call for checkout?',
  '@ana can you approve?',
  '@ana please look',
  'PAY has the same issue',
  'checkout is also slow',
  'I saw two P2s as well',
  'P1 is correct',
  'posted in #general',
  'used P2 last time',
  'can you see PAY?',
  '',
])('talk between people: %s', (words) => {
  expect(isChangeOrder(words)).toBe(false);
});
