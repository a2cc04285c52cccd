import { canonicalJson, sha256 } from './canonical.ts';
import { effectOf } from './code-step.ts';
import type { Manifest } from './manifest.ts';
import type { Plan } from './plan.ts';
import type { StepResult } from './run.ts';

/** Runs the reads of a plan. */
export type ReadPlan = (of: {
  readonly requestId: string;
  readonly requester: string;
  readonly plan: Plan;
}) => Promise<{ readonly results: readonly StepResult[] }>;

/** Results of a plan's reads before anyone is asked to approve it, in step order. */
export type Facts = readonly StepResult[];

/**
 * The effect of approving now. `writes`: at least one write would be made. `nothing`: none would, because no condition
 * holds or there are no writes. `unclear`: a value that decides it could not be read.
 */
export type Prospect = 'writes' | 'nothing' | 'unclear';

/** Skipped because of a condition, its own or that of a step before it, or because it is so already. */
const meant = new Set(['condition_false', 'need_skipped', 'done_already']);

/** True for a write that would be made, or that depends on the result of one. */
export function isDescribed(result: StepResult | undefined): boolean {
  return result?.reason?.code === 'dry_run';
}

export function prospectOf(plan: Plan, facts: Facts, manifests: ReadonlyMap<string, Manifest>): Prospect {
  const writes = plan.steps.filter((step) => effectOf(step.tool, manifests) !== 'read');
  const results = writes.map((step) => facts.find(({ stepId }) => stepId === step.id));
  if (results.some((result) => result?.reason?.code === 'cannot_work')) return 'unclear';
  if (results.some(isDescribed)) return 'writes';
  const isMeant = (result: StepResult | undefined) => meant.has(result?.reason?.code ?? '');
  return results.every(isMeant) ? 'nothing' : 'unclear';
}

/** Digest of the facts shown before an approval, for the audit log. */
export function factsDigest(facts: Facts): string {
  const seen = facts.map(({ stepId, status, result, reason }) => ({ stepId, status, result, reason }));
  return sha256(canonicalJson(seen.sort((a, b) => a.stepId.localeCompare(b.stepId))));
}
