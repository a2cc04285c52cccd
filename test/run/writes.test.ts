import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import * as audit from '../../src/audit/chain.ts';
import { VendorError } from '../../src/core/errors.ts';
import { killSwitchName } from '../../src/core/run.ts';
import type { WriteTool } from '../../src/core/tool.ts';
import * as runs from '../../src/store/runs.ts';
import * as switches from '../../src/store/switches.ts';
import * as writes from '../../src/store/writes.ts';
import { openTestRunner } from '../support/runner.ts';
import { approvedRun, planOf, proposed, slaPlan } from '../support/runs.ts';
import { auditRows, givenIntent, minutes, TEAM, writeRows } from '../support/store.ts';

const use = openTestRunner();

// Caps count what earlier tests have sent.
beforeEach(async () => {
  await use.db().deleteFrom('writes').execute();
  await use.db().deleteFrom('switches').execute();
});

const anaIsTarget = {
  step: 'page',
  arg: 'service',
  kind: 'service' as const,
  value: 'ops',
  label: 'pages Ana Ruiz, on call for ops',
  identity: 'PANA01',
};
const ben = { id: 'PBEN01', name: 'Ben Okafor', email: '', level: 1, until: null };

function lost(mayHaveHappened: boolean) {
  return new VendorError('connection_lost', 'The connection to PagerDuty broke.', {
    retryable: true,
    mayHaveHappened,
  });
}

async function stateOf(runId: string) {
  const [row] = await writeRows(use.db(), runId);
  return row?.state ?? 'no row';
}

/** Runs it and expects that nothing was written, for the given reason. */
async function expectNothingSent(key: { teamId: string; runId: string }, code: string) {
  const before = use.vendors().pages.length;
  const { outcome, results, events } = await use.run(key);
  const reason =
    results.get('page')?.reason ?? events.flatMap((event) => ('reason' in event ? [event.reason] : []))[0];
  expect(reason?.code).toBe(code);
  expect(use.vendors().pages).toHaveLength(before);
  expect(outcome).not.toBe('done');
  return { outcome, results, reason };
}

test('unapproved bytes or digests run nothing, and a plan changed during the run writes nothing', async () => {
  const counted: string[] = [];
  use.vendors().behaviour.count = async () => {
    counted.push('count');
    return 24;
  };
  const bytes = await approvedRun(use.db(), 'bytes', slaPlan());
  await use.db().updateTable('revisions').set({ bytes: '{}' }).where('requestId', '=', 'bytes').execute();
  await expectNothingSent(bytes, 'digest_mismatch');

  const grant = await approvedRun(use.db(), 'grant', slaPlan());
  await use
    .db()
    .updateTable('grants')
    .set({ digest: 'f'.repeat(64) })
    .where('requestId', '=', 'grant')
    .execute();
  await expectNothingSent(grant, 'digest_mismatch');

  const other = await approvedRun(use.db(), 'other', slaPlan());
  await use
    .db()
    .updateTable('revisions')
    .set({ digest: 'f'.repeat(64) })
    .where('requestId', '=', 'other')
    .execute();
  await expectNothingSent(other, 'digest_mismatch');
  expect(counted).toEqual([]);
  expect(await runs.get(use.db(), other)).toMatchObject({ state: 'finished', outcome: 'failed' });
  const lines = await auditRows(use.db(), TEAM, `run:${other.runId}`);
  expect(lines.map(({ kind }) => kind)).toEqual(['run.finished', 'run.refused']);

  const during = await approvedRun(use.db(), 'during', slaPlan());
  use.vendors().behaviour.count = async () => {
    await use
      .second()
      .updateTable('revisions')
      .set({ bytes: '{}' })
      .where('requestId', '=', 'during')
      .execute();
    return 24;
  };
  await expectNothingSent(during, 'digest_mismatch');
  expect(await stateOf(during.runId)).toBe('no row');
  const [line, ...more] = await tamperings('during');
  expect(more).toEqual([]);
  expect(line?.data).toContain('"step":"page"');

  const moved = await approvedRun(use.db(), 'new-digest', slaPlan());
  use.vendors().behaviour.count = async () => {
    const change = { digest: 'f'.repeat(64) };
    await use.second().updateTable('revisions').set(change).where('requestId', '=', 'new-digest').execute();
    return 24;
  };
  await expectNothingSent(moved, 'digest_mismatch');
  expect(await tamperings('new-digest')).toHaveLength(1);
});

async function tamperings(requestId: string) {
  const lines = await auditRows(use.db(), TEAM, `revision:${requestId}/1`);
  return lines.filter(({ kind }) => kind === 'revision.tampered');
}

test('a run without its own grant, or under changed rules, writes nothing', async () => {
  await proposed(use.db(), 'no-yes', slaPlan());
  await use
    .db()
    .insertInto('runs')
    .values({
      teamId: TEAM,
      id: 'run-no-yes-1',
      requestId: 'no-yes',
      number: 1,
      mode: 'run',
      state: 'running',
      outcome: null,
      cancelBy: null,
      cancelAt: null,
      cancelReason: null,
      startedAt: minutes(2),
      finishedAt: null,
    })
    .execute();
  await expectNothingSent({ teamId: TEAM, runId: 'run-no-yes-1' }, 'no_grant');
  const catalogue = await approvedRun(use.db(), 'catalogue', slaPlan(), { catalogue: 'another' });
  await expectNothingSent(catalogue, 'rules_changed');
  const policy = await approvedRun(use.db(), 'policy', slaPlan(), { policy: 'another' });
  await expectNothingSent(policy, 'rules_changed');
  const { outcome, events } = await use.run({ teamId: TEAM, runId: 'run-nobody-1' });
  expect({ outcome, events }).toEqual({ outcome: null, events: [] });
});

test('the kill switch, a cancel and expiry stop a write, even if they come during the reads', async () => {
  const kill = {
    teamId: TEAM,
    name: killSwitchName,
    actor: 'U0ANA',
    reason: 'wrong numbers',
    at: minutes(2),
  };
  const killed = await approvedRun(use.db(), 'killed', slaPlan());
  use.vendors().behaviour.count = async () => {
    await switches.set(use.second(), { ...kill, isOn: true });
    return 24;
  };
  const { reason } = await expectNothingSent(killed, 'kill_switch');
  expect(reason?.message).toBe('@ana stopped all writes: wrong numbers. Nothing was sent.');
  await switches.set(use.db(), { ...kill, isOn: false });

  const cancelled = await approvedRun(use.db(), 'cancelled', slaPlan());
  use.vendors().behaviour.count = async () => {
    const by = { by: 'U0CHIARA', at: minutes(3), reason: 'false alarm' };
    await runs.requestCancel(use.second(), { teamId: TEAM, runId: cancelled.runId, ...by });
    return 24;
  };
  const stopped = await expectNothingSent(cancelled, 'cancelled');
  expect(stopped.outcome).toBe('cancelled');
  expect(stopped.reason?.message).toBe('Not started: @chiara cancelled the run: false alarm.');
  expect((await use.failures()).map(({ runId }) => runId)).toEqual([killed.runId]);

  use.vendors().behaviour.count = async () => 24;
  use.at(minutes(29));
  expect((await use.run(await approvedRun(use.db(), 'in-time', slaPlan()))).outcome).toBe('done');
  use.at(minutes(31));
  const late = await expectNothingSent(await approvedRun(use.db(), 'late', slaPlan()), 'expired');
  expect(late.reason?.message).toBe('The approval held until 12:30 UTC. Nothing was sent; plan it again.');
  const soon = { expiresAt: minutes(2.5).toISOString() };
  use.at(minutes(16));
  expect((await use.run(await approvedRun(use.db(), 'grace', slaPlan(), soon))).outcome).toBe('done');
});

test('a stop while a write waits for the log holds, and no write follows a stop in the log', async () => {
  const kill = { teamId: TEAM, name: killSwitchName, actor: 'U0ANA', reason: 'storm', at: minutes(2) };
  const waiting = sql<{
    count: string;
  }>`select count(*) from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`;
  for (const how of ['kill_switch', 'cancelled'] as const) {
    const key = await approvedRun(use.db(), `waits-${how}`, slaPlan());
    const { sent } = await use
      .second()
      .transaction()
      .execute(async (trx) => {
        // Another line is being written to the log.
        await audit.lockChain(trx, TEAM);
        const sent = expectNothingSent(key, how);
        for (let queued = 0; queued === 0; ) queued = Number((await waiting.execute(trx)).rows[0]?.count);
        if (how === 'kill_switch') await switches.set(trx, { ...kill, isOn: true });
        else await runs.requestCancel(trx, { ...key, by: 'U0ANA', at: minutes(2), reason: 'storm' });
        return { sent };
      });
    await sent;
    await switches.set(use.db(), { ...kill, isOn: false });
    expect(await stateOf(key.runId)).toBe('no row');
  }
});

test('a write is not made without its audit line', async () => {
  await sql`alter table audit add constraint full_disk check (kind <> 'write.intended') not valid`.execute(
    use.db(),
  );
  const key = await approvedRun(use.db(), 'no-line', slaPlan());
  const { reason } = await expectNothingSent(key, 'audit_failed');
  await sql`alter table audit drop constraint full_disk`.execute(use.db());
  expect(reason?.message).toContain('nothing was sent');
  expect(await stateOf(key.runId)).toBe('no row');
});

test('a changed on-call stops the page, an unreadable rota does not, and unknown targets never pass', async () => {
  const targets = [anaIsTarget];
  expect((await use.run(await approvedRun(use.db(), 'same', slaPlan(), { targets }))).outcome).toBe('done');
  use.vendors().behaviour.oncall = async () => [ben];
  const moved = await expectNothingSent(
    await approvedRun(use.db(), 'moved', slaPlan(), { targets }),
    'target_moved',
  );
  expect(moved.reason?.message).toBe(
    'The approved plan pages Ana Ruiz, on call for ops; now it pages Ben Okafor, on call for ops. Nothing was sent.',
  );
  use.vendors().behaviour.oncall = async () => {
    throw new VendorError('vendor_down', 'PagerDuty is down.', { retryable: true, mayHaveHappened: false });
  };
  const blind = await use.run(await approvedRun(use.db(), 'blind', slaPlan(), { targets }));
  expect(blind.outcome).toBe('done');
  expect(blind.results.get('page')?.notes).toEqual([
    'Whether the target is still the same could not be checked: PagerDuty is down.',
  ]);
  const elsewhere = planOf([
    { id: 'page', tool: 'pagerduty.page', why: 'x', args: { service: 'unknown-service', text: 'x' } },
  ]);
  await expectNothingSent(await approvedRun(use.db(), 'elsewhere', elsewhere), 'target_unknown');
});

test('over the cap nothing is sent, and the reason gives the count and the time of the first', async () => {
  const page = (id: string, service: string) => ({
    id,
    tool: 'pagerduty.page',
    why: 'x',
    args: { service, text: 'x' },
    onError: 'continue' as const,
  });
  const ids = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7'];
  use.at(minutes(100));
  const expiresAt = minutes(200).toISOString();
  const plan = planOf([...ids.map((id) => page(id, 'payments-api')), page('elsewhere', 'ops')]);
  const { outcome, results } = await use.run(await approvedRun(use.db(), 'cap', plan, { expiresAt }));
  expect(outcome).toBe('partly');
  expect(use.vendors().pages.filter(({ service }) => service === 'payments-api')).toHaveLength(6);
  expect(results.get('elsewhere')).toMatchObject({ status: 'succeeded' });
  const over = [...results.values()].filter(({ status }) => status === 'failed');
  expect(over.map(({ reason }) => reason)).toEqual([
    {
      code: 'over_cap',
      message:
        'payments-api was paged 6 times within the last hour, and the cap is 6; the first was at 13:40 UTC. Nothing was sent.',
    },
  ]);
  use.at(minutes(161));
  const later = planOf([page('page', 'payments-api')]);
  expect((await use.run(await approvedRun(use.db(), 'later', later, { expiresAt }))).outcome).toBe('done');
});

test('an unsent page is failed, one found afterwards succeeded, and any other is unknown', async () => {
  const { behaviour, pages } = use.vendors();
  behaviour.beforePage = async () => {
    throw lost(false);
  };
  const refused = await approvedRun(use.db(), 'refused', slaPlan());
  const said = await expectNothingSent(refused, 'connection_lost');
  expect(said.reason?.message).toBe('The connection to PagerDuty broke. It was tried 8 times.');
  expect(await stateOf(refused.runId)).toBe('failed');
  expect(await use.failures()).toMatchObject([{ runId: refused.runId, outcome: 'partly' }]);

  behaviour.beforePage = async () => {};
  behaviour.afterPage = async () => {
    throw lost(true);
  };
  const key = await approvedRun(use.db(), 'found', slaPlan());
  const found = await use.run(key);
  expect(found.outcome).toBe('done');
  expect(found.results.get('page')).toMatchObject({
    status: 'succeeded',
    result: { state: 'triggered', incident: 'Q1' },
    notes: [
      'no answer came back, but a look afterwards showed that it was done: The connection to PagerDuty broke.',
    ],
  });
  expect(await stateOf(key.runId)).toBe('made');
  expect(pages).toHaveLength(1);

  behaviour.beforePage = async () => {
    throw lost(true);
  };
  const doubt = await approvedRun(use.db(), 'doubt', slaPlan());
  const unknown = await use.run(doubt);
  expect(unknown.outcome).toBe('unknown');
  expect(unknown.results.get('page')?.reason?.message).toBe(
    'The connection to PagerDuty broke. It was tried 8 times. It was not found afterwards. ' +
      'Look for cs-run-doubt-1-page in PagerDuty before anyone repeats it.',
  );
  expect(await stateOf(doubt.runId)).toBe('unknown');

  behaviour.beforeFind = async () => {
    throw new VendorError('vendor_down', 'PagerDuty is down.', { retryable: true, mayHaveHappened: false });
  };
  const blind = await use.run(await approvedRun(use.db(), 'blind-doubt', slaPlan()));
  expect(blind.results.get('page')?.reason?.message).toContain(
    'It could not be looked up: PagerDuty is down.',
  );
  behaviour.beforePage = async () => {
    throw new TypeError('a bug after the request had left');
  };
  expect((await use.run(await approvedRun(use.db(), 'bug', slaPlan()))).outcome).toBe('unknown');
  expect(pages).toHaveLength(1);
});

test('a write with a malformed answer was still made: it is not repeated and not called failed', async () => {
  const known = use.tools.get('pagerduty.page');
  if (known?.effect !== 'write') throw new Error('pagerduty.page is a write');
  const { run } = known.tool;
  const answer: WriteTool = {
    ...known.tool,
    run: async (args, context) => ({ ...(await run(args, context)), state: 'surprise' }),
  };
  use.tools.set('pagerduty.page', { effect: 'write', tool: answer });
  const key = await approvedRun(use.db(), 'odd', slaPlan());
  const { results } = await use.run(key);
  expect(results.get('page')).toMatchObject({
    status: 'succeeded',
    result: { state: 'triggered' },
    notes: ['PagerDuty took it, but its answer cannot be used'],
  });
  expect(await stateOf(key.runId)).toBe('made');
});

test('a page that PagerDuty accepted but does not show is reported as unknown, never sent again', async () => {
  const { pages, behaviour } = use.vendors();
  behaviour.afterPage = async () => void pages.splice(0);
  const sent: string[] = [];
  behaviour.beforePage = async ({ dedupKey }) => void sent.push(dedupKey);
  const key = await approvedRun(use.db(), 'swallowed', slaPlan());
  const { outcome, results } = await use.run(key);
  expect(outcome).toBe('unknown');
  expect(sent).toHaveLength(1);
  expect(results.get('page')).toMatchObject({ status: 'unknown', reason: { code: 'not_in_effect' } });
  expect(results.get('page')?.reason?.message ?? '').toMatch(
    /accepted it but shows no trace.*cs-run-swallowed-1-page/,
  );
  expect(use.slept.slice(-3)).toEqual([1_000, 2_000, 4_000]);
  expect(await stateOf(key.runId)).toBe('made');

  let looks = 0;
  behaviour.afterPage = async () => {};
  behaviour.beforeFind = async () => {
    looks += 1;
    throw new VendorError('vendor_down', 'PagerDuty is down.', { retryable: true, mayHaveHappened: false });
  };
  const blind = await use.run(await approvedRun(use.db(), 'taken', slaPlan()));
  expect(blind.outcome).toBe('done');
  // One lost answer does not decide.
  expect(looks).toBe(2);
  expect(blind.results.get('page')).toMatchObject({ status: 'succeeded', result: { state: 'accepted' } });
  expect(blind.results.get('page')?.notes?.join()).toContain('could not be looked up: PagerDuty is down.');
});

/** Leaves the rows of a process that died around its write. */
async function interrupted(id: string, state?: 'made' | 'failed' | 'unknown', plan = slaPlan()) {
  const run = await approvedRun(use.db(), id, plan);
  const key = `cs-${run.runId}-page`;
  const intent = {
    teamId: TEAM,
    runId: run.runId,
    stepId: 'page',
    tool: 'pagerduty.page',
    key,
    at: minutes(2),
  };
  await givenIntent(use.db(), { ...intent, targets: ['service:ops'] });
  const evidence = {
    result: { dedup_key: key, state: 'accepted' },
    reason: { code: 'why', message: 'That is why.' },
  };
  if (state !== undefined) await writes.endWrite(use.db(), { key, state, evidence, at: minutes(2) });
  const { pages } = use.vendors();
  const sent = {
    service: 'ops',
    dedupKey: key,
    summary: 'x',
    severity: 'critical' as const,
    details: {},
    mark: key,
    link: null,
  };
  return { run, key, pages, putIn: () => pages.push(sent) };
}

test('after a restart a write is looked up: found is kept, absent is made once, unclear is unknown', async () => {
  const made = await interrupted('was-made');
  made.putIn();
  const found = await use.run(made.run);
  expect(found.outcome).toBe('done');
  expect(found.results.get('page')).toMatchObject({ status: 'succeeded', notes: ['found after a restart'] });
  expect(made.pages).toHaveLength(1);

  const absent = await interrupted('was-absent');
  expect((await use.run(absent.run)).outcome).toBe('done');
  expect(absent.pages.filter(({ dedupKey }) => dedupKey === absent.key)).toHaveLength(1);

  // A recent one is sent again under its key; this one is older than a minute.
  const unclear = await interrupted('unclear');
  use.at(minutes(3.5));
  use.vendors().behaviour.beforeFind = async () => {
    throw new VendorError('vendor_down', 'PagerDuty is down.', { retryable: true, mayHaveHappened: false });
  };
  const open = await use.run(unclear.run);
  expect(open.outcome).toBe('unknown');
  expect(open.results.get('page')).toMatchObject({ status: 'unknown', reason: { code: 'interrupted' } });
  expect(await stateOf(unclear.run.runId)).toBe('unknown');
  expect(unclear.pages.some(({ dedupKey }) => dedupKey === unclear.key)).toBe(false);
});

test('an earlier result of a write is kept, and a cancel cannot hide a page that went out', async () => {
  for (const [state, status] of [
    ['made', 'succeeded'],
    ['failed', 'failed'],
    ['unknown', 'unknown'],
  ] as const) {
    const { run, pages, putIn } = await interrupted(`settled-${state}`, state);
    if (state === 'made') putIn();
    const { results } = await use.run(run);
    expect(results.get('page')).toMatchObject({ status });
    expect(pages.splice(0)).toHaveLength(state === 'made' ? 1 : 0);
  }
  // Its process died while checking whether PagerDuty had acted on what it accepted.
  const swallowed = await interrupted('settled-swallowed', 'made');
  const { results: shown } = await use.run(swallowed.run);
  expect(shown.get('page')).toMatchObject({ status: 'unknown', reason: { code: 'not_in_effect' } });
  expect(swallowed.pages).toEqual([]);
  const cancel = { teamId: TEAM, by: 'U0CHIARA', at: minutes(2), reason: '' };
  const alone = planOf([
    { id: 'page', tool: 'pagerduty.page', why: 'x', args: { service: 'ops', text: 'x' } },
  ]);
  const out = await interrupted('cancelled-after', undefined, alone);
  out.putIn();
  await runs.requestCancel(use.db(), { ...cancel, runId: out.run.runId });
  expect((await use.run(out.run)).results.get('page')).toMatchObject({ status: 'succeeded' });

  const before = await interrupted('cancelled-before', undefined, alone);
  await runs.requestCancel(use.db(), { ...cancel, runId: before.run.runId });
  const { results, outcome } = await use.run(before.run);
  expect(results.get('page')).toMatchObject({ status: 'skipped', reason: { code: 'cancelled' } });
  expect(outcome).toBe('cancelled');
  expect(before.pages).toHaveLength(1);
  expect(await stateOf(before.run.runId)).toBe('failed');

  const blind = await interrupted('cancelled-blind');
  await runs.requestCancel(use.db(), { ...cancel, runId: blind.run.runId });
  expect((await use.run(blind.run)).results.get('page')).toMatchObject({ status: 'unknown' });
});
