import { afterAll, beforeAll, beforeEach } from 'vitest';
import { z } from 'zod';
import { changedSince } from '../../src/approval/basis.ts';
import { planSchema } from '../../src/core/plan.ts';
import type { Policy } from '../../src/core/policy.ts';
import type { RunEvent, StepResult } from '../../src/core/run.ts';
import type { Tool } from '../../src/core/tool.ts';
import { createCodePool } from '../../src/run/code/pool.ts';
import type { WorkDeps } from '../../src/run/context.ts';
import { createRunner, type Runner } from '../../src/run/runner.ts';
import { allTools } from '../../tools/all.ts';
import { runCatalogue, runPolicy } from './runs.ts';
import { endOpenRuns, minutes, openTestStore } from './store.ts';
import { createVendors, type Vendors } from './vendors.ts';

/** The work that the end of a run leaves to other processes. */
const leftWork = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('failed'),
    failed: z.object({
      runId: z.string(),
      outcome: z.string(),
      plan: planSchema,
      results: z.array(z.looseObject({ stepId: z.string(), status: z.string() })),
    }),
  }),
  z.object({ type: z.literal('pressed') }),
]);

/** A runner on a database of its own for a whole test file, with vendors in memory that are fresh for each test. */
export function openTestRunner(policy: Policy = runPolicy) {
  const store = openTestStore();
  const events: RunEvent[] = [];
  const slept: number[] = [];
  const warnings: string[] = [];
  const tools = new Map<string, Tool>(allTools);
  const fresh = () => ({
    vendors: createVendors(),
    now: minutes(2),
    link: (async () => null) as WorkDeps['threadLink'],
    judge: null as WorkDeps['judge'],
    pause: (_ms: number): Promise<void> => new Promise((resolve) => setImmediate(resolve)),
  });
  const state = fresh();
  let runner: Runner | undefined;
  let look = async (): Promise<void> => {};
  beforeAll(async () => {
    const work: WorkDeps = {
      get judge() {
        return state.judge;
      },
      db: store.db(),
      tools,
      code: createCodePool({ size: 1 }),
      // Handed through on every call, because each test has vendors of its own.
      get readers() {
        return state.vendors.readers;
      },
      get writers() {
        return state.vendors.writers;
      },
      catalogue: runCatalogue,
      policy,
      changedSince: (sealed) => changedSince(sealed, { catalogue: runCatalogue, policy }),
      threadLink: (card) => state.link(card),
      messagesFor: async () => [],
      emit: async (event) => {
        events.push(event);
      },
      now: () => state.now,
      sleep: (ms) => {
        slept.push(ms);
        return state.pause(ms);
      },
      random: () => 1,
      log: { info() {}, warn: (_facts, message) => void warnings.push(message), error() {} },
    };
    runner = await createRunner({
      db: store.db(),
      databaseUrl: store.url(),
      log: work.log,
      workOf: () => work,
      onLost: (reason) => {
        throw reason;
      },
      // Only when a test asks for it: a run that an earlier test broke must not go on in the middle of this one.
      whileOpen: (round) => {
        look = round;
        return { stop: async () => {} };
      },
    });
  });
  afterAll(() => runner?.stop());
  beforeEach(async () => {
    await endOpenRuns(store.db());
    await store.db().deleteFrom('inbox').execute();
    Object.assign(state, fresh());
    for (const list of [events, slept, warnings]) list.length = 0;
    for (const [name, tool] of allTools) tools.set(name, tool);
  });
  const must = (): Runner => {
    if (runner === undefined) throw new Error('the runner starts in beforeAll');
    return runner;
  };
  return {
    db: store.db,
    second: store.second,
    url: store.url,
    runner: must,
    events,
    /** The failed runs that this test left to be planned anew. */
    async failures() {
      const rows = await store.db().selectFrom('inbox').select('event').orderBy('at').execute();
      const left = rows.map(({ event }) => leftWork.parse(event));
      return left.flatMap((work) => (work.type === 'failed' ? work.failed : []));
    },
    slept,
    /** Lines logged at warn. */
    warnings,
    tools,
    vendors: (): Vendors => state.vendors,
    /** Sets the clock of the runner. */
    at: (now: Date) => {
      state.now = now;
    },
    linkThread: (link: WorkDeps['threadLink']) => {
      state.link = link;
    },
    /** Looks for runs that nobody goes on with. */
    look: () => look(),
    /** Replaces every pause of the runner. */
    pauseBy: (pause: (ms: number) => Promise<void>) => {
      state.pause = pause;
    },
    judgeBy: (judge: WorkDeps['judge']) => {
      state.judge = judge;
    },
    /** Starts a run, waits for its end, and gives what was reported. */
    async run({ teamId, runId }: { teamId: string; runId: string }) {
      const outcome = await must().run({ teamId, runId });
      const own = events.filter((event) => event.runId === runId);
      const results = new Map<string, StepResult>();
      for (const event of own) if (event.type === 'step_finished') results.set(event.stepId, event.result);
      return { outcome, results, events: own };
    },
  };
}
