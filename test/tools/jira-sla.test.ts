import { expect, test } from 'vitest';
import type { Readers } from '../../src/core/ports.ts';
import type { IssueRow, IssueSla } from '../../src/vendors/jira/port.ts';
import { jiraSla } from '../../tools/read/jira.sla.ts';
import { partly, vendorsWith } from '../support/vendors.ts';

/** A Tuesday. */
const now = new Date('2026-03-10T12:00:00Z');
const hour = 3_600_000;
const ago = (hours: number) => new Date(now.getTime() - hours * hour);

function issue(number: number, hours: number, changes: Partial<IssueRow> = {}): IssueRow {
  return {
    ...{ key: `PAY-${number}`, summary: `Ticket ${number}`, status: 'To Do', done: false, isRequest: false },
    ...{ priority: 'P1', assignee: '', created: ago(hours), updated: ago(hours), resolved: null },
    url: `https://acme.example/browse/PAY-${number}`,
    ...changes,
  };
}

function contextWith(
  issues: readonly IssueRow[],
  slas: Record<string, IssueSla[] | null> = {},
  total?: number,
) {
  const where = { jql: '', url: '' };
  const jira = partly<Readers['jira']>({
    search: async () => ({ issues: [...issues], more: total !== undefined, ...where }),
    count: async () => ({ total: total ?? issues.length, approximate: false, ...where }),
    slas: async (key) => slas[key] ?? null,
    issue: async (key) => {
      const found = issues.find((one) => one.key === key);
      if (found === undefined) throw new Error('no such issue');
      const more = { type: 'Bug', reporter: '', labels: [], components: [], description: '' };
      return { ...found, ...more, comments: { total: 0, latest: null } };
    },
  });
  const sla = partly<Readers['sla']>({
    resolution: (_project, priority) => (priority === 'P1' ? { ms: 4 * hour, hours: null } : null),
  });
  const readers = vendorsWith<Readers>({ jira, sla });
  return { readers, now: () => now, asker: 'U0ANA', signal: new AbortController().signal };
}

function cycle(changes: Partial<IssueSla>): IssueSla {
  const usual = { running: true, paused: false, breached: false, goalMs: 4 * hour, leftMs: 2 * hour };
  return { name: 'Time to resolution', breachAt: new Date(now.getTime() + 2 * hour), ...usual, ...changes };
}

test('tickets are held against the agreed time, least time left first, and what has none is left out', async () => {
  const issues = [issue(1, 6), issue(2, 3.5), issue(3, 1), issue(4, 100, { priority: 'P3' })];
  const all = await jiraSla.run({ project: 'PAY' }, contextWith(issues));
  expect(all).toMatchObject({ state: 'breached', total: 2, keys: ['PAY-1', 'PAY-2'], minutes_left: -120 });
  expect(all.rows.map(({ state, left }) => `${state}, ${left}`)).toEqual([
    'breached, 2 hours over',
    'at risk, 30 minutes left',
  ]);
  expect(all.rows[1]?.due).toBe('2026-03-10T12:30:00.000Z');
  const state = async (asked: 'breached' | 'at_risk' | 'ok') =>
    (await jiraSla.run({ project: 'PAY', state: asked }, contextWith(issues))).keys;
  expect(await state('breached')).toEqual(['PAY-1']);
  expect(await state('at_risk')).toEqual(['PAY-2']);
  expect(await state('ok')).toEqual(['PAY-3']);
  const soon = await jiraSla.run({ project: 'PAY', within: 'PT3H' }, contextWith(issues));
  expect(soon.keys).toEqual(['PAY-2', 'PAY-3']);
  const none = await jiraSla.run({ project: 'PAY' }, contextWith(issues.slice(3)));
  expect(none).toMatchObject({ state: 'none', total: 0, rows: [] });
  expect(jiraSla.manifest.outcome?.(none, { project: 'PAY' }, [])).toBe(
    'no SLA is agreed for the open tickets in PAY',
  );
});

test("Service Management's own SLA counts where it has one, the one with least time left first", async () => {
  const request = issue(1, 100, { isRequest: true });
  const clocks = [cycle({}), cycle({ name: 'Time to first response', leftMs: 600_000 })];
  const one = (slas: IssueSla[] | null) =>
    jiraSla.run({ key: 'PAY-1' }, contextWith([request], { 'PAY-1': slas }));
  const risky = await one(clocks);
  expect(risky).toMatchObject({ state: 'at_risk', total: 1, minutes_left: 10 });
  expect(risky.rows[0]).toMatchObject({ sla: 'Time to first response', left: '10 minutes left' });
  expect(jiraSla.manifest.outcome?.(risky, { key: 'PAY-1' }, [])).toBe(
    'PAY-1 is at risk of breaching its SLA, 10 minutes left',
  );
  const paused = await one([cycle({ paused: true, breachAt: null })]);
  expect(paused).toMatchObject({ state: 'ok', total: 0 });
  expect(paused.rows[0]).toMatchObject({ state: 'within its SLA, paused', due: '' });
  // A ticket that is done is neither late nor at risk, unless it was.
  expect(await one([cycle({ running: false, leftMs: 1 })])).toMatchObject({ state: 'ok' });
  expect(await one([cycle({ running: false, leftMs: -1, breached: true })])).toMatchObject({
    state: 'breached',
  });
  expect(await one(null)).toMatchObject({ state: 'breached', minutes_left: -96 * 60 });
  expect((await one(null)).rows[0]?.sla).toBe('resolve_within');
});

test('when there are more open tickets than are looked at, that is said', async () => {
  const found = await jiraSla.run({ project: 'PAY' }, contextWith([issue(1, 6)], {}, 340));
  expect(found).toMatchObject({ checked: 1, open: 340 });
  expect(jiraSla.manifest.outcome?.(found, { project: 'PAY' }, [])).toBe(
    '1 of the 1 oldest of 340 open tickets in PAY is over its SLA or at risk of it: PAY-1, 2 hours over',
  );
});

test('a time that means nothing is refused before anything is asked', async () => {
  const asked = jiraSla.run({ project: 'PAY', within: 'soon' }, contextWith([]));
  await expect(asked).rejects.toMatchObject({
    code: 'bad_within',
    message: expect.stringMatching(/argument within/),
  });
});
