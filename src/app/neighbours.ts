import { digestOf } from '../core/canonical.ts';
import { catalogueDigest } from '../core/catalogue.ts';
import { policyDigest } from '../core/policy.ts';
import * as processes from '../store/processes.ts';
import type { ProcessParts } from './process-parts.ts';
import { version } from './version.ts';

/** Milliseconds between looks at the other processes on this database. */
const lookMs = 10_000;

/**
 * Makes this process known to the others, and says where they do not fit together: of another version, which is fine
 * while a new one is rolled out, or of other rules, under which they stop each other's plans.
 */
export async function meetNeighbours(parts: ProcessParts & { readonly executor: string }): Promise<void> {
  const { options, ops, ground, workspace, executor, repeat } = parts;
  const { env, log, now } = options;
  const { db, teamId } = ground;
  const [role, rules] = [env.COUNTERSIGN_ROLE, rulesOf(workspace)];
  await processes.register(db, { id: executor, teamId, role, version: version(), rules, startedAt: now() });
  const neighbours = async () => (await processes.living(db)).filter((other) => other.teamId === teamId);
  const told = new Set<string>();
  const warn = (facts: Readonly<Record<string, string>>, words: string): void => {
    const key = JSON.stringify([facts, words]);
    if (!told.has(key)) log.warn(facts, words);
    told.add(key);
  };
  repeat(lookMs, async () => {
    for (const other of await neighbours()) {
      const facts = { process: other.id, role: other.role, theirs: other.version, ours: version() };
      if (other.version !== version()) warn(facts, otherVersion);
      else if (other.rules !== rules) warn(facts, otherRules);
    }
  });
  if (role !== 'front') return;
  ops.readiness.set('executors', async () => {
    const others = await neighbours();
    return others.some((other) => other.role !== 'front') ? null : 'none is up';
  });
}

const otherVersion =
  'Another version is using this database. That is fine during a rollout; stop the older one afterwards';
const otherRules =
  'Another process has different settings or a different countersign.yml, so each stops the plans of the other. Give them all the same and restart them';

/** What a plan is made under and must be run under. */
function rulesOf({ catalogue, policy }: ProcessParts['workspace']): string {
  return digestOf({ catalogue: catalogueDigest(catalogue), policy: policyDigest(policy) });
}
