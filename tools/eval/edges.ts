import type { CaseStep, EvalCase } from './cases.ts';
import type { Matching } from './match.ts';
import type { Prediction } from './vocabulary.ts';

/** Hits, misses and false alarms of one kind. */
export interface Tally {
  hit: number;
  expected: number;
  predicted: number;
}

/** Edges after transitive reduction: `a > c` is dropped where `a > b > c` holds. */
function reducedEdges(steps: readonly CaseStep[], skipped: ReadonlySet<string>): [string, string][] {
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

/** Removes an optional step from the graph: its dependants get its needs. */
function bridge(needs: Map<string, Set<string>>, id: string, skipped: string): void {
  const own = needs.get(id);
  own?.delete(skipped);
  for (const before of needs.get(skipped) ?? []) own?.add(before);
}

function toolPair(
  steps: readonly CaseStep[],
  edge: readonly [string, string],
  name: (step: CaseStep) => string,
): string {
  return edge
    .map((id) => {
      const step = steps.find((candidate) => candidate.id === id);
      return step ? name(step) : id;
    })
    .join('>');
}

/** Pairs of tools joined by a dependency. Optional steps are left out. */
export function scoreEdges(expected: EvalCase, predicted: Prediction, matching: Matching): Tally {
  const asExpected = new Map(
    [...matching.pairs].map(([id, step]) => [
      step.id,
      expected.steps.find((other) => other.id === id)?.tool ?? step.tool,
    ]),
  );
  const optional = new Set(
    predicted.steps
      .filter((step) => expected.optional_tools.includes(step.tool) && !asExpected.has(step.id))
      .map((step) => step.id),
  );
  const wanted = reducedEdges(expected.steps, new Set()).map((edge) =>
    toolPair(expected.steps, edge, (step) => step.tool),
  );
  const found = reducedEdges(predicted.steps, optional).map((edge) =>
    toolPair(predicted.steps, edge, (step) => asExpected.get(step.id) ?? step.tool),
  );
  const left = [...found];
  let hit = 0;
  for (const edge of wanted) {
    const at = left.indexOf(edge);
    if (at < 0) continue;
    left.splice(at, 1);
    hit += 1;
  }
  return { hit, expected: wanted.length, predicted: found.length };
}
