import { expect, test } from 'vitest';
import { readSubcommand } from '../../src/request/subcommand.ts';

test.each([
  ['save morning-sla', 'morning-sla'],
  ['save my check', 'my-check'],
  ['Save Morning_SLA', 'morning-sla'],
  ['save', null],
  ['save späti!', null],
  ['save it', null],
  ['save this plan', null],
  ['save this as morning check', 'morning-check'],
  ['save that plan as morning-sla', 'morning-sla'],
  ['save planned-work', 'planned-work'],
])('%s keeps the last plan as %s', (text, name) => {
  expect(readSubcommand(text)).toEqual({ kind: 'save', name });
});

test('a goal that begins with the same word is a goal', () => {
  expect(readSubcommand('saved')).toEqual({ kind: 'saved' });
  expect(readSubcommand('saved searches in OPS')).toBeNull();
  expect(readSubcommand('save time: count open P1 in OPS and page ops')).toBeNull();
});

test('the bot’s own words are told from goals, whatever stands behind them', () => {
  const kinds = (words: readonly string[]) => words.map((each) => readSubcommand(each)?.kind ?? null);
  expect(
    kinds(['status', 'what is running?', 'mine', 'history', 'history of ops', 'show 3fa9 12c0']),
  ).toEqual([...['status', 'status', 'mine', 'history', 'history', 'show']]);
  expect(
    kinds([
      'show OPS-7',
      'stop the deploy',
      'history of P1 tickets in OPS',
      'status of OPS-7',
      'stop all alerts for ops',
      'resume the deploy',
    ]),
  ).toEqual([...[null, null, null, null, null, null]]);
  expect(
    kinds(['stop', 'stop all', 'stop all writes: db move', 'resume', 'break glass', 'break-glass 3fa912c0']),
  ).toEqual([...['stop', 'stop_all', 'stop_all', 'resume', 'break_glass', 'break_glass']]);
  expect(readSubcommand('stop all writes because the database moves')).toEqual({
    kind: 'stop_all',
    reason: 'the database moves',
  });
  for (const dash of ['--', '—', '–'])
    expect(readSubcommand(`show 4bf2a81c09de ${dash}json`)).toMatchObject({ kind: 'show', asJson: true });
  expect(readSubcommand('show run-4bf2a81c09de-1')).toEqual({
    kind: 'show',
    id: { kind: 'request', id: '4bf2a81c09de' },
  });
});
