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
