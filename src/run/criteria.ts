import { compileCondition } from '../core/condition.ts';
import { describeError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import type { Manifest } from '../core/manifest.ts';
import type { CriterionResult } from '../core/run.ts';
import type { ActiveRun } from './active-run.ts';

/** A criterion that is a sentence for people, not CEL. */
const inWords = 'words:';

/** Evaluates success criteria over what is there. Nothing is guessed: what cannot be said is null with a reason. */
export function checkCriteria(
  sources: readonly string[],
  step: string | null,
  scope: ReadonlyMap<string, Manifest>,
  results: ReadonlyMap<string, JsonObject>,
): CriterionResult[] {
  return sources.map((source) => {
    if (source.startsWith(inWords)) {
      return { step, source, holds: null, why: 'it is in words, for people to judge' };
    }
    try {
      return { step, source, holds: compileCondition(source, scope).holds(results), why: null };
    } catch (error) {
      return { step, source, holds: null, why: describeError(error).message };
    }
  });
}

/** Criteria of every step that ran and of the plan, after the run. */
export function runCriteria(run: ActiveRun): CriterionResult[] {
  const results = new Map<string, JsonObject>();
  for (const [id, { result }] of run.finished) if (result) results.set(id, result);
  const { plan } = run.sealed;
  const scope = run.vocabulary.scope;
  return [
    ...plan.steps
      .filter((step) => run.finished.get(step.id)?.status === 'succeeded')
      .flatMap((step) => checkCriteria(step.success ?? [], step.id, scope, results)),
    ...checkCriteria(plan.success, null, scope, results),
  ];
}
