import { cut } from '../core/clean-text.ts';
import { effectOf } from '../core/code-step.ts';
import { compileCondition } from '../core/condition.ts';
import { ancestors, dependenciesOf, graphOf } from '../core/graph.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Plan, Step } from '../core/plan.ts';
import { refsOf, splitRef } from '../core/refs.ts';
import { type FailedRun, isCorrectable, type StepResult } from '../core/run.ts';
import { vocabularyOf } from '../core/step-words.ts';
import { evidenceOf } from '../core/verify.ts';

/** Steps whose results a step uses, in arguments, in its condition or in its check. */
function usedBy(step: Step, plan: Plan, manifests: ReadonlyMap<string, Manifest>): Set<string> {
  const { scope } = vocabularyOf(plan.steps, manifests);
  const inWhen = step.when === undefined ? [] : compileCondition(step.when, scope).steps;
  const inCheck = step.verify === undefined ? [] : evidenceOf(step.verify);
  return new Set([...refsOf(step).map(({ ref }) => splitRef(ref).step), ...inWhen, ...inCheck]);
}

/** Skipped because of a condition, its own or an earlier step's: nothing is missing. */
const meant = new Set(['condition_false', 'condition_changed', 'need_skipped']);

/** Done, possibly done, or left out because of a condition. */
function isSettled(result: StepResult | undefined): boolean {
  if (result?.status === 'skipped') return meant.has(result.reason?.code ?? '');
  return result?.status === 'succeeded' || isInDoubt(result);
}

/** Possibly done, and a second one would be one too many. */
function isInDoubt(result: StepResult | undefined): boolean {
  return result?.status === 'unknown' && !isCorrectable(result);
}

/** Whether a failed run left any step that was not done, is not in doubt and does not depend on one in doubt. */
export function leavesAnything({ plan, results }: Pick<FailedRun, 'plan' | 'results'>): boolean {
  return undone(plan, results).size > 0;
}

/**
 * Steps to run again or for the first time: failed ones, those that did not take effect, and those skipped because of
 * either. Not the steps after a write
 * in doubt: "they were paged" must not be sent while nobody knows.
 */
function undone(plan: Plan, results: readonly StepResult[]): Set<string> {
  const left = new Set<string>();
  const status = new Map(results.map((result) => [result.stepId, result]));
  const nodes = graphOf(plan.steps);
  for (const step of plan.steps) {
    if (isSettled(status.get(step.id))) continue;
    if ([...ancestors(nodes, step.id)].some((id) => isInDoubt(status.get(id)))) continue;
    left.add(step.id);
  }
  return left;
}

/**
 * The rest of a failed run as a plan of its own: the steps that were not done, and again the reads whose results they
 * use. Never contains a write that was made, or may have been. Null when nothing is left, or when a remaining step
 * needs the result of a completed write.
 */
export function remainder(
  plan: Plan,
  results: readonly StepResult[],
  manifests: ReadonlyMap<string, Manifest>,
): Plan | null {
  const keep = undone(plan, results);
  if (keep.size === 0) return null;
  const queue = [...keep];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    const step = plan.steps.find((one) => one.id === id);
    if (!step) continue;
    for (const used of usedBy(step, plan, manifests)) {
      if (keep.has(used)) continue;
      const tool = plan.steps.find((one) => one.id === used)?.tool ?? '';
      if (effectOf(tool, manifests) !== 'read') return null;
      keep.add(used);
      queue.push(used);
    }
  }
  const steps = plan.steps
    .filter((step) => keep.has(step.id))
    .map((step) => ({ ...step, needs: dependenciesOf(step).filter((need) => keep.has(need)) }));
  return { ...plan, summary: summaryOf(plan, keep, manifests), steps, success: [] };
}

/** "Again: …" if none of its writes was made, else "What is left of: …". */
function summaryOf(
  { summary, steps }: Plan,
  keep: ReadonlySet<string>,
  manifests: ReadonlyMap<string, Manifest>,
): string {
  const isAll = steps.every(({ id, tool }) => keep.has(id) || effectOf(tool, manifests) === 'read');
  const first = summary.replace(/^(Again|What is left of): /, '');
  return cut(`${isAll ? 'Again' : 'What is left of'}: ${first}`, 200);
}
