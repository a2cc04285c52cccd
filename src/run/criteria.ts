import { compileCondition, sentenceOf } from '../core/condition.ts';
import { describeError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import { levels, type Manifest } from '../core/manifest.ts';
import type { CriterionResult } from '../core/run.ts';
import type { ActiveRun } from './active-run.ts';

/** Evaluates success criteria over the available results. Never guesses: an undecidable one is null, with a reason. */
export function checkCriteria(
  sources: readonly string[],
  step: string | null,
  scope: ReadonlyMap<string, Manifest>,
  results: ReadonlyMap<string, JsonObject>,
): CriterionResult[] {
  return sources.map((source) => {
    if (sentenceOf(source) !== null) {
      return { step, source, holds: null, why: 'it is in words, for people to judge' };
    }
    try {
      return { step, source, holds: compileCondition(source, scope).holds(results), why: null };
    } catch (error) {
      return { step, source, holds: null, why: describeError(error).message };
    }
  });
}

/** Criteria of the plan and of every step that ran, after the run. */
export async function runCriteria(run: ActiveRun): Promise<CriterionResult[]> {
  const results = new Map<string, JsonObject>();
  for (const [id, { result }] of run.finished) if (result) results.set(id, result);
  const { plan } = run.sealed;
  const scope = run.vocabulary.scope;
  const checked = [
    ...plan.steps
      .filter((step) => run.finished.get(step.id)?.status === 'succeeded')
      .flatMap((step) => checkCriteria(step.success ?? [], step.id, scope, results)),
    ...checkCriteria(plan.success, null, scope, results),
  ];
  return Promise.all(checked.map((criterion) => withOpinion(run, criterion, results)));
}

/** A model never decides a criterion in words; its view is shown beside it as an opinion. */
async function withOpinion(
  run: ActiveRun,
  criterion: CriterionResult,
  results: ReadonlyMap<string, JsonObject>,
): Promise<CriterionResult> {
  const { judge } = run.deps;
  const sentence = sentenceOf(criterion.source);
  if (judge === null || sentence === null) return criterion;
  const cleared = [...results].filter(([id]) => isCleared(run.vocabulary.scope.get(id)));
  try {
    const opinion = await judge(sentence, Object.fromEntries(cleared));
    return { ...criterion, why: `opinion of the model: ${opinion}` };
  } catch (error) {
    // The steps' outcome stands even if an opinion fails.
    run.deps.log.warn({ ...run.key, reason: describeError(error).message }, 'a criterion was not judged');
    return criterion;
  }
}

/** The model is an outside service: it may see internal data and nothing above. */
function isCleared(manifest: Manifest | undefined): boolean {
  return manifest !== undefined && levels.indexOf(manifest.yields) <= levels.indexOf('internal');
}
