import { expect, test, vi } from 'vitest';
import type { RunEvent } from '../../src/core/run.ts';
import type { WorkDeps } from '../../src/run/context.ts';
import { Journal, LostRunError } from '../../src/run/journal.ts';
import * as inbox from '../../src/store/inbox.ts';
import { take } from '../../src/store/load-run.ts';
import * as outbox from '../../src/store/outbox.ts';
import { stepResults } from '../../src/store/steps.ts';
import { auditRows, givenRun, minutes, openTestStore, TEAM, writeRows } from '../support/store.ts';

const store = openTestStore();

const end = {
  outcome: 'done',
  at: minutes(3),
  request: null,
  answered: null,
  arrivals: [],
  checks: [],
} as const;

/** A journal of a run held by the process `us`. */
async function scene(id: string, more: Partial<WorkDeps> & { owned?: () => Promise<void> } = {}) {
  const { owned = async () => undefined, ...given } = more;
  const told: RunEvent[] = [];
  const warnings: string[] = [];
  const deps = {
    ...{ db: store.db(), now: () => minutes(2), sleep: async () => undefined },
    log: { info() {}, error() {}, warn: (_facts: object, message: string) => void warnings.push(message) },
    messagesFor: async () => [],
    emit: async (event) => void told.push(event),
    ...given,
  } as Partial<WorkDeps> as WorkDeps;
  const { runId } = await givenRun(store.db(), id);
  await take(store.db(), { teamId: TEAM, runId, entered: 0 }, 'us');
  const facts = { teamId: TEAM, runId, requestId: id, number: 1, mode: 'run' } as const;
  const journal = new Journal(deps, 'us:1', owned, facts);
  return {
    ...{ runId, journal, told, warnings },
    intent: {
      ...{ stepId: 'page', tool: 'pagerduty.page', key: `k-${id}`, targets: [], caps: [], attempt: 1 },
      line: journal.line('write.intended', 'U1', {}),
    },
    /** The process named holds the run from now on. */
    holdBy: (executor: string) =>
      store.db().updateTable('runs').set({ executor }).where('id', '=', runId).execute(),
    lines: async () => (await auditRows(store.db(), TEAM, `run:${runId}`)).map(({ kind }) => kind).reverse(),
  };
}

test('a permission that came late is asked for again, as another process may own the run by now', async () => {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  let asks = 0;
  let isTaken = false;
  const { journal, intent, holdBy } = await scene('late', {
    owned: async () => {
      if (asks > 0 && !isTaken) isTaken = (await holdBy('other:2')).length > 0;
    },
  });
  const late = () => {
    asks += 1;
    now += 3_000;
    return null;
  };
  await expect(journal.intend(intent, late)).rejects.toThrow(LostRunError);
  // The second time it was another's, so nothing was asked about the write.
  expect(asks).toBe(1);
  // A database that is always that slow grants no permission at all.
  const slow = await scene('slow');
  await expect(slow.journal.intend(slow.intent, late)).rejects.toThrow('too slow');
  clock.mockRestore();
});

test('nothing is reported before it is stored, and an unstored line goes with the next flush', async () => {
  const { journal, told, holdBy, lines } = await scene('flush');
  journal.note('run.started', 'U1', {});
  journal.tell({ type: 'started' });
  await holdBy('other:2');
  await expect(journal.flush()).rejects.toThrow(LostRunError);
  expect(told).toEqual([]);
  expect(await lines()).toEqual([]);
  await holdBy('us:1');
  journal.note('run.finished', 'system', {});
  await journal.flush(end);
  expect(await lines()).toEqual(['run.started', 'run.finished']);
  expect(told.map(({ type }) => type)).toEqual(['started']);
  // The run is over, so another flush would fail if there were anything left.
  await journal.flush();
});

test('messages and what is left to do are stored with the end of the run, or not at all', async () => {
  const key = 'left-to-do';
  const message = {
    teamId: TEAM,
    conversation: 'c',
    key,
    kind: 'reply',
    payload: {},
    now: minutes(2),
  } as const;
  const arrivals = [{ teamId: TEAM, key, event: {}, executor: 'nobody', at: minutes(2) }];
  const { journal, holdBy } = await scene('with-end', { messagesFor: async () => [message] });
  const stored = async () => [
    (await outbox.byKey(store.db(), TEAM, key)) !== null,
    await inbox.has(store.db(), { teamId: TEAM, key }),
  ];
  journal.tell({ type: 'started' });
  await holdBy('other:2');
  await expect(journal.flush({ ...end, arrivals })).rejects.toThrow(LostRunError);
  expect(await stored()).toEqual([false, false]);
  await holdBy('us:1');
  await journal.flush({ ...end, arrivals });
  expect(await stored()).toEqual([true, true]);
});

test('lines that could not be stored with an intent go with the next flush', async () => {
  const { journal, intent, runId, lines } = await scene('unstored');
  // Progress would be stored by a timer, and this one never ends.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    journal.note('run.started', 'U1', {});
    journal.stepBegins({ stepId: 'count', tool: 'jira.count', startedAt: minutes(2).toISOString() });
    const broken = () => {
      throw new Error('no database');
    };
    await expect(journal.intend(intent, broken)).rejects.toThrow('no database');
    expect(await lines()).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
  await journal.flush(end);
  expect(await lines()).toEqual(['run.started']);
  expect(await stepResults(store.db(), TEAM, runId)).toMatchObject([{ stepId: 'count', status: 'running' }]);
});

test('the result of a write is stored at once', async () => {
  const { journal, intent, runId, lines } = await scene('at-once');
  await journal.intend(intent, () => null);
  // Progress alone would wait for a timer, and this one never ends.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    journal.writeEnds(intent.key, 'made', { result: null });
    await expect.poll(lines).toEqual(['write.intended', 'write.made']);
  } finally {
    vi.useRealTimers();
  }
  expect(await writeRows(store.db(), runId)).toMatchObject([{ key: intent.key, state: 'made' }]);
});

test('a run does not fail because it cannot be reported', async () => {
  const refuse = async (): Promise<readonly outbox.OutboxMessage[]> => {
    throw new Error('no words');
  };
  const mute = await scene('mute', { messagesFor: refuse, emit: async () => void (await refuse()) });
  mute.journal.note('run.finished', 'system', {});
  mute.journal.tell({ type: 'started' });
  await mute.journal.flush(end);
  expect(await mute.lines()).toEqual(['run.finished']);
  expect(mute.warnings).toEqual(['an event was not taken', 'an event was not taken']);
});

test('steps stored together are reported in plan order, whichever ended first', async () => {
  const { journal, told } = await scene('order');
  journal.tellInOrder(['count', 'sla', 'page']);
  const times = { startedAt: minutes(1).toISOString(), finishedAt: minutes(2).toISOString() };
  for (const stepId of ['sla', 'count', 'page']) {
    const about = { tool: 'x', status: 'succeeded', result: null, reason: null, attempts: 1 } as const;
    journal.stepBegins({ stepId, tool: 'x', startedAt: times.startedAt });
    journal.stepEnds({ stepId, ...about, ...times });
  }
  await journal.flush();
  const ends = told.flatMap((event) => (event.type === 'step_finished' ? [event.stepId] : []));
  expect(ends).toEqual(['count', 'sla', 'page']);
});

test('a run without rows keeps nothing, and may write nothing', async () => {
  const { runId, intent } = await scene('unkept');
  const facts = { teamId: TEAM, runId, requestId: 'unkept', number: 1, mode: 'read' } as const;
  const deps = { db: store.db(), now: () => minutes(2) } as Partial<WorkDeps> as WorkDeps;
  const unkept = new Journal(deps, null, async () => undefined, facts);
  await expect(unkept.intend(intent, () => null)).rejects.toThrow(LostRunError);
  unkept.note('run.started', 'U1', {});
  await unkept.flush();
  expect(await auditRows(store.db(), TEAM, `run:${runId}`)).toEqual([]);
  expect(await writeRows(store.db(), runId)).toEqual([]);
});
