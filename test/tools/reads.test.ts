import { expect, test } from 'vitest';
import type { Readers } from '../../src/core/ports.ts';
import type { IssueQuery, IssueRow } from '../../src/vendors/jira/port.ts';
import { jiraCount } from '../../tools/read/jira.count.ts';
import { jiraSearch } from '../../tools/read/jira.search.ts';
import { pagerdutyIncidents } from '../../tools/read/pagerduty.incidents.ts';
import { slaThreshold } from '../../tools/read/sla.threshold.ts';
import { partly, vendorsWith } from '../support/vendors.ts';

const now = () => new Date('2026-03-10T12:00:00Z');

function contextWith(own: Partial<Readers>) {
  return { readers: vendorsWith<Readers>(own), now, asker: 'U0ANA', signal: new AbortController().signal };
}

function issue(number: number, changes: Partial<IssueRow> = {}): IssueRow {
  return {
    key: `OPS-${number}`,
    summary: `Ticket ${number}`,
    status: 'To Do',
    priority: 'P1',
    assignee: 'Ana Ruiz',
    done: false,
    isRequest: false,
    created: new Date('2026-03-10T10:30:00Z'),
    updated: new Date('2026-03-10T11:00:00Z'),
    resolved: null,
    url: `https://acme.example/browse/OPS-${number}`,
    ...changes,
  };
}

test('jira.count hands the filters over and gives what was counted, with the query cut visibly when it is long', async () => {
  const asked: IssueQuery[] = [];
  const count = async (query: IssueQuery) => {
    asked.push(query);
    const jql = query.project === 'OPS' ? 'short' : 'x'.repeat(3_000);
    return { total: 24, approximate: false, jql, url: `https://acme.example/issues/?jql=${jql}` };
  };
  const context = contextWith({ jira: partly<Readers['jira']>({ count }) });
  const args = { project: 'OPS', priority: 'P1', status: 'open', label_not: 'tech-debt' };
  expect(await jiraCount.run(args, context)).toEqual({
    ...{ total: 24, approximate: false, jql: 'short', link: 'https://acme.example/issues/?jql=short' },
  });
  expect(asked).toEqual([
    { project: 'OPS', priority: 'P1', status: 'open', labelNot: 'tech-debt', asker: 'U0ANA' },
  ]);
  const times = { older_than: 'P3D', not_updated_for: 'P1W', updated_within: 'PT2H', until: 'today' };
  await jiraCount.run({ ...times, updated_since: 'monday', assignee: 'me' }, context);
  expect(asked[1]).toEqual({
    ...{ olderThan: 'P3D', notUpdatedFor: 'P1W', updatedWithin: 'PT2H', until: 'today' },
    ...{ updatedSince: 'monday', assignee: 'me', asker: 'U0ANA' },
  });
  const { jql, link } = await jiraCount.run({}, context);
  expect(link).toBe('');
  expect(jql).toHaveLength(2_000);
  expect(jql.endsWith('…')).toBe(true);
  expect(jiraCount.manifest.result.safeParse(await jiraCount.run({}, context)).success).toBe(true);
});

test('jira.search lists keys and one line each, ages the first, and stays within its declared result', async () => {
  const asked: unknown[] = [];
  const where = { jql: 'project = "OPS"', url: 'https://acme.example/issues/?jql=1' };
  let issues: IssueRow[] = [];
  const search = async (_query: IssueQuery, options: unknown) => {
    asked.push(options);
    return { issues, more: issues.length === 50, ...where };
  };
  let total = 0;
  let approximate = false;
  const count = async () => ({ total, approximate, ...where });
  const context = contextWith({ jira: partly<Readers['jira']>({ count, search }) });
  const empty = await jiraSearch.run({ project: 'OPS' }, context);
  expect(empty).toEqual({
    ...{ total: 0, approximate: false, more: false, keys: [], rows: [], lines: '' },
    ...{ jql: where.jql, link: where.url },
  });
  expect(asked).toEqual([{ order: 'newest', limit: 20 }]);

  issues = [issue(1, { summary: 'Two\nlines \u202Eand a trick', assignee: '' }), issue(2, { priority: '' })];
  const two = await jiraSearch.run({ project: 'OPS', order: 'oldest', limit: 2 }, context);
  expect(two).toMatchObject({ total: 2, keys: ['OPS-1', 'OPS-2'], first: 'OPS-1', first_age_minutes: 90 });
  expect(two.rows[1]).toEqual({
    ...{ key: 'OPS-2', summary: 'Ticket 2', status: 'To Do', priority: '', assignee: 'Ana Ruiz' },
    ...{ age_minutes: 90, link: 'https://acme.example/browse/OPS-2' },
  });
  expect(two.lines).toBe(
    'OPS-1  Two lines and a trick  (To Do, P1, unassigned)\nOPS-2  Ticket 2  (To Do, Ana Ruiz)',
  );
  issues = Array.from({ length: 50 }, (_, at) => issue(1_000_000 + at, { summary: '😀'.repeat(200) }));
  // The count knows better than the search whether there are others behind the list.
  total = 50;
  expect(await jiraSearch.run({ project: 'OPS', limit: 50 }, context)).toMatchObject({
    more: false,
    total: 50,
  });
  [total, approximate] = [0, true];
  // Behind the list there are others, and the number is of all; an estimate that lags behind is no smaller than what is seen.
  const many = await jiraSearch.run({ project: 'OPS', limit: 50 }, context);
  expect(many).toMatchObject({ more: true, total: 51 });
  expect(jiraSearch.manifest.result.safeParse(many).error).toBeUndefined();
  expect(many.lines.isWellFormed()).toBe(true);
  [total, approximate] = [240, false];
  const words = {
    status: 'Waiting for somebody to look',
    priority: 'P1 and above all others',
    assignee: 'A'.repeat(90),
  };
  issues = issues.map((one) => ({ ...one, ...words }));
  const long = await jiraSearch.run({ project: 'OPS', limit: 50 }, context);
  expect(jiraSearch.manifest.result.safeParse(long).error).toBeUndefined();
  expect(long.total).toBe(240);
  const outcome = (result: typeof long) => jiraSearch.manifest.outcome?.(result, { project: 'OPS' }, []);
  expect(outcome(long)).toBe('50 of 240 tickets in OPS');
  const shown = /\n(\d+) of 240 shown$/.exec(long.lines)?.[1];
  expect(Number(shown)).toBe(long.lines.split('\n').length - 1);
  approximate = true;
  expect(outcome(await jiraSearch.run({ limit: 50 }, context))).toBe('50 of about 240 tickets in OPS');
});

test('incidents that were grouped are said to be a part where there are more', async () => {
  const incident = (nth: number) => ({
    ...({ id: `P${nth}`, number: nth, title: 'Slow', state: 'triggered', urgency: 'high', url: '' } as const),
    ...{ service: nth % 4 === 0 ? null : 'ops', serviceName: 'legacy', changedAt: '', changedBy: '' },
    createdAt: nth < 3 ? '2026-03-09T23:30:00Z' : '2026-03-10T10:30:00Z',
  });
  const all = Array.from({ length: 1_200 }, (_none, nth) => incident(nth + 1));
  const incidents: Readers['pagerduty']['incidents'] = async ({ limit }) => ({
    total: all.length,
    incidents: all.slice(0, limit),
  });
  const context = contextWith({
    pagerduty: partly<Readers['pagerduty']>({ incidents }),
    calendar: { zone: 'UTC' },
  });
  const { result: schema, outcome } = pagerdutyIncidents.manifest;
  const words = async (args: Parameters<typeof pagerdutyIncidents.run>[0]) => {
    const result = await pagerdutyIncidents.run(args, context);
    expect(schema.safeParse(result).error).toBeUndefined();
    return [outcome?.(result, args as Record<string, string>, []), result.ids.length, result.groups?.length];
  };
  expect(await words({ by: 'service' })).toEqual([
    '1,200 PagerDuty incidents, of the newest 1,000 by service: ops 750 (75 %), legacy 250 (25 %)',
    ...[50, 2],
  ]);
  expect(await words({ by: 'service', order: 'oldest', limit: 4, status: 'all' })).toEqual([
    '1,200 PagerDuty incidents, of the oldest 4 by service: ops 3 (75 %), legacy 1 (25 %)',
    ...[4, 2],
  ]);
  expect(await words({ by: 'day' })).toEqual([
    '1,200 PagerDuty incidents, of the newest 1,000 per day',
    ...[50, 2],
  ]);
  expect(await words({})).toEqual(['1,200 PagerDuty incidents', 20, undefined]);
});

test('sla.threshold gives the agreed limit, and an error where none is agreed: never a limit of 0', async () => {
  const threshold = (project: string, priority: string) =>
    project === 'OPS' && priority === 'P1' ? { maxOpen: 20, resolveWithin: 'PT4H' } : null;
  const context = contextWith({ sla: { threshold, resolution: () => null } });
  expect(await slaThreshold.run({ project: 'OPS', priority: 'P1' }, context)).toEqual({
    max_open: 20,
    resolve_within: '4 hours',
  });
  const run = async (args: { project?: string; priority?: string }) => slaThreshold.run(args, context);
  await expect(run({ project: 'OPS', priority: 'P2' })).rejects.toMatchObject({ code: 'sla_not_agreed' });
  await expect(run({ project: 'OPS' })).rejects.toMatchObject({ code: 'sla_scope' });
});
