import { expect, test } from 'vitest';
import { JiraRefusal } from '../../sandbox/jira/errors.ts';
import { searchIssues } from '../../sandbox/jira/jql/search.ts';
import { JiraStore } from '../../sandbox/jira/store.ts';
import { world } from '../../sandbox/world.ts';

const now = new Date('2026-03-10T12:00:00Z');

function person(name: string) {
  const user = new JiraStore(world, () => now).users.find((one) => one.accountId === `712020:${name}`);
  if (user === undefined) throw new Error(`no user ${name}`);
  return user;
}

/** Eight issues made by hand, so that every expectation below can be read off this table. */
function scope() {
  const store = new JiraStore(world, () => now);
  const reporter = person('eva');
  const before = store.issues().length;
  const make = (
    project: string,
    priority: 'P1' | 'P2' | 'P3',
    status: 'To Do' | 'In Progress' | 'Blocked' | 'Done',
    summary: string,
    hoursAgo: number,
    assignee: string | null,
    labels: string[] = [],
  ) =>
    store.create({
      project,
      priority,
      status,
      summary,
      labels,
      reporter,
      assignee: assignee === null ? null : person(assignee),
      created: new Date(now.getTime() - hoursAgo * 3_600_000),
    });
  make('OPS', 'P1', 'To Do', 'Queue "orders" is stuck', 1, 'ana', ['queue']);
  make('OPS', 'P1', 'In Progress', 'Disk is full', 5, 'ben', ['disk', 'urgent']);
  make('OPS', 'P2', 'Blocked', 'Gateway certificate', 30, null);
  make('OPS', 'P3', 'Done', 'Rotate the keys', 60, 'ana');
  make('PAY', 'P1', 'To Do', 'Payments time out', 2, 'ben');
  make('PAY', 'P2', 'Done', 'Refund page typo', 200, null);
  make('WEB', 'P2', 'To Do', 'Search page is slow', 20, 'dev', ['urgent']);
  make('WEB', 'P3', 'In Progress', 'Slow images', 10, 'dev');
  const issues = store.issues().slice(before);
  return { store, find: (jql: string) => searchIssues(jql, options(store, issues)) };
}

function options(store: JiraStore, issues = store.issues()) {
  return { projects: world.jira.projects, users: store.users, currentUser: person('ana'), now, issues };
}

function summaries(jql: string): string[] {
  return scope()
    .find(jql)
    .map((issue) => issue.summary)
    .sort();
}

function refusal(jql: string): string {
  try {
    scope().find(jql);
  } catch (error) {
    if (error instanceof JiraRefusal) return error.message;
    throw error;
  }
  throw new Error(`${jql} was accepted`);
}

test('a query finds by every operator, with brackets, precedence and quoted values', () => {
  expect(summaries('project = OPS AND priority = P1')).toEqual(['Disk is full', 'Queue "orders" is stuck']);
  expect(summaries('project = Operations and priority = 1 and status = "To Do"')).toEqual([
    'Queue "orders" is stuck',
  ]);
  expect(summaries('project in (PAY, "Web shop") AND status != Done')).toEqual([
    'Payments time out',
    'Search page is slow',
    'Slow images',
  ]);
  expect(summaries('project = WEB OR project = PAY AND statusCategory = Done')).toHaveLength(3);
  expect(summaries('(project = WEB OR project = PAY) AND statusCategory = Done')).toEqual([
    'Refund page typo',
  ]);
  expect(summaries('NOT statusCategory != Done && project = OPS')).toEqual(['Rotate the keys']);
  expect(summaries('priority > P3 AND status NOT IN (Done, Blocked) AND project != OPS')).toEqual([
    'Payments time out',
    'Search page is slow',
  ]);
  expect(summaries('priority <= P2 AND project = OPS')).toEqual(['Gateway certificate', 'Rotate the keys']);
  expect(summaries("labels = urgent and project = 'WEB'")).toEqual(['Search page is slow']);
});

test('empty fields are found only by asking for them, as in Jira', () => {
  expect(summaries('assignee is EMPTY')).toEqual(['Gateway certificate', 'Refund page typo']);
  expect(summaries('project = OPS AND assignee != 712020:ana')).toEqual(['Disk is full']);
  expect(summaries('assignee in (EMPTY, "dev@acme.example") and priority = P2')).toHaveLength(3);
  expect(summaries('assignee = currentUser() and resolution = Unresolved')).toEqual([
    'Queue "orders" is stuck',
  ]);
  expect(summaries('resolution is not empty')).toEqual(['Refund page typo', 'Rotate the keys']);
  expect(summaries('resolution != Done')).toEqual([]);
});

test('dates are relative, absolute or functions, and days are those of UTC', () => {
  expect(summaries('created >= -4h')).toEqual(['Payments time out', 'Queue "orders" is stuck']);
  expect(summaries('created < "-1d" and created > "-1w 1d"')).toEqual([
    'Gateway certificate',
    'Rotate the keys',
  ]);
  expect(summaries('created >= startOfDay() and project = WEB')).toEqual(['Slow images']);
  expect(summaries('created >= startOfDay(-1) and created <= endOfDay("-1d")')).toEqual([
    'Gateway certificate',
    'Search page is slow',
  ]);
  expect(summaries('created < "2026-03-09 07:00" and created > 2026-03-07')).toEqual([
    'Gateway certificate',
    'Rotate the keys',
  ]);
  expect(summaries('created < now() and created < startOfMonth()')).toEqual([]);
});

test('text is searched by words, phrases and word beginnings', () => {
  expect(summaries('summary ~ "slow"')).toEqual(['Search page is slow', 'Slow images']);
  expect(summaries('text ~ "page search"')).toEqual(['Search page is slow']);
  expect(summaries('summary ~ "\\"page search\\""')).toEqual([]);
  expect(summaries('summary ~ "pay*"')).toEqual(['Payments time out']);
  expect(summaries('summary !~ page and project = WEB')).toEqual(['Slow images']);
  expect(summaries('summary ~ "stu"')).toEqual([]);
});

test('results come in the order asked for', () => {
  const keys = (jql: string) =>
    scope()
      .find(jql)
      .map((issue) => issue.summary);
  expect(keys('project = OPS ORDER BY priority DESC, created ASC').slice(0, 2)).toEqual([
    'Disk is full',
    'Queue "orders" is stuck',
  ]);
  expect(keys('project = WEB order by created')[0]).toBe('Search page is slow');
  expect(keys('project = OPS ORDER BY resolved')[0]).toBe('Rotate the keys');
});

test.each([
  ['', 'Unbounded JQL queries are not allowed here. Please add a search restriction to your query.'],
  ['order by created DESC', 'Unbounded JQL queries are not allowed here.'],
  ['project = NOPE', "The value 'NOPE' does not exist for the field 'project'."],
  ['project = OPS AND status = open', "The value 'open' does not exist for the field 'status'."],
  ['assignee = nobody', "The value 'nobody' does not exist for the field 'assignee'."],
  ['key = OPS-9999', "An issue with key 'OPS-9999' does not exist for field 'key'."],
  ['colour = red', "Field 'colour' does not exist or you do not have permission to view it."],
  ['project = OPS order by colour', "Field 'colour' does not exist"],
  ['project ~ OPS', "The operator '~' is not supported by the 'project' field."],
  ['summary = disk', "The operator '=' is not supported by the 'summary' field."],
  ['project in OPS', "Operator 'in' does not support the non-list value"],
  ['project = (OPS, PAY)', "Operator '=' does not support the list value"],
  ['created > yesterday', "Date value 'yesterday' for field 'created' is invalid."],
  ['created > 2026-02-30', "Date value '2026-02-30' for field 'created' is invalid."],
  ['assignee = membersOf("sre")', "Unable to find JQL function 'membersOf(sre)'."],
  ['project OPS', "Expecting operator but got 'OPS'. The valid operators are '=', '!=', '<'"],
  [
    'project = ',
    'Expecting either a value, list or function before the end of the query. (line 1, character 11)',
  ],
  ['project = AND', "Expecting either a value, list or function but got 'AND'."],
  [
    'project = OPS priority = P1',
    "Expecting either 'OR' or 'AND' but got 'priority'. (line 1, character 15)",
  ],
  ['(project = OPS', "Expecting ')' before the end of the query."],
  ['and = 3', "'and' is a reserved JQL word."],
  ['assignee = ana@acme.example', "The character '@' is a reserved JQL character."],
  ['summary ~ "half', "The quoted string 'half' has not been completed."],
  ['summary ~ "bad \\q"', "'\\q' is an illegal JQL escape sequence."],
  [`${'('.repeat(60)}project = OPS${')'.repeat(60)}`, 'The query is nested too deeply.'],
  ['status WAS Done', 'History searches (WAS, CHANGED) are not supported'],
])('Jira refuses %j', (jql, message) => {
  expect(refusal(jql)).toContain(message);
});

test('the seed has 24 open P1 in OPS and 3 in PAY, and closing in bulk leaves the number asked for', () => {
  const store = new JiraStore(world, () => now);
  const count = (jql: string) => searchIssues(jql, options(store)).length;
  expect(count('project = OPS AND priority = P1 AND statusCategory != Done')).toBe(24);
  expect(count('project = PAY AND priority = P1 AND resolution = Unresolved')).toBe(3);
  expect(count('project = OPS AND statusCategory = Done')).toBeGreaterThan(5);

  expect(store.bulkClose('OPS', 'P1', 8)).toHaveLength(16);
  expect(count('project = OPS AND priority = P1 AND statusCategory != Done')).toBe(8);
  expect(count('project = OPS AND status = Resolved AND updated = now()')).toBe(16);

  store.reset();
  expect(count('project = OPS AND priority = P1 AND statusCategory != Done')).toBe(24);
});
