import { canonicalJson } from '../core/canonical.ts';
import { jsonOf } from '../core/json.ts';
import { seal } from '../core/revision.ts';
import type { CriterionResult, StepResult } from '../core/run.ts';
import type { Tool } from '../core/tool.ts';
import { type CacheTime, createCache } from '../process/cache.ts';
import type { Checkpoint } from '../store/load-run.ts';
import { activeRun } from './active-run.ts';
import type { WorkDeps } from './context.ts';
import { runCriteria } from './criteria.ts';
import { Journal } from './journal.ts';
import { runSteps } from './workflow.ts';

export type Unattended = Pick<Parameters<typeof seal>[0], 'teamId' | 'requestId' | 'requester' | 'plan'>;

export interface Seen {
  /** In the order of the plan; writes are only described. */
  readonly results: readonly StepResult[];
  readonly criteria: readonly CriterionResult[];
}

/** Dependencies of the reads. */
export type ReadDeps = Pick<
  WorkDeps,
  | 'db'
  | 'tools'
  | 'readers'
  | 'writers'
  | 'code'
  | 'catalogue'
  | 'policy'
  | 'stepsAtOnce'
  | 'now'
  | 'sleep'
  | 'random'
  | 'log'
>;

/**
 * Runs a plan's reads without keeping anything: no row, no audit line, no message. The result decides whether anyone is
 * asked, and then the values are read again.
 */
export async function readUnattended(given: ReadDeps, of: Unattended): Promise<Seen> {
  const deps: WorkDeps = {
    ...given,
    judge: null,
    changedSince: () => [],
    threadLink: async () => null,
    messagesFor: async () => [],
    emit: async () => undefined,
  };
  const owned = async (): Promise<void> => undefined;
  const now = deps.now();
  const { sealed, digest } = seal({
    ...{
      format: 1,
      number: 1,
      authors: [],
      targets: [],
      planner: 'person',
      notes: [],
      ...of,
      // It writes nothing, so no rule is about it.
      catalogue: {},
      policy: '',
    },
    estimate: { p50Ms: null, p95Ms: null, usd: 0 },
    ...{ createdAt: now.toISOString(), expiresAt: now.toISOString() },
  });
  const key = { teamId: of.teamId, runId: `look-${of.requestId}` };
  const about = { ...key, requestId: of.requestId, number: 1, mode: 'read' } as const;
  const journal = new Journal(deps, null, owned, about);
  const run = activeRun({
    ...{ deps, key, journal, sealed, digest },
    ...{ stored: nothingStored(of.requestId, now), mode: 'read', startedAt: now, enteredAt: now },
    cancel: async () => null,
    threadLink: async () => null,
  });
  try {
    await runSteps(run);
    const results = sealed.plan.steps.flatMap(({ id }) => run.finished.get(id) ?? []);
    return { results, criteria: await runCriteria(run) };
  } finally {
    journal.drop();
  }
}

/** The tools with equal reads of a moment made once: each problem of a storm asks the same about its service. */
export function sharedReads(tools: ReadDeps['tools'], keeping: CacheTime): ReadDeps['tools'] {
  const recent = createCache<Record<string, unknown>>(keeping);
  return new Map(
    [...tools].map(([name, tool]): [string, Tool] => {
      if (tool.effect !== 'read') return [name, tool];
      const { manifest, run } = tool.tool;
      const shared: typeof run = (args, context) =>
        recent.of(`${name} ${canonicalJson(jsonOf(args))}`, () => run(args, context));
      return [name, { effect: 'read', tool: { manifest, run: shared } }];
    }),
  );
}

function nothingStored(requestId: string, startedAt: Date): Checkpoint {
  const none = {
    via: null,
    outcome: null,
    finishedAt: null,
    cancel: null,
    revision: null,
    card: null,
    grant: null,
    facts: null,
  };
  return {
    requestId,
    number: 1,
    mode: 'read',
    state: 'running',
    begun: true,
    startedAt,
    ...none,
    results: [],
    writes: [],
  };
}
