import type { CaseStep, EvalCase } from './cases.ts';
import type { Prediction } from './vocabulary.ts';

/** Expected steps paired with predicted ones, and the leftovers on both sides. */
export interface Matching {
  readonly pairs: ReadonlyMap<string, CaseStep>;
  readonly missing: readonly CaseStep[];
  readonly extra: readonly CaseStep[];
}

function fits(expected: CaseStep, predicted: CaseStep): boolean {
  return expected.tool === predicted.tool || (expected.alt?.includes(predicted.tool) ?? false);
}

function likeness(expected: CaseStep, predicted: CaseStep): number {
  const same = Object.entries(expected.args).filter(
    ([name, value]) => String(predicted.args[name]).toLowerCase() === String(value).toLowerCase(),
  );
  return (expected.tool === predicted.tool ? 10 : 0) + same.length;
}

/** Pairs steps by tool, the most similar first, so that two counts of different projects are matched correctly. */
export function matchSteps(expected: EvalCase, predicted: Prediction): Matching {
  const candidates = expected.steps.flatMap((left) =>
    predicted.steps
      .filter((right) => fits(left, right))
      .map((right) => ({ left, right, score: likeness(left, right) })),
  );
  candidates.sort((a, b) => b.score - a.score);
  const pairs = new Map<string, CaseStep>();
  const taken = new Set<string>();
  for (const { left, right } of candidates) {
    if (pairs.has(left.id) || taken.has(right.id)) continue;
    pairs.set(left.id, right);
    taken.add(right.id);
  }
  return {
    pairs,
    missing: expected.steps.filter((step) => !pairs.has(step.id)),
    extra: predicted.steps.filter(
      (step) => !taken.has(step.id) && !expected.optional_tools.includes(step.tool),
    ),
  };
}
