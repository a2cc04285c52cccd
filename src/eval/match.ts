import type { CaseStep, EvalCase } from './cases.ts';
import type { Prediction } from './vocabulary.ts';

/** Expected steps paired with predicted ones; what is left over on either side. */
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

/** Pairs steps by tool, the likest first, so that two counts of different projects find each other. */
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

/** Edges after transitive reduction: `a > c` is dropped where `a > b > c` holds. */
export function reducedEdges(steps: readonly CaseStep[], skipped: ReadonlySet<string>): [string, string][] {
  const needs = new Map(steps.map((step) => [step.id, new Set(step.needs)]));
  for (const step of steps)
    for (const need of [...(needs.get(step.id) ?? [])]) if (skipped.has(need)) bridge(needs, step.id, need);
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean => {
    if (seen.has(from)) return false;
    seen.add(from);
    return [...(needs.get(from) ?? [])].some((next) => next === to || reaches(next, to, seen));
  };
  const edges: [string, string][] = [];
  for (const step of steps) {
    if (skipped.has(step.id)) continue;
    const own = [...(needs.get(step.id) ?? [])];
    for (const need of own) {
      const around = own.some((other) => other !== need && reaches(other, need));
      if (!around) edges.push([need, step.id]);
    }
  }
  return edges;
}

/** Leaves an optional step out of the graph: what needs it needs what it needed. */
function bridge(needs: Map<string, Set<string>>, id: string, skipped: string): void {
  const own = needs.get(id);
  own?.delete(skipped);
  for (const before of needs.get(skipped) ?? []) own?.add(before);
}
