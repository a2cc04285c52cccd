import { expect, test } from 'vitest';
import * as audit from '../../src/audit/chain.ts';
import { VendorError } from '../../src/core/errors.ts';
import * as revisions from '../../src/store/revisions.ts';
import * as runs from '../../src/store/runs.ts';
import * as steps from '../../src/store/steps.ts';
import { openTestRunner } from '../support/runner.ts';
import { approvedRun, planOf, proposed, slaPlan } from '../support/runs.ts';
import { auditRows, minutes, TEAM, writeRows } from '../support/store.ts';

const use = openTestRunner();

const down = (more: { retryAfterMs?: number } = {}) =>
  new VendorError('vendor_down', 'Jira had an error on its side (HTTP 503).', {
    retryable: true,
    mayHaveHappened: false,
    ...more,
  });

test('a breach is counted, compared and paged once, with the audit line first and every step reported', async () => {
  const key = await approvedRun(use.db(), 'breach', slaPlan());
  await revisions.setCard(use.db(), { ...key, requestId: 'breach', number: 1, channel: 'C0OPS', ts: '17.1' });
  use.linkThread(async ({ channel, ts }) => `https://acme.slack.com/${channel}/${ts}`);
  const lines: string[][] = [];
  use.vendors().behaviour.beforePage = async () => {
    const found = await auditRows(use.second(), TEAM, `run:${key.runId}`);
    lines.push(found.map(({ kind }) => kind).reverse());
  };
  const { outcome, results, events } = await use.run(key);
  expect(outcome).toBe('done');
  expect(use.vendors().pages).toEqual([
    expect.objectContaining({
      service: 'ops',
      dedupKey: 'cs-run-breach-1-page',
      summary: 'OPS has 24 open P1 tickets; the SLA allows 20',
      link: { href: 'https://acme.slack.com/C0OPS/17.1', text: 'Thread in Slack' },
    }),
  ]);
  expect(lines).toEqual([['run.started', 'write.intended']]);
  // The two reads run side by side, so only their order relative to the page is fixed.
  const told = events.map((event) => ('stepId' in event ? `${event.type} ${event.stepId}` : event.type));
  expect(told.toSorted()).toEqual([
    ...['finished', 'started'],
    ...['step_finished count', 'step_finished page', 'step_finished sla'],
    ...['step_started count', 'step_started page', 'step_started sla'],
  ]);
  expect(told.at(0)).toBe('started');
  expect(told.slice(-3)).toEqual(['step_started page', 'step_finished page', 'finished']);
  expect(events.at(-1)).toMatchObject({
    outcome: 'done',
    results: [{ stepId: 'count' }, {}, { stepId: 'page' }],
  });
  expect(results.get('page')).toMatchObject({
    status: 'succeeded',
    result: { state: 'triggered', incident: 'Q1' },
    attempts: 1,
  });
  expect(await writeRows(use.db(), key.runId)).toMatchObject([
    { state: 'made', targets: ['service:ops'], evidence: { result: { state: 'accepted' } } },
  ]);
  expect(await runs.get(use.db(), key)).toMatchObject({ state: 'finished', outcome: 'done' });
  const stored = await steps.stepResults(use.db(), TEAM, key.runId);
  expect(stored.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
  expect(await audit.verify(use.db(), TEAM)).toMatchObject({ ok: true });
  expect(await use.failures()).toEqual([]);
});

test('without a breach nothing is paged, and the reason gives the compared values', async () => {
  use.vendors().behaviour.count = async () => 18;
  const { outcome, results } = await use.run(await approvedRun(use.db(), 'calm', slaPlan()));
  expect(outcome).toBe('done');
  expect(use.vendors().pages).toEqual([]);
  expect(results.get('page')).toMatchObject({
    status: 'skipped',
    reason: { code: 'condition_false' },
    attempts: 0,
  });
  expect(results.get('page')?.reason?.message).toBe(
    'Not needed: its condition does not hold (P1 tickets in OPS: 18, the SLA limit for P1 in OPS: 20).',
  );
});

test('ten concurrent starts make one run', async () => {
  const key = await approvedRun(use.db(), 'ten', slaPlan());
  const ends = await Promise.all(Array.from({ length: 10 }, () => use.runner().run(key)));
  expect(new Set(ends)).toEqual(new Set(['done']));
  const { outcome, events } = await use.run(key);
  expect(use.vendors().pages).toHaveLength(1);
  expect(events.filter(({ type }) => type === 'finished')).toHaveLength(1);
  // It had ended, so there was nothing to do.
  expect(outcome).toBeNull();
});

test("a read is retried with growing pauses, respects the vendor's, and then reports what was wrong", async () => {
  let calls = 0;
  use.vendors().behaviour.count = async () => {
    calls += 1;
    if (calls < 3) throw down(calls === 2 ? { retryAfterMs: 7_000 } : {});
    return 24;
  };
  const { outcome, results } = await use.run(await approvedRun(use.db(), 'again', slaPlan()));
  expect(outcome).toBe('done');
  expect(results.get('count')).toMatchObject({ status: 'succeeded', attempts: 3 });
  expect(use.slept.filter((ms) => ms === 500 || ms === 7_000)).toEqual([500, 7_000]);

  use.vendors().behaviour.count = async () => {
    throw down();
  };
  const failed = await use.run(await approvedRun(use.db(), 'down', slaPlan()));
  expect(failed.outcome).toBe('partly');
  expect(failed.results.get('count')).toMatchObject({
    status: 'failed',
    attempts: 3,
    reason: { code: 'vendor_down', message: 'Jira had an error on its side (HTTP 503).' },
  });
  expect(failed.results.get('page')).toMatchObject({
    status: 'skipped',
    reason: { code: 'need_failed', message: 'Not started: “Count P1 tickets in OPS” did not succeed.' },
  });
  expect(use.vendors().pages).toHaveLength(1);
  expect(await use.failures()).toMatchObject([
    { runId: 'run-down-1', outcome: 'partly', plan: { summary: 'Check and page' } },
  ]);
});

test('a failed read stops every write, even one that does not need it, and no other read', async () => {
  const announce = {
    ...{ id: 'announce', tool: 'slack.post', why: 'they want to know', needs: [] },
    args: { channel: '#ops', text: 'The check runs.' },
  };
  for (const [name, slow] of [
    ['slow', true],
    ['quick', false],
  ] as const) {
    use.vendors().behaviour.count = async () => {
      if (slow) await new Promise((resolve) => setTimeout(resolve, 100));
      throw new VendorError('token_invalid', 'Jira says no.', { retryable: false, mayHaveHappened: false });
    };
    const plan = planOf([...slaPlan().steps, announce]);
    const { outcome, results } = await use.run(await approvedRun(use.db(), `stops-${name}`, plan));
    expect(outcome).toBe('partly');
    expect(results.get('sla')).toMatchObject({ status: 'succeeded' });
    expect(results.get('page')?.reason).toMatchObject({ code: 'need_failed' });
    expect(results.get('announce')?.reason).toEqual({
      code: 'run_stopped',
      message: 'Not started: “Count P1 tickets in OPS” went wrong and stopped the run.',
    });
  }
  expect(use.vendors().posts).toEqual([]);
});

test('a read that cannot recover is tried once: a refusal, a too long pause, an invalid result', async () => {
  const refused = new VendorError('token_invalid', 'Jira says the token is not valid.', {
    retryable: false,
    mayHaveHappened: false,
  });
  const cases: [string, () => number, string][] = [
    [
      'refused',
      () => {
        throw refused;
      },
      'token_invalid',
    ],
    [
      'patience',
      () => {
        throw down({ retryAfterMs: 90_000 });
      },
      'vendor_down',
    ],
    ['shape', () => -1, 'bad_result'],
    [
      'bug',
      () => {
        throw new TypeError('count is not a function');
      },
      'internal',
    ],
  ];
  for (const [id, count, code] of cases) {
    use.vendors().behaviour.count = async () => count();
    const { results } = await use.run(await approvedRun(use.db(), id, slaPlan()));
    expect(results.get('count')).toMatchObject({ status: 'failed', attempts: 1, reason: { code } });
  }
  expect(use.vendors().pages).toEqual([]);
});

test('a call that never answers times out: a read is retried, a page is looked up', async () => {
  for (const name of ['jira.count', 'pagerduty.page']) {
    const known = use.tools.get(name);
    if (known === undefined) throw new Error(`no tool ${name}`);
    const limits = { ...known.tool.manifest.limits, timeoutMs: 30 };
    const manifest = { ...known.tool.manifest, limits };
    if (known.effect === 'read') use.tools.set(name, { effect: 'read', tool: { ...known.tool, manifest } });
    else use.tools.set(name, { effect: 'write', tool: { ...known.tool, manifest } });
  }
  const never = () => new Promise<never>(() => {});
  use.vendors().behaviour.count = never;
  const read = await use.run(await approvedRun(use.db(), 'hung', slaPlan()));
  expect(read.results.get('count')).toMatchObject({
    attempts: 3,
    reason: { code: 'timeout', message: 'Jira did not answer within 30 ms.' },
  });
  use.vendors().behaviour.count = async () => 24;
  const told: boolean[] = [];
  use.vendors().behaviour.beforePage = async (_page, signal) => {
    signal.addEventListener('abort', () => told.push(true));
    await never();
  };
  const write = await use.run(await approvedRun(use.db(), 'hung-page', slaPlan()));
  expect(write.outcome).toBe('unknown');
  expect(write.results.get('page')).toMatchObject({ status: 'unknown', reason: { code: 'timeout' } });
  expect(told).toEqual(Array(8).fill(true));
});

test('with onError continue only dependants of the failed step are skipped, and onSkip decides on skipped needs', async () => {
  use.vendors().behaviour.count = async ({ label }) => {
    if (label === 'broken')
      throw new VendorError('refused', 'No.', { retryable: false, mayHaveHappened: false });
    return 3;
  };
  const read = (id: string, label: string, more: object = {}) => ({
    id,
    tool: 'jira.count',
    why: 'to know',
    args: { project: 'OPS', label },
    ...more,
  });
  const plan = planOf([
    read('bad', 'broken', { onError: 'continue' }),
    read('good', 'fine'),
    read('after_bad', 'x', { needs: ['bad'] }),
    read('last', 'x', { needs: ['after_bad'] }),
    read('never', 'x', { needs: ['good'], when: 'good.total > 100' }),
    read('after_never', 'x', { needs: ['never'] }),
    read('anyway', 'x', { needs: ['never'], onSkip: 'run' }),
    read('blind', 'x', { needs: ['never'], onSkip: 'run', when: 'never.total > 1' }),
  ]);
  const { outcome, results } = await use.run(await approvedRun(use.db(), 'skips', plan));
  const said = [...results].map(([id, { status, reason }]) => [id, status, reason?.code ?? null]);
  expect(Object.fromEntries(said.map(([id, ...rest]) => [id, rest]))).toEqual({
    bad: ['failed', 'refused'],
    good: ['succeeded', null],
    after_bad: ['skipped', 'need_failed'],
    last: ['skipped', 'need_failed'],
    never: ['skipped', 'condition_false'],
    after_never: ['skipped', 'need_skipped'],
    anyway: ['succeeded', null],
    blind: ['failed', 'stopped'],
  });
  expect(outcome).toBe('partly');
});

test('reads start as soon as their needs are done, and a write waits for every read that could stop it', async () => {
  const order: string[] = [];
  const second = Promise.withResolvers<void>();
  use.vendors().behaviour.count = async ({ label = '' }) => {
    order.push(label);
    // Ends only after a read behind another one has started: waves would wait here forever.
    if (label === 'slow') await second.promise;
    if (label === 'second') second.resolve();
    // Long enough for a write that does not wait to get ahead.
    if (label === 'second') for (let n = 0; n < 40; n += 1) await runs.openRuns(use.second());
    order.push(`${label} done`);
    return 1;
  };
  use.vendors().behaviour.beforePage = async () => {
    order.push('page');
  };
  const read = (id: string, needs: string[]) => ({
    id,
    tool: 'jira.count',
    why: 'to know',
    args: { project: 'OPS', label: id },
    needs,
  });
  const plan = planOf([
    { id: 'page', tool: 'pagerduty.page', why: 'now', args: { service: 'ops', text: 'Look' } },
    read('slow', []),
    read('first', []),
    read('second', ['first']),
    read('late', ['page']),
  ]);
  const { outcome } = await use.run(await approvedRun(use.db(), 'order', plan));
  expect(outcome).toBe('done');
  expect(order.slice(-3)).toEqual(['page', 'late', 'late done']);
  expect(order.slice(0, -3).toSorted()).toEqual(
    ['first', 'first done', 'second', 'second done', 'slow', 'slow done'].toSorted(),
  );
});

test('a missed criterion keeps a run from being done, and one in words is left to people', async () => {
  const plan = slaPlan({
    success: ['count.total < 10', 'words: Ana knows about it', 'page.dedup_key != ""'],
  });
  const { outcome, events } = await use.run(await approvedRun(use.db(), 'criteria', plan));
  expect(outcome).toBe('partly');
  expect(events.at(-1)).toMatchObject({
    criteria: [
      { step: null, source: 'count.total < 10', holds: false, why: null },
      { holds: null, why: 'it is in words, for people to judge' },
      { holds: null },
    ],
  });
  const strict = slaPlan();
  const [count, ...rest] = strict.steps;
  if (count === undefined) throw new Error('the plan has steps');
  const missed = { ...strict, steps: [{ ...count, success: ['count.total < 10'] }, ...rest] };
  const read = await use.run(await approvedRun(use.db(), 'strict', missed));
  expect(read.results.get('count')).toMatchObject({ status: 'failed', reason: { code: 'criterion_missed' } });
  expect(use.vendors().pages).toHaveLength(1);
});

test("a model's opinion, or its failure, does not change a run's outcome", async () => {
  const count = { id: 'count', tool: 'jira.count', why: 'x', args: { project: 'OPS' } };
  const plan = planOf([count], { success: ['words: Ana knows about it'] });
  use.judgeBy(async () => 'she was paged');
  const judged = await use.run(await approvedRun(use.db(), 'judged', plan));
  const criterion = { holds: null, why: 'opinion of the model: she was paged' };
  expect(judged.events.at(-1)).toMatchObject({ outcome: 'done', criteria: [criterion] });
  use.judgeBy(async () => {
    throw new Error('the costs of the call cannot be stored');
  });
  const { outcome, events } = await use.run(await approvedRun(use.db(), 'unjudged', plan));
  expect(outcome).toBe('done');
  const left = { holds: null, why: 'it is in words, for people to judge' };
  expect(events.at(-1)).toMatchObject({ type: 'finished', outcome: 'done', criteria: [left] });
});

test('a dry run reads for real, describes its writes, and writes nothing', async () => {
  const plan = planOf([
    ...slaPlan().steps,
    {
      id: 'tell',
      tool: 'slack.post',
      why: 'others too',
      needs: ['page'],
      args: { channel: '#ops', text: ['Paged: ', { ref: 'page.dedup_key' }] },
    },
    {
      id: 'note',
      tool: 'slack.post',
      why: 'others too',
      needs: ['page'],
      args: { channel: '#ops', text: 'Paged' },
    },
    {
      id: 'more',
      tool: 'jira.count',
      why: 'to know',
      needs: ['page'],
      when: 'page.dedup_key == "x"',
      args: { project: 'OPS' },
    },
  ]);
  await proposed(use.db(), 'dry', plan);
  const key = { teamId: TEAM, runId: 'dry-dry-1-1' };
  await runs.startDryRun(use.db(), { ...key, requestId: 'dry', number: 1, startedAt: minutes(2) });
  const { outcome, results, events } = await use.run(key);
  expect(outcome).toBe('done');
  expect(results.get('count')).toMatchObject({ status: 'succeeded', result: { total: 24 } });
  const previews = events.flatMap((event) => (event.type === 'step_finished' ? (event.preview ?? []) : []));
  expect(previews).toEqual([
    'would page the on-call of ops: “OPS has 24 open P1 tickets; the SLA allows 20”',
    'would post to #ops: “Paged”',
  ]);
  for (const id of ['page', 'note', 'tell', 'more']) {
    expect(results.get(id)).toMatchObject({ status: 'skipped', reason: { code: 'dry_run' } });
  }
  expect([use.vendors().pages, use.vendors().posts]).toEqual([[], []]);
  expect(await writeRows(use.db(), key.runId)).toEqual([]);
});

test('a broken run is resumed; one resumed too often is closed as unknown, with its known results', async () => {
  await use.db().deleteFrom('writes').execute();
  const key = await approvedRun(use.db(), 'broken', slaPlan());
  await use.run(key);
  const open = { state: 'running' as const, outcome: null, finishedAt: null };
  const reopen = async (entered: number) => {
    const broken = use
      .db()
      .updateTable('runs')
      .set({ ...open, entered });
    await broken.where('id', '=', key.runId).execute();
    // The first look only notes that nobody works on it.
    await use.look();
    expect((await runs.get(use.db(), key))?.entered).toBe(entered);
    await use.look();
  };
  await reopen(0);
  await expect.poll(async () => (await runs.get(use.db(), key))?.outcome).toBe('done');
  expect(use.vendors().pages).toHaveLength(1);

  use.events.length = 0;
  await reopen(21);
  use.at(minutes(3));
  await expect.poll(async () => (await runs.get(use.db(), key))?.outcome).toBe('unknown');
  const ending = { type: 'finished', runId: key.runId, outcome: 'unknown', reason: { code: 'broken' } };
  await expect.poll(() => use.events.at(-1)).toMatchObject(ending);
  // The results in its rows are reported with it.
  expect(use.events.at(-1)).toMatchObject({ results: [{ stepId: 'count', status: 'succeeded' }, {}, {}] });
});
