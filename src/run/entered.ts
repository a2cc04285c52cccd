import { catalogueDigest } from '../core/catalogue.ts';
import { policyDigest } from '../core/policy.ts';
import type { Executor, ExecutorProcess, WorkDeps } from './ports.ts';

/** Computed once for each workspace: a digest goes over everything in its catalogue. */
const known = new WeakMap<WorkDeps, Executor['rules']>();

/** The one who goes on with a run that was taken over so often. */
export function entered(process: ExecutorProcess, work: WorkDeps, times: number): Executor {
  return { ...process, id: `${process.id}:${times}`, rules: rulesOf(work) };
}

function rulesOf(work: WorkDeps): Executor['rules'] {
  const rules = known.get(work) ?? {
    catalogue: catalogueDigest(work.catalogue),
    policy: policyDigest(work.policy),
  };
  known.set(work, rules);
  return rules;
}
