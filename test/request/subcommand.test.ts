import { expect, test } from 'vitest';
import { readSubcommand } from '../../src/request/subcommand.ts';

test.each([
  ['save morning-sla', 'morning-sla'],
  ['save my check', 'my-check'],
  ['Save Morning_SLA', 'morning-sla'],
  ['save', null],
  ['save späti!', null],
])('%s keeps the last plan as %s', (text, name) => {
  expect(readSubcommand(text)).toEqual({ kind: 'save', name });
});

test('a goal that begins with the same word is a goal', () => {
  expect(readSubcommand('save time: count open P1 in OPS and page ops')).toBeNull();
});
