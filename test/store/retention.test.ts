import { sql } from 'kysely';
import { expect, test } from 'vitest';
import * as audit from '../../src/audit/chain.ts';
import { decide } from '../../src/store/decide.ts';
import * as outbox from '../../src/store/outbox.ts';
import { propose } from '../../src/store/propose.ts';
import * as requests from '../../src/store/requests.ts';
import { oldRequests, removeLoose, removeRequests, removeSaid } from '../../src/store/retention.ts';
import * as steps from '../../src/store/steps.ts';
import * as usage from '../../src/store/usage.ts';
import { end } from '../../src/store/watches.ts';
import {
  auditRows,
  endRun,
  givenIntent,
  givenRequest,
  givenRun,
  minutes,
  openTestStore,
  revisionOf,
  TEAM,
} from '../support/store.ts';
import { givenWatch } from '../support/watches.ts';

const store = openTestStore();
const old = { teamId: TEAM, before: minutes(100) };

async function message(conversation: string, key: string, state: 'sent' | 'pending', now = minutes(4)) {
  const about = { teamId: TEAM, conversation, key, kind: 'reply', payload: { key }, now } as const;
  await outbox.enqueue(store.db(), about);
  if (state === 'pending') return;
  await store.db().updateTable('outbox').set({ state }).where('key', '=', key).execute();
}

/** A request that ran to its end, with a row in every table that refers to it. */
async function finished(id: string, at = minutes(5), teamId = TEAM) {
  const { runId } = await givenRun(store.db(), id, { teamId });
  const step = { teamId, runId, stepId: 'page', tool: 'pagerduty.page', at: minutes(3) };
  await steps.keep(store.db(), step, [{ ...step, startedAt: step.at.toISOString(), result: null }]);
  await givenIntent(store.db(), { ...step, key: `key-${teamId}-${id}`, targets: ['service:ops'] });
  const tokens = { promptTokens: 1, cachedTokens: 0, completionTokens: 1, usd: 0.001, ms: 5 };
  const call = { teamId, requestId: id, model: 'small', purpose: 'plan', at: minutes(1), ...tokens };
  await usage.record(store.db(), call);
  await endRun(store.db(), { teamId, runId, outcome: 'done', at });
  await requests.setState(store.db(), { teamId, id, to: 'finished' });
  return runId;
}

const tables = ['requests', 'revisions', 'runs', 'grants', 'step_results', 'writes', 'model_calls', 'outbox'];

async function counts(): Promise<number[]> {
  return Promise.all(
    tables.map(async (name) => {
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(name)}`.execute(
        store.db(),
      );
      return rows[0]?.n ?? 0;
    }),
  );
}

test('old finished requests are removed with all their rows; live and recent ones and the audit log stay', async () => {
  await requests.setState(store.db(), {
    teamId: TEAM,
    id: (await givenRequest(store.db(), 'asked')).id,
    to: 'asking',
  });
  await givenRequest(store.db(), 'planning');
  const answers = [
    { question: '?', missing: [], answer: 'OPS', by: 'U0ANA', at: minutes(120).toISOString() },
  ];
  const question = { open: null, ts: '1.2', answers };
  const answered = await givenRequest(store.db(), 'answered');
  await requests.setState(store.db(), { teamId: TEAM, id: answered.id, to: 'asking', question });
  const waiting = await givenRequest(store.db(), 'waiting');
  await propose(store.db(), revisionOf(waiting, 1, { expiresAt: minutes(500) }));
  await requests.setState(store.db(), { teamId: TEAM, id: 'waiting', to: 'review' });
  await givenRun(store.db(), 'running');
  await requests.setState(store.db(), { teamId: TEAM, id: 'running', to: 'running' });
  const refused = revisionOf(await givenRequest(store.db(), 'refused'), 1, { expiresAt: minutes(500) });
  await propose(store.db(), refused);
  const no = { to: 'rejected', by: 'U0ANA', reason: null, now: minutes(110) } as const;
  await decide(store.db(), { ...refused, ...no });
  await requests.setState(store.db(), { teamId: TEAM, id: 'refused', to: 'closed' });
  await finished('lately', minutes(110));
  await finished('unsaid');
  await message('unsaid', 'final:unsaid', 'pending');
  await finished('elsewhere', minutes(5), 'T0002');
  const kept = await counts();

  await finished('done');
  await message('done', 'final:done', 'sent');
  const found = await oldRequests(store.db(), old);
  expect(found.toSorted()).toEqual(['asked', 'done']);
  // Something changed since the search, or they were never old.
  const ids = [...found, 'waiting', 'running', 'planning', 'unsaid'];
  expect(await removeRequests(store.db(), { ...old, ids, now: minutes(200) })).toBe(2);
  const [asked, ...rest] = kept;
  expect(await counts()).toEqual([(asked ?? 0) - 1, ...rest]);
  expect(await oldRequests(store.db(), old)).toEqual([]);
  expect(await requests.get(store.db(), TEAM, 'done')).toBeNull();

  const [line] = await auditRows(store.db(), TEAM);
  expect(line).toMatchObject({ kind: 'retention.removed', actor: 'system' });
  expect(line?.data).toBe(`{"before":"${old.before.toISOString()}","requests":2}`);
  expect(await audit.verify(store.db(), TEAM)).toMatchObject({ ok: true });
});

test('sent messages are removed by age once their request is settled, the others stay', async () => {
  await message('schedule:a', 'loose-old', 'sent');
  await message('schedule:b', 'loose-waits', 'pending');
  await message('schedule:c', 'loose-young', 'sent', minutes(110));
  await message('unsaid', 'reply:unsaid', 'sent');
  await message('running', 'reply:running', 'sent');
  expect(await removeSaid(store.db(), old)).toBe(2);
  expect(await removeSaid(store.db(), old)).toBe(0);
  const left = await store.db().selectFrom('outbox').select('key').orderBy('key').execute();
  const kept = ['final:unsaid', 'loose-waits', 'loose-young', 'reply:running'];
  expect(left.map(({ key }) => key)).toEqual(kept);
});

test('a backlog is removed in batches', async () => {
  for (let count = 0; count < 130; count += 1) await message('schedule:long', `long-${count}`, 'sent');
  for (const many of [50, 50, 30]) expect(await removeSaid(store.db(), old)).toBe(many);
});

test('ticks, costs without a request and ended watches are removed by age', async () => {
  for (const at of [1, 2]) {
    const row = {
      teamId: TEAM,
      schedule: 'sla',
      tick: minutes(at),
      state: 'fired',
      at: minutes(at),
    } as const;
    await store.db().insertInto('scheduleTicks').values(row).execute();
  }
  for (const id of ['w-going', 'w-over']) await givenWatch(store.db(), id);
  await end(store.db(), {
    teamId: TEAM,
    id: 'w-over',
    by: 'U0ANA',
    reason: 'done',
    at: minutes(1),
    messages: [],
  });
  expect(await removeLoose(store.db(), old)).toBeGreaterThan(0);
  expect(await removeLoose(store.db(), old)).toBe(0);
  expect(await store.db().selectFrom('scheduleTicks').select('tick').execute()).toEqual([]);
  expect(await store.db().selectFrom('watches').select('id').execute()).toEqual([{ id: 'w-going' }]);
  const calls = await store.db().selectFrom('modelCalls').select('requestId').orderBy('requestId').execute();
  expect(calls.map(({ requestId }) => requestId)).toEqual(['elsewhere', 'lately', 'unsaid']);
});
