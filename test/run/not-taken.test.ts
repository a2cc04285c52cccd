import { beforeEach, expect, test } from 'vitest';
import { VendorError } from '../../src/core/errors.ts';
import { killSwitchName } from '../../src/core/run.ts';
import * as runs from '../../src/store/runs.ts';
import * as switches from '../../src/store/switches.ts';
import { openTestRunner } from '../support/runner.ts';
import { approvedRun, planOf, slaPlan } from '../support/runs.ts';
import { auditRows, givenIntent, minutes, TEAM, writeRows } from '../support/store.ts';

const use = openTestRunner();

beforeEach(async () => {
  await use.db().deleteFrom('writes').execute();
});

function busy(retryAfterMs?: number) {
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
  const about = { retryable: true, mayHaveHappened: false, ...wait };
  return new VendorError('rate_limited', 'PagerDuty asked the bot to wait.', about);
}

/** The vendor rejects the first attempts; `meanwhile` is called before each answer. */
function turnAway(
  times: number,
  error: () => Error,
  meanwhile: (count: number) => Promise<void> = async () => {},
) {
  const asked: string[] = [];
  use.vendors().behaviour.beforePage = async ({ dedupKey }) => {
    asked.push(dedupKey);
    await meanwhile(asked.length);
    if (asked.length <= times) throw error();
  };
  return asked;
}

async function linesOf(runId: string): Promise<string[]> {
  const lines = await auditRows(use.db(), TEAM, `run:${runId}`);
  return lines.map(({ kind }) => kind).reverse();
}

test('a rate-limited page is resent after the requested pause, under its key, with a line per attempt', async () => {
  const asked = turnAway(2, () => busy(7_000));
  const key = await approvedRun(use.db(), 'waits', slaPlan());
  const { outcome, results } = await use.run(key);
  expect(outcome).toBe('done');
  expect(asked).toEqual(Array(3).fill(`cs-${key.runId}-page`));
  expect(use.vendors().pages).toHaveLength(1);
  expect(use.slept.filter((ms) => ms >= 7_000)).toEqual([7_000, 7_000]);
  expect(results.get('page')).toMatchObject({
    status: 'succeeded',
    attempts: 3,
    notes: ['PagerDuty did not take it at first: PagerDuty asked the bot to wait.'],
  });
  expect(await linesOf(key.runId)).toEqual([
    'run.started',
    'write.intended',
    'write.not_taken',
    'write.intended',
    'write.not_taken',
    'write.intended',
    'write.made',
    'write.found',
    'run.finished',
  ]);
});

test('retries are limited in number and time, and then the step fails and says so', async () => {
  const asked = turnAway(99, () => busy());
  const often = await approvedRun(use.db(), 'often', slaPlan());
  const { results, outcome } = await use.run(often);
  expect(asked).toHaveLength(8);
  expect(outcome).toBe('partly');
  expect(results.get('page')).toMatchObject({ status: 'failed', attempts: 8 });
  expect(results.get('page')?.reason?.message).toBe('PagerDuty asked the bot to wait. It was tried 8 times.');
  expect((await writeRows(use.db(), often.runId)).map(({ state }) => state)).toEqual(['failed']);

  const slow = turnAway(99, () => busy(25_000));
  const { results: later } = await use.run(await approvedRun(use.db(), 'slow', slaPlan()));
  expect(slow).toHaveLength(3);
  expect(later.get('page')?.reason?.message).toContain('It was tried 3 times.');

  const far = turnAway(99, () => busy(61_000));
  const { results: never } = await use.run(await approvedRun(use.db(), 'far', slaPlan()));
  expect(far).toHaveLength(1);
  expect(never.get('page')?.reason?.message).toBe('PagerDuty asked the bot to wait.');

  const hopeless = { retryable: false, mayHaveHappened: false };
  const no = turnAway(99, () => new VendorError('refused', 'PagerDuty did not accept it.', hopeless));
  await use.run(await approvedRun(use.db(), 'no', slaPlan()));
  expect(no).toHaveLength(1);
  expect(use.vendors().pages).toEqual([]);
});

test('kill switch, cancel, changed bytes, expiry and a changed on-call are also checked after the pause', async () => {
  const kill = { teamId: TEAM, name: killSwitchName, actor: 'U0ANA', reason: 'storm', at: minutes(2) };
  const targets = [
    {
      ...{ step: 'page', arg: 'service', kind: 'service' as const, value: 'ops', identity: 'PANA01' },
      label: 'pages Ana Ruiz, on call for ops',
    },
  ];
  const ben = { id: 'PBEN01', name: 'Ben Okafor', email: '', level: 1, until: null };
  const meanwhile: Record<string, (runId: string) => Promise<unknown>> = {
    kill_switch: () => switches.set(use.second(), { ...kill, isOn: true }),
    cancelled: (runId) =>
      runs.requestCancel(use.second(), { teamId: TEAM, runId, by: 'U0ANA', at: minutes(2), reason: '' }),
    digest_mismatch: () =>
      use
        .second()
        .updateTable('revisions')
        .set({ bytes: '{}' })
        .where('requestId', '=', 'digest_mismatch')
        .execute(),
    expired: async () => use.at(minutes(31)),
    target_moved: async () => {
      use.vendors().behaviour.oncall = async () => [ben];
    },
  };
  for (const [code, happens] of Object.entries(meanwhile)) {
    use.at(minutes(2));
    const key = await approvedRun(use.db(), code, slaPlan(), { targets });
    const asked = turnAway(
      1,
      () => busy(),
      async () => void (await happens(key.runId)),
    );
    const { results } = await use.run(key);
    expect(results.get('page')?.reason?.code).toBe(code);
    expect(results.get('page')?.attempts).toBe(1);
    expect(asked).toHaveLength(1);
    const [row] = await writeRows(use.db(), key.runId);
    expect(row?.state).toBe('failed');
    await switches.set(use.db(), { ...kill, isOn: false });
  }
  expect(use.vendors().pages).toEqual([]);
});

test('an intent left by a process that died in the pause is looked up and made under the same key', async () => {
  const alone = planOf([
    { id: 'page', tool: 'pagerduty.page', why: 'x', args: { service: 'ops', text: 'x' } },
  ]);
  const run = await approvedRun(use.db(), 'died', alone);
  const key = `cs-${run.runId}-page`;
  const about = { teamId: TEAM, runId: run.runId, stepId: 'page', tool: 'pagerduty.page', at: minutes(2) };
  await givenIntent(use.db(), { ...about, key, targets: ['service:ops'] });
  const asked = turnAway(1, () => busy());
  expect((await use.run(run)).outcome).toBe('done');
  expect(asked).toEqual([key, key]);
  expect(use.vendors().pages).toHaveLength(1);
});

test('a post to Slack is retried by the same rules', async () => {
  let count = 0;
  use.vendors().behaviour.beforePost = async () => {
    count += 1;
    if (count === 1) throw busy(3_000);
  };
  const post = { id: 'post', tool: 'slack.post', why: 'x', args: { channel: '#ops', text: 'x' } };
  const { outcome } = await use.run(await approvedRun(use.db(), 'post', planOf([post])));
  expect(outcome).toBe('done');
  expect(count).toBe(2);
  expect(use.slept).toContain(3_000);
});
