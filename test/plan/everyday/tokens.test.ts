/** Why: a value that is read wrong here is wrong in every plan. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameIndex, withNames } from '../../../src/plan/everyday/names.ts';
import { tokenize } from '../../../src/plan/everyday/tokens.ts';

const kindsOf = (text: string): string[] => tokenize(text).map(({ raw, kind }) => `${raw} ${kind}`);
const valuesOf = (text: string): unknown[] => tokenize(text).flatMap(({ values }) => Object.values(values));

test('tokens are recognised by their form in any context', () => {
  expect(kindsOf('P1s in OPS, PAY-12’s runbook for E2200: "disk full"')).toEqual([
    ...['P1 severity', 'in word', 'OPS capitals', ', mark', 'PAY-12 issue', 'runbook word', 'for word'],
    ...['E2200 code', ': mark', '"disk full" quotation'],
  ]);
  expect(kindsOf('tell #ops-eu and @ana.ruiz about #1182 of ops-core')).toEqual([
    ...['tell word', '#ops-eu channel', 'and word', '@ana.ruiz person', 'about word', '#1182 incident'],
    ...['of word', 'ops-core hyphened'],
  ]);
});

test.each([
  ['SEV-1', 'P1'],
  ['twenty', 20],
  ['1,200', 1_200],
  ['15 min', 'PT15M'],
  ['half an hour', 'PT30M'],
  ['zwei Stunden', 'PT2H'],
  ['30 minutes', 'PT30M'],
  ['cinco días', 'P5D'],
  ['yesterday', 'yesterday'],
  ['gestern', 'yesterday'],
  ['la semaine dernière', 'last week'],
  ['sunday 6am', 'sunday 06:00'],
  ['24 december', '24 december'],
  ['9am', '09:00'],
  ['14:30', '14:30'],
  ['“not an order”', 'not an order'],
])('%s is read as %s', (text, value) => {
  expect(valuesOf(text)[0]).toBe(value);
});

test('workspace names are found without their marks, and a mark decides their kind', () => {
  const index = nameIndex({
    services: [{ name: 'checkout-api', pagerdutyId: 'P1' }],
    projects: [{ key: 'OPS', aliases: ['operations'] }],
    channels: [{ name: 'operations', id: 'C1', clearance: 'internal' }],
    people: [{ handle: 'ana', id: 'U1' }],
  });
  const named = (text: string) =>
    withNames(text, tokenize(text), index).map(({ raw, names }) => [raw, names]);
  expect(named('page checkout api')).toEqual([
    ['page', {}],
    ['checkout api', { service: 'checkout-api' }],
  ]);
  expect(named('operations')).toEqual([['operations', { project: 'OPS', channel: '#operations' }]]);
  expect(named('#operations Ana')).toEqual([
    ['#operations', { channel: '#operations' }],
    ['Ana', { user: '@ana' }],
  ]);
});

test('every character of any text is in one token, in order', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      let end = 0;
      for (const token of tokenize(text)) {
        expect(token.start).toBeGreaterThanOrEqual(end);
        expect(token.end).toBeGreaterThan(token.start);
        expect(text.slice(end, token.start).replaceAll(/[\s'’s]/gu, '')).toBe('');
        ({ end } = token);
      }
    }),
  );
});
