import { expect, test, vi } from 'vitest';
import { Journal, LostRunError } from '../../src/run/journal.ts';
import type { Commit, IntendResult, Message, WorkDeps } from '../../src/run/ports.ts';
import { minutes } from '../support/store.ts';

const facts = { teamId: 'T1', runId: 'run-1', requestId: 'r', number: 1, mode: 'run' } as const;
const end = { outcome: 'done', at: minutes(3), request: null, answered: null } as const;
const intent = {
  ...{ stepId: 'page', tool: 'pagerduty.page', key: 'k', targets: [], caps: [], attempt: 1, at: minutes(2) },
  line: { teamId: 'T1', at: minutes(2), kind: 'write.intended', actor: 'U1', subject: 'run:run-1', data: {} },
};

/** A journal on a store that keeps what it is given and answers as configured. */
function scene(more: Partial<WorkDeps> = {}) {
  const commits: Commit[] = [];
  const told: string[] = [];
  const warnings: string[] = [];
  const answers = { intend: async (): Promise<IntendResult<never>> => ({ kind: 'intended' }), held: true };
  const store = {
    intend: () => answers.intend(),
    commit: async (commit: Commit) => {
      commits.push(commit);
      return answers.held;
    },
  };
  const deps = {
    ...{ store, now: () => minutes(2), sleep: async () => undefined },
    log: { info() {}, error() {}, warn: (_facts: object, message: string) => void warnings.push(message) },
    messagesFor: async () => [],
    emit: async ({ type }) => void told.push(type),
    ...more,
  } as Partial<WorkDeps> as WorkDeps;
  return { journal: new Journal(deps, 'us', async () => undefined, facts), commits, told, warnings, answers };
}

test('a permission that came late is asked for again, as another process may own the run by now', async () => {
  const { journal, answers } = scene();
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  let asks = 0;
  answers.intend = async () => {
    asks += 1;
    if (asks === 1) now += 3_000;
    return { kind: asks === 1 ? 'intended' : 'lost' };
  };
  await expect(journal.intend(intent, () => null)).rejects.toThrow(LostRunError);
  expect(asks).toBe(2);
  // A database that is always that slow grants no permission at all.
  answers.intend = async () => {
    now += 3_000;
    return { kind: 'intended' };
  };
  await expect(journal.intend(intent, () => null)).rejects.toThrow('too slow');
  clock.mockRestore();
});

test('nothing is reported before it is stored, and an unstored line goes with the next flush', async () => {
  const { journal, commits, told, answers } = scene();
  journal.note('run.started', 'U1', {});
  journal.tell({ type: 'started' });
  answers.held = false;
  await expect(journal.flush()).rejects.toThrow(LostRunError);
  expect(told).toEqual([]);
  answers.held = true;
  journal.note('run.finished', 'system', {});
  await journal.flush(end);
  expect(commits.at(-1)?.lines.map(({ kind }) => kind)).toEqual(['run.started', 'run.finished']);
  expect(commits.at(-1)?.end).toEqual(end);
  expect(told).toEqual(['started']);
  await journal.flush();
  expect(commits).toHaveLength(2);
});

test('lines that could not be stored with an intent go with the next flush', async () => {
  const { journal, commits, answers } = scene();
  journal.note('run.started', 'U1', {});
  journal.stepBegins({ stepId: 'count', tool: 'jira.count', startedAt: minutes(2).toISOString() });
  answers.intend = async () => {
    throw new Error('no database');
  };
  await expect(journal.intend(intent, () => null)).rejects.toThrow('no database');
  await journal.flush(end);
  expect(commits[0]?.lines.map(({ kind }) => kind)).toEqual(['run.started']);
  expect(commits[0]?.steps).toMatchObject([{ stepId: 'count', result: null }]);
});

test('the result of a write is sent to the store at once', async () => {
  const { journal, commits } = scene();
  journal.writeEnds('k', 'made', { result: null });
  // Turns of the event loop without a timer: progress alone would wait for one.
  for (let turn = 0; turn < 20 && commits.length === 0; turn += 1) await new Promise(setImmediate);
  expect(commits[0]?.writes).toMatchObject([{ key: 'k', state: 'made', line: { kind: 'write.made' } }]);
});

test('a run does not fail because it cannot be reported', async () => {
  const refuse = async (): Promise<readonly Message[]> => {
    throw new Error('no words');
  };
  const mute = scene({ messagesFor: refuse, emit: async () => void (await refuse()) });
  mute.journal.tell({ type: 'started' });
  await mute.journal.flush(end);
  expect(mute.commits).toHaveLength(1);
  expect(mute.warnings).toEqual(['an event was not taken', 'an event was not taken']);
});

test('steps stored together are reported in plan order, whichever ended first', async () => {
  const ends: string[] = [];
  const emit: WorkDeps['emit'] = async (event) => {
    if (event.type === 'step_finished') ends.push(event.stepId);
  };
  const { journal } = scene({ emit });
  journal.tellInOrder(['count', 'sla', 'page']);
  const times = { startedAt: minutes(1).toISOString(), finishedAt: minutes(2).toISOString() };
  for (const stepId of ['sla', 'count', 'page']) {
    const about = { tool: 'x', status: 'succeeded', result: null, reason: null, attempts: 1 } as const;
    journal.stepBegins({ stepId, tool: 'x', startedAt: times.startedAt });
    journal.stepEnds({ stepId, ...about, ...times });
  }
  await journal.flush();
  expect(ends).toEqual(['count', 'sla', 'page']);
});
