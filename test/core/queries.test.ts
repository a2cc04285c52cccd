import { expect, test } from 'vitest';
import { durationMs } from '../../src/core/duration.ts';
import { masked } from '../../src/core/mask.ts';
import { momentOf } from '../../src/core/moment.ts';
import { queryBook } from '../../src/core/queries/bind.ts';
import { piecesOf } from '../../src/core/queries/template.ts';
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

test('a query is found by its name, or by being the only one that takes what was given', () => {
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
    'There is no vetted query nothing. Vetted queries: failed-orders (failed orders), deploys (deploys).',
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
  [{ named: 'failed-orders', since: '10:00', until: '09:00' }, 'is empty'],
  [{ query: 'select 1' }, 'pasted_queries in countersign.yml does not list sql'],
] as const)('what cannot be put is refused by the argument: %o', (args, message) => {
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

test('times are the latest ones that words can mean, in UTC', () => {
  const at = (words: string) => momentOf(words, queryNow)?.toISOString().slice(0, 16) ?? null;
  expect(at('11:30')).toBe('2026-03-10T11:30');
  expect(at('13:30')).toBe('2026-03-09T13:30');
  expect(at('yesterday')).toBe('2026-03-09T00:00');
  expect(at('this week')).toBe('2026-03-09T00:00');
  expect(at('last week')).toBe('2026-03-02T00:00');
  expect(at('last month')).toBe('2026-02-01T00:00');
  expect(at('tuesday')).toBe('2026-03-10T00:00');
  expect(at('Friday')).toBe('2026-03-06T00:00');
  expect(at('yesterday 14:05')).toBe('2026-03-09T14:05');
  expect(at('tuesday at 13:30')).toBe('2026-03-03T13:30');
  expect(at('2026-03-10 13:30')).toBe('2026-03-10T13:30');
  expect(at('2026-03-11 09:00')).toBe('2026-03-11T09:00');
  expect(at('today 13:30')).toBe('2026-03-10T13:30');
  expect(at('2026-03-01')).toBe('2026-03-01T00:00');
  expect(at('2026-03-01T10:00+02:00')).toBe('2026-03-01T08:00');
  for (const bad of ['', 'soon', '25:00', '2026-13-45', 'now; drop', 'noon 14:00'])
    expect(at(bad), bad).toBeNull();
  expect([
    durationMs('PT90M'),
    durationMs('P7D'),
    durationMs('P1M'),
    durationMs('P'),
    durationMs('PT'),
  ]).toEqual([5_400_000, 604_800_000, null, null, null]);
});

test('personal data and secrets are masked, and ordinary numbers are not', () => {
  expect(
    masked('mia@customer.example paid with 4111 1111 1111 1111, password=hunter2 Bearer abcdefghijkl'),
  ).toBe('[e-mail] paid with [card number], password=[secret] Bearer [token]');
  const plain = 'order 1234567890123 took 3000 ms at 2026-03-10T12:00:00Z on checkout-1';
  expect(masked(plain)).toBe(plain);
});
