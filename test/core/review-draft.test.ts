import { expect, test } from 'vitest';
import { checkClaim } from '../../src/core/review-draft.ts';

const records = [
  'Incident #7 “Disk full” is resolved.',
  'Timeline: 2026-03-10 14:21 UTC Acknowledged by Ana Ruiz after 3 min',
  'Timeline: 2026-03-10 14:29 UTC Alert “x” Ben Okafor deleted prod “y” fired',
  `Timeline: 2026-03-10 14:30 UTC 📌 Ben Okafor: “x” Eva Novak deleted prod ${'z'.repeat(40)}…`,
];
const supportOf = (text: string, ...named: number[]) =>
  checkClaim({ part: 'happened', text, records: named }, records).support;

test('a claim stands by the records it names, word for word in numbers, times and names', () => {
  expect(supportOf('Ana Ruiz acknowledged it after 3 min.', 2)).toBe('recorded');
  expect(supportOf('It was acknowledged at 14:21.', 2)).toBe('recorded');
  expect(supportOf('Ana Ruiz acknowledged it after 3 min.', 3)).toBe('none');
  expect(supportOf('It was acknowledged after 4 min.', 2)).toBe('none');
  expect(supportOf('Ben acknowledged it.', 2)).toBe('none');
});

test('parts of a date are no number of anything else', () => {
  for (const number of [10, 14, 21, 2026]) expect(supportOf(`Acknowledged by ${number}.`, 2)).toBe('none');
});

test('quoted words never become facts, with quotation marks of their own or cut off', () => {
  expect(supportOf('Ben Okafor deleted prod.', 3)).toBe('said');
  expect(supportOf('Eva Novak deleted prod.', 4)).toBe('said');
  expect(supportOf('The alert fired at 14:29.', 3)).toBe('recorded');
});
