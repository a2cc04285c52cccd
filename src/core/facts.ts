import { canonicalJson, sha256 } from './canonical.ts';
import type { Manifest } from './manifest.ts';
import type { Plan } from './plan.ts';
import type { StepResult } from './run.ts';

/** What the reads of a plan came to before anybody was asked for a yes, in the order of its steps. */
export type Facts = readonly StepResult[];

/**
 * What a yes would do now. `writes`: at least one write would be made. `nothing`: none would, because their conditions
 * do not hold or because there are none. `unclear`: something that decides it could not be read.
 */
export type Prospect = 'writes' | 'nothing' | 'unclear';

/** Skipped because of a condition, its own or that of a step before it, or because it is so already. */
const meant = new Set(['condition_false', 'need_skipped', 'done_already']);

/** True for a write that would be made, or that hangs on the result of one. */
export function isDescribed(result: StepResult | undefined): boolean {
  return result?.reason?.code === 'dry_run';
}

export function prospectOf(plan: Plan, facts: Facts, manifests: ReadonlyMap<string, Manifest>): Prospect {
  const writes = plan.steps.filter((step) => manifests.get(step.tool)?.effect !== 'read');
  const results = writes.map((step) => facts.find(({ stepId }) => stepId === step.id));
  if (results.some((result) => result?.reason?.code === 'cannot_work')) return 'unclear';
  if (results.some(isDescribed)) return 'writes';
  const isMeant = (result: StepResult | undefined) => meant.has(result?.reason?.code ?? '');
  return results.every(isMeant) ? 'nothing' : 'unclear';
}

/** Names what somebody saw before a yes, for the audit log. */
export function factsDigest(facts: Facts): string {
  const seen = facts.map(({ stepId, status, result, reason }) => ({ stepId, status, result, reason }));
  return sha256(canonicalJson(seen.sort((a, b) => a.stepId.localeCompare(b.stepId))));
}
