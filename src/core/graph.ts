import type { Step } from './plan.ts';
import { refsOf, splitRef } from './refs.ts';

/** The parts of a step that the graph needs. */
export interface Node {
  readonly id: string;
  readonly needs: readonly string[];
}

/** Steps that must finish before `step`: its declared needs and those implied by its references. */
export function dependenciesOf(step: Pick<Step, 'args' | 'needs'>): string[] {
  const implied = refsOf(step).map(({ ref }) => splitRef(ref).step);
  return [...new Set([...step.needs, ...implied])];
}

/** Steps as graph nodes with implied dependencies included. */
export function graphOf(steps: readonly Pick<Step, 'id' | 'args' | 'needs'>[]): Node[] {
  return steps.map((step) => ({ id: step.id, needs: dependenciesOf(step) }));
}

/**
 * Topological waves: each wave needs only earlier ones, and ids within a wave are sorted, so the same graph always
 * gives the same sequence. Steps on or behind a cycle, or with an unknown need, are in `stuck`.
 */
export function waves(nodes: readonly Node[]): { waves: string[][]; stuck: string[] } {
  const done = new Set<string>();
  const found: string[][] = [];
  let left = [...nodes];
  while (left.length > 0) {
    const ready = left.filter((node) => node.needs.every((need) => done.has(need)));
    if (ready.length === 0) break;
    found.push(ready.map((node) => node.id).sort());
    for (const node of ready) done.add(node.id);
    left = left.filter((node) => !done.has(node.id));
  }
  return { waves: found, stuck: left.map((node) => node.id).sort() };
}

/** One cycle as a list of ids that starts and ends with the same step, or null. */
export function findCycle(nodes: readonly Node[]): string[] | null {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const { stuck } = waves(nodes);
  for (const start of stuck) {
    const path: string[] = [];
    let current: string | undefined = start;
    while (current !== undefined && !path.includes(current)) {
      path.push(current);
      current = byId.get(current)?.needs.find((need) => stuck.includes(need));
    }
    if (current !== undefined) return [...path.slice(path.indexOf(current)), current];
  }
  return null;
}

/** Every step that comes before `id`, directly or not. */
export function ancestors(nodes: readonly Node[], id: string): Set<string> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const seen = new Set<string>();
  const queue = [...(byId.get(id)?.needs ?? [])];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    queue.push(...(byId.get(next)?.needs ?? []));
  }
  return seen;
}
