import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { VendorError } from '../../src/core/errors.ts';
import type { Plan } from '../../src/core/plan.ts';
import { seal } from '../../src/core/revision.ts';
import * as runs from '../../src/store/runs.ts';
import { openTestRunner } from '../support/runner.ts';
import { approvedRun, planOf, sealedOf, slaPlan } from '../support/runs.ts';
import { auditRows, endRun, givenIntent, minutes, TEAM, writeRows } from '../support/store.ts';

const use = openTestRunner();

beforeEach(async () => {
  await use.db().deleteFrom('writes').execute();
});

const lost = new VendorError('connection_lost', 'The connection broke.', {
  retryable: true,
  mayHaveHappened: true,
});
const pageStep = { id: 'page', tool: 'pagerduty.page', why: 'x', args: { service: 'ops', text: 'x' } };
const anaIsTarget = {
  ...{ step: 'page', arg: 'service', kind: 'service' as const, value: 'ops' },
  ...{ label: 'pages Ana Ruiz, on call for ops', identity: 'PANA01' },
};

async function stateOf(runId: string): Promise<string | undefined> {
  return (await writeRows(use.db(), runId))[0]?.state;
}

/** Changes several rows at once: the plan, its digest and its grant, all consistent. */
async function swapAll(id: string, plan: Plan): Promise<void> {
  const { bytes, digest } = seal(sealedOf(id, plan));
  await use.second().updateTable('revisions').set({ bytes, digest }).where('requestId', '=', id).execute();
  await use.second().updateTable('grants').set({ digest }).where('requestId', '=', id).execute();
}

test('a plan swapped together with its grant during the reads writes nothing, whatever was changed', async () => {
  const [count, sla, page] = slaPlan().steps;
  if (count === undefined || sla === undefined || page === undefined) throw new Error('three steps');
  const swaps = {
    'its-page': planOf([count, sla, { ...page, args: { ...page.args, text: 'Nothing to see.' } }]),
    'its-reads': planOf([{ ...count, args: { project: 'PAY' } }, sla, page]),
  };
  for (const [id, plan] of Object.entries(swaps)) {
    use.vendors().behaviour.count = async () => {
      await swapAll(id, plan);
      return 24;
    };
    const key = await approvedRun(use.db(), id, slaPlan());
    const { outcome, results } = await use.run(key);
    expect(results.get('page')?.reason?.code).toBe('digest_mismatch');
    expect(outcome).toBe('partly');
    expect(use.vendors().pages).toEqual([]);
    expect(await stateOf(key.runId)).toBeUndefined();
    const [line] = await auditRows(use.db(), TEAM, `revision:${id}/1`);
    expect(line).toMatchObject({ kind: 'revision.tampered', actor: 'system' });
    expect(JSON.parse(line?.data ?? '')).toMatchObject({
      run: key.runId,
      step: 'page',
      approved: key.digest,
    });
  }
});

test('a grant changed during the reads no longer counts for the plan', async () => {
  const key = await approvedRun(use.db(), 'other-yes', slaPlan());
  use.vendors().behaviour.count = async () => {
    const digest = 'f'.repeat(64);
    await use.second().updateTable('grants').set({ digest }).where('runId', '=', key.runId).execute();
    return 24;
  };
  const { results } = await use.run(key);
  expect(results.get('page')?.reason?.code).toBe('digest_mismatch');
  expect(use.vendors().pages).toEqual([]);
});

test('a grant deleted during the reads no longer counts', async () => {
  const key = await approvedRun(use.db(), 'no-yes', slaPlan());
  use.vendors().behaviour.count = async () => {
    await use.second().deleteFrom('grants').where('runId', '=', key.runId).execute();
    return 24;
  };
  const { results } = await use.run(key);
  expect(results.get('page')?.reason?.code).toBe('no_grant');
  expect(use.vendors().pages).toEqual([]);
});

test('an intent that appears just before our own is looked up instead of acted upon', async () => {
  const key = await approvedRun(use.db(), 'meanwhile', planOf([pageStep]), { targets: [anaIsTarget] });
  const { behaviour, pages } = use.vendors();
  const asked = behaviour.oncall;
  behaviour.oncall = async () => {
    // A process that just lost this run makes the page after all.
    const about = { teamId: TEAM, runId: key.runId, stepId: 'page', tool: 'pagerduty.page' };
    const dedupKey = `cs-${key.runId}-page`;
    await givenIntent(use.second(), { ...about, key: dedupKey, targets: ['service:ops'], at: minutes(2) });
    const page = { service: 'ops', dedupKey, summary: 'x', details: {}, mark: dedupKey, link: null };
    pages.push({ ...page, severity: 'critical' });
    return asked();
  };
  const { outcome, results } = await use.run(key);
  expect(outcome).toBe('done');
  expect(results.get('page')).toMatchObject({ status: 'succeeded', notes: ['found after a restart'] });
  expect(pages).toHaveLength(1);
});

test('a write in doubt stops later writes, and a step that runs after a skip does not run after a doubt', async () => {
  use.vendors().behaviour.beforePage = async () => {
    throw lost;
  };
  const post = { tool: 'slack.post', why: 'x', args: { channel: '#ops', text: 'They were paged.' } };
  const count = { id: 'count', tool: 'jira.count', why: 'x', args: { project: 'OPS' } };
  const later = planOf([pageStep, count, { ...post, id: 'post', needs: ['count'] }]);
  const stopped = await use.run(await approvedRun(use.db(), 'later', later));
  expect(stopped.results.get('post')).toMatchObject({ status: 'skipped', reason: { code: 'run_stopped' } });

  const after = planOf([
    { ...pageStep, onError: 'continue' },
    { ...post, id: 'post', needs: ['page'], onSkip: 'run' },
  ]);
  const missing = await use.run(await approvedRun(use.db(), 'after', after));
  expect(missing.results.get('page')?.status).toBe('unknown');
  expect(missing.results.get('post')).toMatchObject({ status: 'skipped', reason: { code: 'need_failed' } });
  expect(use.vendors().posts).toEqual([]);
});

test('a page that PagerDuty shows only at the third look counts as made', async () => {
  const { behaviour, pages } = use.vendors();
  let looks = 0;
  behaviour.beforePage = async (page) => {
    behaviour.beforeFind = async () => {
      looks += 1;
      if (looks === 3) pages.push(page);
    };
    throw lost;
  };
  const { outcome } = await use.run(await approvedRun(use.db(), 'slow', planOf([pageStep])));
  expect(outcome).toBe('done');
  expect(looks).toBe(3);
});

test('a page that went out but could not be stored is in doubt, never failed', async () => {
  await sql`alter table step_results add constraint full_disk
    check (tool <> 'pagerduty.page' or status = 'running') not valid`.execute(use.db());
  const { outcome, results } = await use.run(await approvedRun(use.db(), 'unstored', slaPlan()));
  await sql`alter table step_results drop constraint full_disk`.execute(use.db());
  expect(use.vendors().pages).toHaveLength(1);
  expect(outcome).toBe('unknown');
  expect(results.get('page')).toMatchObject({ status: 'unknown', reason: { code: 'broken' } });
  const [failure] = await use.failures();
  expect(failure?.results.find(({ stepId }) => stepId === 'page')).toMatchObject({ status: 'unknown' });
});

test('an argument filled from results is validated: an empty text is not sent', async () => {
  const oncall = { id: 'oncall', tool: 'pagerduty.oncall', why: 'x', args: { service: 'ops' } };
  const page = { ...pageStep, args: { service: 'ops', text: [{ ref: 'oncall.email' }] } };
  use.vendors().behaviour.oncall = async () => [
    { id: 'PANA01', name: 'Ana Ruiz', email: '', level: 1, until: null },
  ];
  const { results } = await use.run(await approvedRun(use.db(), 'empty', planOf([oncall, page])));
  expect(results.get('page')).toMatchObject({ status: 'failed', reason: { code: 'bad_argument' } });
  expect(use.vendors().pages).toEqual([]);
});

test('posts to a channel share a cap however its name is written, and so do messages to one person', async () => {
  const full = await approvedRun(use.db(), 'full', planOf([pageStep]));
  await endRun(use.db(), { ...full, outcome: 'done', at: minutes(2) });
  for (const target of ['channel:#ops', 'user:@ben']) {
    for (let count = 0; count < 30; count += 1) {
      const stepId = `s_${target.slice(0, 4)}_${count}`;
      const about = { teamId: TEAM, runId: full.runId, stepId, tool: 'slack.post', key: stepId };
      await givenIntent(use.db(), { ...about, targets: [target], at: minutes(1) });
    }
  }
  const post = (id: string, args: Record<string, string>) => ({
    ...{ id, tool: 'slack.post', why: 'x', onError: 'continue' as const },
    args: { ...args, text: 'x' },
  });
  const plan = planOf([
    post('bare', { channel: 'ops' }),
    post('marked', { channel: '#ops' }),
    post('person', { user: 'ben' }),
    post('other', { channel: '#general' }),
  ]);
  const { results } = await use.run(await approvedRun(use.db(), 'over', plan));
  const codes = [...results].map(([id, { reason }]) => [id, reason?.code ?? 'sent']);
  expect(Object.fromEntries(codes)).toEqual({
    bare: 'over_cap',
    marked: 'over_cap',
    person: 'over_cap',
    other: 'sent',
  });
});

test('the model that judges a criterion sees no result above its clearance', async () => {
  const known = use.tools.get('jira.count');
  if (known?.effect !== 'read') throw new Error('jira.count is a read');
  const manifest = { ...known.tool.manifest, yields: 'confidential' as const };
  use.tools.set('jira.count', { effect: 'read', tool: { ...known.tool, manifest } });
  const seen: unknown[] = [];
  use.judgeBy(async (_criterion, results) => {
    seen.push(results);
    return 'yes';
  });
  const [count, sla] = slaPlan().steps;
  if (count === undefined || sla === undefined) throw new Error('two reads');
  const plan = planOf([count, sla], { success: ['words: all is well'] });
  expect((await use.run(await approvedRun(use.db(), 'judged', plan))).outcome).toBe('done');
  expect(seen).toEqual([{ sla: { max_open: 20, resolve_within: '' } }]);
});

const serverError = () =>
  new VendorError('vendor_down', 'PagerDuty had an error on its side (HTTP 500).', {
    retryable: true,
    mayHaveHappened: true,
  });

/** Audit kinds of a run, oldest first. */
async function linesOf(runId: string): Promise<string[]> {
  return (await auditRows(use.db(), TEAM, `run:${runId}`)).map(({ kind }) => kind).reverse();
}

test('a page answered with a server error is sent again under its key, with an audit line per attempt', async () => {
  const asked: string[] = [];
  use.vendors().behaviour.beforePage = async ({ dedupKey }) => {
    asked.push(dedupKey);
    if (asked.length < 3) throw serverError();
  };
  const key = await approvedRun(use.db(), 'errors', planOf([pageStep]));
  const { outcome, results } = await use.run(key);
  expect(outcome).toBe('done');
  expect(asked).toEqual(Array(3).fill(`cs-${key.runId}-page`));
  expect(results.get('page')).toMatchObject({ status: 'succeeded', attempts: 3 });
  expect(results.get('page')?.notes?.join()).toContain('PagerDuty did not have it, so it was sent again');
  expect(await linesOf(key.runId)).toEqual([
    ...['run.started', 'write.intended', 'write.in_doubt', 'write.intended', 'write.in_doubt'],
    ...['write.intended', 'write.made', 'write.found', 'run.finished'],
  ]);
});

test('a stop between two attempts holds, and the first one is looked up', async () => {
  for (const [id, wasMade] of [
    ['stop-made', true],
    ['stop-lost', false],
  ] as const) {
    const { behaviour, pages } = use.vendors();
    const key = await approvedRun(use.db(), id, planOf([pageStep]));
    const asked: string[] = [];
    behaviour.beforePage = async (page) => {
      asked.push(page.dedupKey);
      if (wasMade) pages.push(page);
      await runs.requestCancel(use.second(), { ...key, by: 'U0ANA', at: minutes(2), reason: '' });
      throw serverError();
    };
    const { results } = await use.run(key);
    expect(asked).toHaveLength(1);
    expect(results.get('page')?.status).toBe(wasMade ? 'succeeded' : 'unknown');
    expect(await stateOf(key.runId)).toBe(wasMade ? 'made' : 'unknown');
  }
});

test('a page is not resent more than a minute after its first attempt', async () => {
  let asked = 0;
  use.vendors().behaviour.beforePage = async () => {
    asked += 1;
    use.at(minutes(3.1));
    throw serverError();
  };
  const { results } = await use.run(await approvedRun(use.db(), 'minute', planOf([pageStep])));
  expect(asked).toBe(1);
  expect(results.get('page')?.status).toBe('unknown');
});

test('a post in doubt is looked up, and sent again only if it is not there', async () => {
  const post = { id: 'post', tool: 'slack.post', why: 'x', args: { channel: '#ops', text: 'x' } };
  const { behaviour, posts } = use.vendors();
  let asked = 0;
  behaviour.beforePost = async () => {
    asked += 1;
    if (asked === 1) throw lost;
  };
  const again = await use.run(await approvedRun(use.db(), 'post-again', planOf([post])));
  expect(again.results.get('post')).toMatchObject({ status: 'succeeded', attempts: 2 });
  expect(posts).toHaveLength(1);

  behaviour.beforePost = async (message) => {
    posts.push(message);
    throw lost;
  };
  const found = await use.run(await approvedRun(use.db(), 'post-found', planOf([post])));
  expect(found.results.get('post')).toMatchObject({ status: 'succeeded', attempts: 1 });
  expect(posts).toHaveLength(2);
});

test('a write with no declared handling of doubt is left to people at once', async () => {
  const known = use.tools.get('pagerduty.page');
  if (known?.effect !== 'write') throw new Error('pagerduty.page is a write');
  const manifest = { ...known.tool.manifest, inDoubt: 'unknown' as const };
  let looks = 0;
  const find = async () => {
    looks += 1;
    return null;
  };
  use.tools.set('pagerduty.page', { effect: 'write', tool: { ...known.tool, manifest, find } });
  let asked = 0;
  use.vendors().behaviour.beforePage = async () => {
    asked += 1;
    throw lost;
  };
  const { results } = await use.run(await approvedRun(use.db(), 'left', planOf([pageStep])));
  expect(results.get('page')).toMatchObject({ status: 'unknown', attempts: 1 });
  const key = await approvedRun(use.db(), 'left-behind', planOf([pageStep]));
  const about = { teamId: TEAM, runId: key.runId, stepId: 'page', tool: 'pagerduty.page', at: minutes(2) };
  await givenIntent(use.db(), { ...about, key: `cs-${key.runId}-page`, targets: ['service:ops'] });
  expect((await use.run(key)).results.get('page')).toMatchObject({ reason: { code: 'interrupted' } });
  expect([asked, looks]).toEqual([1, 0]);
});

test('a write that is not found after a restart is left to people when absence proves nothing', async () => {
  const known = use.tools.get('pagerduty.page');
  if (known?.effect !== 'write') throw new Error('pagerduty.page is a write');
  const manifest = { ...known.tool.manifest, inDoubt: 'confirm' as const };
  use.tools.set('pagerduty.page', { effect: 'write', tool: { ...known.tool, manifest } });
  const key = await approvedRun(use.db(), 'not-shown', planOf([pageStep]));
  const about = { teamId: TEAM, runId: key.runId, stepId: 'page', tool: 'pagerduty.page', at: minutes(2) };
  await givenIntent(use.db(), { ...about, key: `cs-${key.runId}-page`, targets: ['service:ops'] });
  const { results } = await use.run(key);
  expect(results.get('page')).toMatchObject({ status: 'unknown', reason: { code: 'interrupted' } });
  expect(use.vendors().pages).toEqual([]);
});

test('a recent page of a dead process is resent under its key even if PagerDuty cannot be queried', async () => {
  const key = await approvedRun(use.db(), 'young', planOf([pageStep]));
  const about = { teamId: TEAM, runId: key.runId, stepId: 'page', tool: 'pagerduty.page', at: minutes(2) };
  await givenIntent(use.db(), { ...about, key: `cs-${key.runId}-page`, targets: ['service:ops'] });
  use.vendors().behaviour.beforeFind = async () => {
    throw new VendorError('vendor_down', 'PagerDuty is down.', { retryable: true, mayHaveHappened: false });
  };
  const { results } = await use.run(key);
  expect(use.vendors().pages).toHaveLength(1);
  expect(results.get('page')).toMatchObject({ status: 'succeeded', attempts: 2 });
  expect(results.get('page')?.notes?.[0]).toMatch(/could not be asked about it.*may have been paged twice/);
});

test('a page that PagerDuty could not be asked about before one repeat is still said to be perhaps twice after the next', async () => {
  const { behaviour } = use.vendors();
  let asked = 0;
  behaviour.beforePage = async () => {
    asked += 1;
    if (asked < 3) throw serverError();
  };
  behaviour.beforeFind = async () => {
    if (asked > 1) return;
    throw new VendorError('vendor_down', 'PagerDuty is down.', { retryable: true, mayHaveHappened: false });
  };
  const { results } = await use.run(await approvedRun(use.db(), 'perhaps-twice', planOf([pageStep])));
  expect(results.get('page')).toMatchObject({ status: 'succeeded', attempts: 3 });
  expect(results.get('page')?.notes).toEqual([
    expect.stringContaining('somebody may have been paged twice'),
    expect.stringContaining('PagerDuty did not have it, so it was sent again'),
  ]);
});

test('one failed look does not make a page in doubt go out again, nor that of a dead process', async () => {
  const { behaviour, pages } = use.vendors();
  let looks = 0;
  behaviour.beforeFind = async () => {
    looks += 1;
    if (looks % 2 === 1) throw new VendorError('lost', 'Lost.', { retryable: true, mayHaveHappened: false });
  };
  behaviour.afterPage = async () => {
    throw lost;
  };
  const alive = await use.run(await approvedRun(use.db(), 'look-failed', planOf([pageStep])));
  expect(alive.results.get('page')).toMatchObject({ status: 'succeeded', attempts: 1 });
  const key = await approvedRun(use.db(), 'look-failed-dead', planOf([pageStep]));
  const about = { teamId: TEAM, runId: key.runId, stepId: 'page', tool: 'pagerduty.page', at: minutes(1.5) };
  const dedupKey = `cs-${key.runId}-page`;
  await givenIntent(use.db(), { ...about, key: dedupKey, targets: ['service:ops'] });
  pages.push({
    ...{
      service: 'ops',
      dedupKey,
      mark: dedupKey,
      summary: 'x',
      severity: 'critical',
      details: {},
      link: null,
    },
  });
  looks = 0;
  const { results } = await use.run(key);
  expect(results.get('page')).toMatchObject({ status: 'succeeded', notes: ['found after a restart'] });
});

test("a dead process's post is unknown when Slack cannot be queried, however recent", async () => {
  const post = { id: 'post', tool: 'slack.post', why: 'x', args: { channel: '#ops', text: 'x' } };
  const key = await approvedRun(use.db(), 'young-post', planOf([post]));
  const about = { teamId: TEAM, runId: key.runId, stepId: 'post', tool: 'slack.post', at: minutes(2) };
  await givenIntent(use.db(), { ...about, key: `cs-${key.runId}-post`, targets: ['channel:#ops'] });
  const known = use.tools.get('slack.post');
  if (known?.effect !== 'write') throw new Error('slack.post is a write');
  const find = async () => {
    throw new VendorError('vendor_down', 'Slack is down.', { retryable: true, mayHaveHappened: false });
  };
  use.tools.set('slack.post', { effect: 'write', tool: { ...known.tool, find } });
  const { results } = await use.run(key);
  expect(results.get('post')).toMatchObject({ status: 'unknown', reason: { code: 'interrupted' } });
  expect(use.vendors().posts).toEqual([]);
});

test("a dead process's post in flight is waited for, and not made a second time", async () => {
  const post = { id: 'post', tool: 'slack.post', why: 'x', args: { channel: '#ops', text: 'x' } };
  const key = await approvedRun(use.db(), 'on-its-way', planOf([post]));
  const about = { teamId: TEAM, runId: key.runId, stepId: 'post', tool: 'slack.post', at: minutes(2) };
  const mark = `cs-${key.runId}-post`;
  await givenIntent(use.db(), { ...about, key: mark, targets: ['channel:#ops'] });
  // Slack is slow: the living process would have found it at its last look, a moment after it gave up waiting.
  let goneMs = 2_000;
  use.at(new Date(minutes(2).getTime() + goneMs));
  const { posts } = use.vendors();
  use.pauseBy(async (ms) => {
    goneMs += ms;
    if (goneMs >= 18_000 && posts.length === 0)
      posts.push({ to: '#ops', text: 'x', key: mark, context: '', threadLink: null });
  });
  const { results } = await use.run(key);
  expect(results.get('post')).toMatchObject({ status: 'succeeded', notes: ['found after a restart'] });
  expect(posts).toHaveLength(1);
});

test('a rejection after an attempt in doubt does not claim that nothing was sent', async () => {
  const { behaviour, pages } = use.vendors();
  let asked = 0;
  behaviour.beforePage = async (page) => {
    asked += 1;
    if (asked === 1) throw serverError();
    // The first one shows by now.
    pages.push(page);
    throw new VendorError('refused', 'PagerDuty did not accept it.', {
      retryable: false,
      mayHaveHappened: false,
    });
  };
  const { results } = await use.run(await approvedRun(use.db(), 'then-refused', planOf([pageStep])));
  expect(asked).toBe(2);
  expect(results.get('page')).toMatchObject({ status: 'succeeded', attempts: 2 });
});
