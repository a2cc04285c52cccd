import { expect, test } from 'vitest';
import { cadenceWords } from '../../src/core/cadence.ts';

test.each([
  ['* * * * *', 'every minute'],
  ['*/15 * * * *', 'every 15 minutes'],
  ['5 * * * *', 'every hour at :05'],
  ['0 9 * * 1-5', 'every weekday at 09:00 (Europe/Berlin)'],
  ['30 7 * * 1,4', 'every Monday and Thursday at 07:30 (Europe/Berlin)'],
  ['0 9,17 1 * *', 'by the cron line 0 9,17 1 * * (Europe/Berlin)'],
])('%s is said as "%s"', (cron, words) => {
  expect(cadenceWords({ cron, timezone: 'Europe/Berlin' })).toBe(words);
});

test.each([
  ['*/10 9-16 * * 1-5', 'every 10 minutes from 09:00 to 17:00 on weekdays (Europe/Berlin)'],
  ['*/30 * * * 0,6', 'every 30 minutes on weekends (Europe/Berlin)'],
  ['0 6-21/2 * * *', 'every 2 hours from 06:00 to 22:00 (Europe/Berlin)'],
  ['*/7 9-16 * * *', 'by the cron line */7 9-16 * * * (Europe/Berlin)'],
])('an interval limited to hours or days, %s, is said as "%s"', (cron, words) => {
  expect(cadenceWords({ cron, timezone: 'Europe/Berlin' })).toBe(words);
});
