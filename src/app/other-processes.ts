import { version } from '../config/version.ts';
import { digestOf } from '../core/canonical.ts';
import { catalogueDigest } from '../core/catalogue.ts';
import { policyDigest } from '../core/policy.ts';
import * as processes from '../store/processes.ts';
import type { ProcessParts, TeamParts } from './process-context.ts';

/** Milliseconds between checks of the other processes on this database. */
const lookMs = 10_000;

/**
 * Registers this process in a workspace, and warns about incompatible ones: of another version, which is fine during a
 * rollout, or with other rules, under which they stop each other's plans.
 */
export async function meetNeighbours({
  options,
  ground,
  workspace,
  executor,
  repeat,
}: TeamParts): Promise<void> {
  const { env, log, now } = options;
  const { db, teamId } = ground;
  const [role, rules] = [env.COUNTERSIGN_ROLE, rulesOf(workspace)];
  await processes.register(db, { id: executor, teamId, role, version: version(), rules, startedAt: now() });
  const told = new Set<string>();
  const warn = (facts: Readonly<Record<string, string>>, words: string): void => {
    const key = JSON.stringify([facts, words]);
    if (!told.has(key)) log.warn(facts, words);
    told.add(key);
  };
  repeat(lookMs, async () => {
    for (const other of await processes.living(db)) {
      if (other.teamId !== teamId) continue;
      const facts = { process: other.id, role: other.role, theirs: other.version, ours: version() };
      if (other.version !== version()) warn(facts, otherVersion);
      else if (other.rules !== rules) warn(facts, otherRules);
    }
  });
}

/** A front runs nothing: without an executor it still accepts and stores requests, and reports that one is missing. */
export function needExecutors({ base, ops }: ProcessParts, isServing: () => boolean): void {
  ops.readiness.set('executors', async () => {
    if (!isServing()) return null;
    const others = await processes.living(base.db);
    return others.some(({ role }) => role !== 'front') ? null : { lacks: 'none is up' };
  });
}

const otherVersion =
  'Another version is using this database. That is fine during a rollout; stop the older one afterwards';
const otherRules =
  'Another process has different settings or a different countersign.yml, so each stops the plans of the other. Give them all the same and restart them';

/** The rules under which a plan is made, and must be run. */
function rulesOf({ catalogue, policy }: TeamParts['workspace']): string {
  return digestOf({ catalogue: catalogueDigest(catalogue), policy: policyDigest(policy) });
}
