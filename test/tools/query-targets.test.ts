import { expect, test } from 'vitest';
import { targetsIn } from '../../tools/query-result.ts';
import { bound, template } from '../support/queries.ts';

const stuck = template(
  'sql',
  'select ticket, service from stuck',
  {},
  {
    targets: { issue: 'ticket', service: 'service' },
  },
);
const answerWith = (rows: string[][], columns = ['ticket', 'service']) => ({
  ...{ columns, rows, total: rows.length, exact: true },
});

test('a vetted query lists the things of the columns that it declares, each once', () => {
  const answer = answerWith([
    ['OPS-1', 'ops'],
    ['OPS-2', 'ops'],
    ['', 'search'],
  ]);
  expect(targetsIn(answer, bound(stuck))).toEqual({
    issues: ['OPS-1', 'OPS-2'],
    services: ['ops', 'search'],
  });
  expect(targetsIn(answer, bound(template('sql', 'select 1')))).toEqual({});
});

test('a value that is no such thing, or a column that is not there, fails the read', () => {
  expect(() =>
    targetsIn(
      answerWith([
        ['OPS-1', 'ops'],
        ['ask <@U0ANA>', 'ops'],
      ]),
      bound(stuck),
    ),
  ).toThrow('The query has a value in ticket that must be a Jira issue key such as OPS-12.');
  expect(() => targetsIn(answerWith([['ops']], ['service']), bound(stuck))).toThrow('has no column ticket');
});
