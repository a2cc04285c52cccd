import { cut, oneLine } from '../core/clean-text.ts';
import { type Scope, stepsReadBy } from '../core/condition.ts';
import { ancestors, type Node } from '../core/graph.ts';
import type { Step } from '../core/plan.ts';
import { refsOf, splitRef } from '../core/refs.ts';
import { capital, stepSentence, type Vocabulary, withoutText } from '../core/step-words.ts';

/** Ids for steps without one: the verb of the tool, numbered from the second on. */
export function withIds(steps: readonly { readonly id: string | null; readonly tool: string }[]): string[] {
  const taken = new Set(steps.flatMap(({ id }) => id ?? []));
  return steps.map(({ id, tool }) => {
    if (id !== null) return id;
    const verb = /[a-z][a-z0-9_]{0,27}/.exec(tool.split('.')[1] ?? '')?.[0] ?? 'step';
    let made = verb;
    for (let number = 2; taken.has(made); number += 1) made = `${verb}${number}`;
    taken.add(made);
    return made;
  });
}

/** The steps that each step references and that its condition reads. */
interface Links {
  readonly refs: readonly string[];
  readonly reads: readonly string[];
}

/** The part of the scope that a condition may read: the cost of checking grows with its scope. */
export function scopeOf(condition: string, scope: Scope): Scope {
  return new Map([...scope].filter(([id]) => condition.includes(id)));
}

function linksOf(steps: readonly Step[], scope: Scope): Links[] {
  return steps.map((step) => ({
    refs: refsOf(step).map(({ ref }) => splitRef(ref).step),
    reads:
      step.when === undefined
        ? []
        : stepsReadBy(step.when, scopeOf(step.when, scope)).filter((id) => id !== step.id),
  }));
}

/** Needs of one step: stated, implied by references, and implied by its condition unless already reached another way. */
function needsOf(
  id: string,
  stated: readonly string[],
  { refs, reads }: Links,
  all: readonly Node[],
): string[] {
  const needs = [...new Set([...stated, ...refs])];
  for (const read of reads) {
    const graph = all.map((node) => (node.id === id ? { id, needs } : node));
    if (!ancestors(graph, id).has(read)) needs.push(read);
  }
  return needs;
}

function nodesOf(steps: readonly Step[], links: readonly Links[]): Node[] {
  return steps.map(({ id, needs }, index) => {
    const { refs = [], reads = [] } = links[index] ?? {};
    return { id, needs: [...needs, ...refs, ...reads] };
  });
}

/** Steps with all their needs; the input only has the stated ones. */
export function withNeeds(steps: readonly Step[], scope: Scope): Step[] {
  const links = linksOf(steps, scope);
  const nodes = nodesOf(steps, links);
  return steps.map((step, index) => ({
    ...step,
    needs: needsOf(step.id, step.needs, links[index] ?? { refs: [], reads: [] }, nodes),
  }));
}

/** For each step the smallest set of stated needs from which `withNeeds` gives the same result. */
export function statedNeeds(steps: readonly Step[], scope: Scope): string[][] {
  const links = linksOf(steps, scope);
  const nodes = nodesOf(steps, links);
  return steps.map(({ id, needs }, index) => {
    const link = links[index] ?? { refs: [], reads: [] };
    const isEnough = (stated: string[]): boolean => needsOf(id, stated, link, nodes).join() === needs.join();
    const length = needs.findIndex((_, end) => isEnough(needs.slice(0, end)));
    return length < 0 ? needs : needs.slice(0, length);
  });
}

/** Default `why` of a step: what it does. */
export function defaultWhy(step: Step, words: Vocabulary): string {
  return cut(oneLine(capital(withoutText(stepSentence(step, words)))), 300) || step.tool;
}
