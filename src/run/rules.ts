import { catalogueDigest } from '../core/catalogue.ts';
import { policyDigest } from '../core/policy.ts';
import type { Executor, WorkDeps } from './ports.ts';

/** Computed once per workspace: the digest covers its whole catalogue. */
const known = new WeakMap<WorkDeps, Executor['rules']>();

export function rulesOf(work: WorkDeps): Executor['rules'] {
  const rules = known.get(work) ?? {
    catalogue: catalogueDigest(work.catalogue),
    policy: policyDigest(work.policy),
  };
  known.set(work, rules);
  return rules;
}
