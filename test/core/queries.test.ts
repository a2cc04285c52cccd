import { expect, test } from 'vitest';
import { durationMs } from '../../src/core/duration.ts';
import { queryBook } from '../../src/core/queries/bind.ts';
import { piecesOf } from '../../src/core/queries/template.ts';
import { masked } from '../../tools/mask-card-numbers.ts';
import { queryNow, template } from '../support/queries.ts';

const failed = template(
  'sql',
  'select 1 where {from} < {to}',
  {},
  { name: 'failed-orders', says: ['failed orders'] },
);
const deploys = template(
  'sql',
  'select {service}',
  { service: 'service' },
  { name: 'deploys', says: ['deploys'], services: ['checkout'] },
);
const book = queryBook([failed, deploys], new Set());
const bind = (args: Record<string, unknown>) => book.bind('sql', args, queryNow);

test('a query is found by its name, or if it is the only one that takes the given arguments', () => {
  expect(bind({ named: 'deploys', service: 'checkout' })).toMatchObject({
    values: { service: 'checkout' },
    source: 'shop',
  });
  expect(bind({ service: 'checkout' }).template?.name).toBe('deploys');
  expect(bind({ since: '08:00' })).toMatchObject({
    template: { name: 'failed-orders' },
    from: new Date('2026-03-10T08:00:00Z'),
  });
});

test.each([
  [
    { named: 'nothing' },
    'There is no vetted query nothing. Vetted queries, chosen by named=…: failed-orders (failed orders), deploys (deploys).',
  ],
  [{ about: 'refunds' }, 'No vetted query takes about.'],
  [{ named: 'deploys' }, 'The query deploys needs service'],
  [{ named: 'deploys', service: 'ops' }, 'The query deploys is about checkout, not ops.'],
  [
    { named: 'deploys', service: 'checkout', window: 'PT1H' },
    'The query deploys cannot be narrowed by window “PT1H”; it takes service.',
  ],
  [
    { named: 'failed-orders', level: 'error' },
    'The query failed-orders cannot be narrowed by level “error”; it takes a time.',
  ],
  [{ named: 'failed-orders', since: 'the other day' }, 'I do not know which time since "the other day" is.'],
  [{ named: 'failed-orders', window: 'soon' }, 'The window "soon" is not a duration'],
  [{ named: 'failed-orders', since: 'today', until: 'yesterday' }, 'is empty'],
  [{ named: 'failed-orders', since: 'tomorrow' }, 'is empty'],
  [{ named: 'failed-orders', during: 'yesterday 14:00' }, 'during "yesterday 14:00" is one moment'],
  [{ named: 'deploys', service: 'checkout', during: 'friday' }, 'cannot be narrowed by during “friday”'],
  [{ query: 'select 1' }, 'pasted_queries in countersign.yml does not list sql'],
] as const)('an invalid query is refused by its argument: %o', (args, message) => {
  expect(() => bind(args)).toThrow(message);
});

test('braces around anything but a name are text', () => {
  expect(piecesOf('a {b} {"c": 1} {{d}} {E}')).toEqual([
    { text: 'a ' },
    { name: 'b' },
    { text: ' {"c": 1} {' },
    { name: 'd' },
    { text: '} {E}' },
  ]);
});

test('durations are weeks, days, hours, minutes and seconds', () => {
  const said = ['PT90M', 'P7D', 'P1M', 'P', 'PT'].map(durationMs);
  expect(said).toEqual([5_400_000, 604_800_000, null, null, null]);
});

test('a day, week or month has an end, and “since” and “until” are read together', () => {
  const period = (args: Record<string, unknown>, of = book) => {
    const { from, to, over } = of.bind('sql', { named: 'failed-orders', ...args }, queryNow);
    return [from.toISOString().slice(0, 16), to.toISOString().slice(0, 16), over].filter(Boolean).join('/');
  };
  expect(period({ during: 'yesterday' })).toBe('2026-03-09T00:00/2026-03-10T00:00');
  expect(period({ during: 'last month' })).toBe('2026-02-01T00:00/2026-03-01T00:00');
  expect(period({ during: 'monday to wednesday' })).toBe('2026-03-02T00:00/2026-03-05T00:00');
  expect(period({ since: 'yesterday' })).toBe('2026-03-09T00:00/2026-03-10T12:00');
  expect(period({ since: 'last week', until: 'this week' })).toBe('2026-03-02T00:00/2026-03-09T00:00');
  expect(period({ since: 'monday', until: 'wednesday' })).toBe('2026-03-02T00:00/2026-03-04T00:00');
  expect(period({ since: '22:00', until: '06:00' })).toBe('2026-03-09T22:00/2026-03-10T06:00');
  expect(period({ during: 'yesterday', since: 'yesterday 14:00' })).toBe('2026-03-09T14:00/2026-03-10T00:00');
  const madrid = queryBook([failed], new Set(), 'Europe/Madrid');
  expect(period({ during: 'yesterday' }, madrid)).toBe('2026-03-08T23:00/2026-03-09T23:00');
});

test('personal data and secrets are masked, and ordinary numbers are not', () => {
  expect(
    masked('mia@customer.example paid with 4111 1111 1111 1111, password=hunter2 Bearer abcdefghijkl'),
  ).toBe('[e-mail] paid with [card number], password=[secret] Bearer [token]');
  const plain = 'order 1234567890123 took 3000 ms at 2026-03-10T12:00:00Z on checkout-1';
  expect(masked(plain)).toBe(plain);
});
