/** Why: a vendor merges two simultaneous pages; the second one's text is added, or reported as missing. */
import { beforeEach, expect, test } from 'vitest';
import { VendorError } from '../../src/core/errors.ts';
import type { WriteTool } from '../../src/core/tool.ts';
import * as runs from '../../src/store/runs.ts';
import { openTestRunner } from '../support/runner.ts';
import { approvedRun, planOf } from '../support/runs.ts';
import { auditRows, minutes, TEAM, writeRows } from '../support/store.ts';

const use = openTestRunner();

beforeEach(async () => {
  await use.db().deleteFrom('writes').execute();
});

const plan = planOf([{ id: 'page', tool: 'pagerduty.page', why: 'x', args: { service: 'ops', text: 'x' } }]);
const taken = { dedup_key: 'cs-ops-1', state: 'accepted', joined: false, noted: false };
const merged = { ...taken, state: 'triggered', incident: 'Q1', name: '#1', joined: true };

/** A PagerDuty that merged the page into an older incident. Returns the approvers named in the additions. */
function pagesMerge(complete: (nth: number) => Promise<void> = async () => {}): string[] {
  const known = use.tools.get('pagerduty.page');
  if (known?.effect !== 'write') throw new Error('it writes');
  const said: string[] = [];
  const tool: WriteTool = {
    ...known.tool,
    run: async () => taken,
    find: async () => merged,
    async complete(_args, result, { origin }) {
      said.push(origin.approver);
      await complete(said.length);
      return { ...result, noted: true };
    },
  };
  use.tools.set('pagerduty.page', { effect: 'write', tool });
  return said;
}

test("a merged page's text is added once, with its own permission and audit line", async () => {
  const said = pagesMerge();
  const key = await approvedRun(use.db(), 'merged', plan);
  const { outcome, results } = await use.run(key);
  expect(outcome).toBe('done');
  expect(said).toEqual(['@chiara']);
  expect(results.get('page')).toMatchObject({ status: 'succeeded', result: { joined: true, noted: true } });
  const lines = await auditRows(use.db(), TEAM, `run:${key.runId}`);
  expect(lines.map(({ kind }) => kind).toReversed()).toEqual([
    ...['run.started', 'write.intended', 'write.made', 'write.found'],
    ...['write.intended', 'write.completed', 'run.finished'],
  ]);
  // It paged nobody, so no cap counts it.
  expect(await writeRows(use.db(), key.runId)).toMatchObject([
    { state: 'made', attempts: 1, evidence: { result: { joined: true, noted: true } } },
  ]);
});

test("nothing is added after a stop, and the step's note says what is missing and why", async () => {
  const said = pagesMerge();
  const key = await approvedRun(use.db(), 'stopped', plan);
  const known = use.tools.get('pagerduty.page');
  if (known?.effect !== 'write') throw new Error('it writes');
  const find: WriteTool['find'] = async () => {
    await runs.requestCancel(use.second(), { ...key, by: 'U0ANA', at: minutes(2), reason: '' });
    return merged;
  };
  use.tools.set('pagerduty.page', { effect: 'write', tool: { ...known.tool, find } });
  const { results } = await use.run(key);
  expect(said).toEqual([]);
  expect(results.get('page')).toMatchObject({ status: 'succeeded', result: { joined: true, noted: false } });
  expect(results.get('page')?.notes?.join()).toMatch(/its own words could not be added: .*@ana/);
});

test('a vendor that is briefly away is asked again, and a longer outage does not fail the page', async () => {
  const away = new VendorError('http_503', 'PagerDuty is away.', { retryable: true, mayHaveHappened: true });
  const said = pagesMerge(async (nth) => {
    if (nth === 1) throw away;
  });
  const first = await use.run(await approvedRun(use.db(), 'away', plan));
  expect(said).toHaveLength(2);
  expect(first.results.get('page')).toMatchObject({ result: { noted: true } });
  pagesMerge(() => Promise.reject(away));
  const second = await use.run(await approvedRun(use.db(), 'stays-away', plan));
  expect(second.outcome).toBe('done');
  expect(second.results.get('page')?.notes?.join()).toContain('could not be added: PagerDuty is away.');
});
