import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildJql, type JqlScope, jqlString, jqlWords } from '../../../src/vendors/jira/jql.ts';
import { jqlPeriod, jqlTimes } from '../../../src/vendors/jira/jql-time.ts';

/** A Tuesday. */
const now = new Date('2026-03-10T12:00:00Z');
const scope: JqlScope = { priorities: { P1: 'Highest' }, projects: ['OPS', 'PAY'], now, zone: 'UTC' };

test("every filter becomes one clause, in a fixed order, with this Jira's names", () => {
  const all = {
    project: 'OPS',
    key: 'OPS-12',
    priority: 'P1',
    status: 'open',
    type: 'bug',
    assignee: 'unassigned',
    label: 'payments',
    labelNot: 'tech-debt',
    text: 'login fails',
    component: 'gateway',
    window: 'PT45M',
    since: 'monday',
    until: 'today',
    updatedWithin: 'PT2H',
    updatedSince: '2026-03-01',
  };
  expect(buildJql(all, scope, 'oldest')).toBe(
    'project = "OPS" AND key = "OPS-12" AND priority = "Highest" AND statusCategory != Done AND issuetype = "bug"' +
      ' AND component = "gateway" AND assignee IS EMPTY AND labels = "payments" AND (labels IS EMPTY OR labels != "tech-debt")' +
      ' AND text ~ "login fails" AND created >= -45m AND created >= startOfDay("-1d")' +
      ' AND created < startOfDay() AND updated >= -2h AND updated >= "2026-03-01" ORDER BY created ASC',
  );
  const only = (query: Parameters<typeof buildJql>[0]) => buildJql({ project: 'OPS', ...query }, scope);
  expect(only({ assigneeNot: '712020:ana' })).toBe(
    'project = "OPS" AND (assignee IS EMPTY OR NOT assignee = "712020:ana")',
  );
  expect(only({ olderThan: 'P3D', notUpdatedFor: 'PT12H' })).toBe(
    'project = "OPS" AND created < -3d AND updated < -12h',
  );
  expect(only({ status: 'done' })).toBe('project = "OPS" AND statusCategory = Done');
  expect(only({ status: 'closed', since: 'monday', window: 'P2D' })).toBe(
    'project = "OPS" AND statusCategory = Done AND resolved >= -2d AND resolved >= startOfDay("-1d")',
  );
  expect(only({ typeNot: 'bug' })).toBe('project = "OPS" AND issuetype != "bug"');
  expect(only({ statusNot: 'In Progress' })).toBe('project = "OPS" AND status != "In Progress"');
  expect(only({ statusNot: 'Done' })).toBe('project = "OPS" AND statusCategory != Done');
  expect(only({ statusNot: 'open' })).toBe('project = "OPS" AND statusCategory = Done');
  expect(only({ priorityNot: 'P1' })).toBe(
    'project = "OPS" AND (priority IS EMPTY OR priority != "Highest")',
  );
  expect(only({ status: 'ALL' })).toBe('project = "OPS"');
  expect(only({ status: 'In Progress' })).toBe('project = "OPS" AND status = "In Progress"');
  expect(only({ assignee: '712020:ana' })).toBe('project = "OPS" AND assignee = "712020:ana"');
  expect(only({ priority: 'P2' })).toBe('project = "OPS" AND priority = "P2"');
  expect(buildJql({ project: 'OPS' }, scope, 'priority')).toContain('ORDER BY priority DESC, created ASC');
  expect(buildJql({ project: 'OPS' }, scope, 'updated')).toContain('ORDER BY updated DESC');
});

test('a query without a project is limited to the known projects', () => {
  expect(buildJql({}, scope)).toBe('project IN ("OPS", "PAY")');
  expect(buildJql({ priority: 'P1' }, { ...scope, projects: [] })).toBe(
    'project IS NOT EMPTY AND priority = "Highest"',
  );
});

test('no value can end its string: not with quotes, backslashes or control characters', () => {
  expect(jqlString('a" OR project = "PAY')).toBe('"a\\" OR project = \\"PAY"');
  expect(jqlString('back\\slash"')).toBe('"back\\\\slash\\""');
  expect(jqlString('a\nb\u0000c\u202Ed\u2028e')).toBe('"a bc d e"'.replace('bc', 'b c'));
  expect(buildJql({ project: 'OPS', label: '") OR (project = PAY' }, scope)).toBe(
    'project = "OPS" AND labels = "\\") OR (project = PAY"',
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (value) => {
      const inner = jqlString(value).slice(1, -1);
      expect(inner.replace(/\\["\\]/g, '')).not.toMatch(/["\\\p{Cc}]/u);
    }),
  );
});

test('search words lose the text-search operators and keep their letters', () => {
  expect(jqlWords('login AND (5xx OR "500")* ~boost^2')).toBe('"login and 5xx or 500 boost 2"');
  expect(jqlWords('Zahlung fällt aus: ana@acme.example')).toBe('"zahlung fällt aus ana@acme.example"');
  expect(jqlWords('"" *** ()')).toBeNull();
  expect(() => buildJql({ project: 'OPS', text: '***' }, scope)).toThrowError(/no word/);
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (value) => {
      expect(jqlWords(value) ?? '""').toMatch(/^"[^"\\+\-&|!(){}[\]^~*?:]*"$/u);
    }),
  );
});

test('a window is a duration of fixed length, and anything else is refused', () => {
  const said = ['PT45M', 'PT30M', 'PT1H', 'P2D', 'P1W', 'PT90S', 'P1DT12H', 'PT24H'].map((iso) =>
    jqlPeriod(iso, 'window'),
  );
  expect(said).toEqual(['45m', '30m', '1h', '2d', '1w', '2m', '36h', '1d']);
  for (const bad of ['', 'P', 'PT', 'P1M', 'P1Y', 'PT0S', '2 moons', '-PT5M', 'PT5M OR 1=1']) {
    expect(() => jqlPeriod(bad, 'older_than')).toThrowError(
      expect.objectContaining({
        code: 'bad_window',
        message: expect.stringMatching(/^The argument older_than /),
      }),
    );
  }
});

test("a start is a calendar word or a date; near days are relative to Jira's today, and nonsense is refused", () => {
  const since = (word: string, here = { now, zone: 'UTC' }) =>
    jqlTimes('created', { since: word }, here).join(' AND ').replace('created >= ', '');
  expect(since('today')).toBe('startOfDay()');
  expect(since('Yesterday')).toBe('startOfDay("-1d")');
  expect(since('monday')).toBe('startOfDay("-1d")');
  expect(since('last wednesday')).toBe('startOfDay("-6d")');
  expect(since('tuesday')).toBe('startOfDay()');
  expect(since('since this week')).toBe(since('week'));
  expect(since('last week')).toBe('startOfDay("-8d")');
  expect(since('this month')).toBe('startOfDay("-9d")');
  expect(since('last month')).toBe('"2026-02-01"');
  expect(since('midnight')).toBe('startOfDay()');
  expect(since('last night')).toBe('"2026-03-09 18:00"');
  expect(since('this afternoon')).toBe('"2026-03-10 12:00"');
  expect(since('weekend')).toBe('startOfDay("-3d")');
  expect(since('last december')).toBe('"2025-12-01"');
  expect(since('this quarter')).toBe('"2026-01-01"');
  expect(since('14:05')).toBe('"2026-03-09 14:05"');
  expect(since('yesterday 14:05')).toBe('"2026-03-09 14:05"');
  expect(since('2026-03-01')).toBe('"2026-03-01"');
  expect(since('2026-03-01T09:30+02:00')).toBe('"2026-03-01 07:30"');
  expect(since('2026-03-01T09:30+02:00', { now, zone: 'Europe/Madrid' })).toBe('"2026-03-01 08:30"');
  expect(since('13:30', { now, zone: 'Europe/Madrid' })).toBe('"2026-03-09 13:30"');
  for (const bad of [
    '2026-02-30',
    '25:00',
    'this sprint',
    '1 OR 1',
    'constructor',
    '2026-03-01" OR "',
    'friday 9',
  ])
    expect(() => since(bad), bad).toThrowError(
      expect.objectContaining({ code: 'bad_time', message: expect.stringContaining('which time since') }),
    );
});

test('a day, week or month has a start and an end; for closed issues it is the time of closing', () => {
  const jql = (query: Parameters<typeof buildJql>[0]) =>
    buildJql({ project: 'OPS', ...query }, scope).slice(16);
  expect(jql({ during: 'yesterday' })).toBe('AND created >= startOfDay("-1d") AND created < startOfDay()');
  expect(jql({ during: 'today' })).toBe('AND created >= startOfDay() AND created < startOfDay("1d")');
  expect(jql({ during: 'last week', status: 'closed' })).toBe(
    'AND statusCategory = Done AND resolved >= startOfDay("-8d") AND resolved < startOfDay("-1d")',
  );
  expect(jql({ during: 'in october' })).toBe('AND created >= "2025-10-01" AND created < "2025-11-01"');
  expect(jql({ during: '2026-03-05' })).toBe('AND created >= "2026-03-05" AND created < "2026-03-06"');
  expect(jql({ during: 'last night' })).toBe(
    'AND created >= "2026-03-09 18:00" AND created < "2026-03-10 06:00"',
  );
  expect(jql({ since: 'monday', until: 'wednesday' })).toBe(
    'AND created >= startOfDay("-8d") AND created < startOfDay("-6d")',
  );
  expect(() => jql({ since: 'tomorrow' })).toThrow('is empty');
  expect(() => jql({ during: 'yesterday 14:00' })).toThrow('is one moment');
});
