import { ancestors, graphOf, type Node, waves } from '../core/graph.ts';
import type { JsonObject } from '../core/json.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Step } from '../core/plan.ts';
import type { Sealed } from '../core/revision.ts';
import type { RunMode, StepResult } from '../core/run.ts';
import { type Vocabulary, vocabularyOf } from '../core/step-words.ts';
import type { Tool } from '../core/tool.ts';
import type { Checkpoint } from '../store/load-run.ts';
import type { RunKey } from '../store/runs.ts';
import type { Cancel } from '../store/write-facts.ts';
import { codeTool } from './code/code-tool.ts';
import type { WorkDeps } from './context.ts';
import type { Journal } from './journal.ts';

/** A running execution of one revision. */
export interface ActiveRun {
  readonly deps: WorkDeps;
  readonly key: RunKey;
  readonly journal: Journal;
  /** Its progress when this process took over. */
  readonly stored: Checkpoint;
  /** Who requested it to stop, as of a moment ago. */
  readonly cancel: () => Promise<Cancel | null>;
  readonly mode: RunMode;
  readonly startedAt: Date;
  /** When this process took over. */
  readonly enteredAt: Date;
  readonly sealed: Sealed;
  readonly digest: string;
  /** Address of the request's thread, fetched once, or null. */
  readonly threadLink: () => Promise<string | null>;
  readonly nodes: readonly Node[];
  readonly vocabulary: Vocabulary;
  readonly finished: Map<string, StepResult>;
  /** The steps each step waits for: only these may stop it, so that no outcome depends on which step was faster. */
  readonly before: Map<string, readonly string[]>;
}

export function toolOf({ deps, vocabulary }: Pick<ActiveRun, 'deps' | 'vocabulary'>, step: Step): Tool {
  const { scope } = vocabulary;
  const manifest = scope.get(step.id);
  if (step.code !== undefined && manifest !== undefined)
    return { effect: 'read', tool: codeTool(step, step.code, { manifest, scope, pool: deps.code }) };
  const tool = deps.tools.get(step.tool);
  if (tool !== undefined) return tool;
  throw new TypeError(`no tool ${step.tool}`);
}

/**
 * The steps a step waits for. Reads start as soon as their needs are met. A write also waits for every read that does
 * not itself come after a write, and for all earlier waves: reads first, writes last, so that a failed read stops every
 * write of the plan. This cannot form a cycle, because reads before writes never wait for a write.
 */
function waitsFor(step: Step, steps: readonly Step[], effectOf: (step: Step) => 'read' | 'write'): string[] {
  const nodes = graphOf(steps);
  const own = nodes.find((node) => node.id === step.id)?.needs ?? [];
  if (effectOf(step) === 'read') return [...own];
  const writes = new Set(steps.filter((one) => effectOf(one) === 'write').map((one) => one.id));
  const waveOf = new Map(waves(nodes).waves.flatMap((wave, index) => wave.map((id) => [id, index])));
  const before = steps.filter((one) => {
    if ((waveOf.get(one.id) ?? 0) < (waveOf.get(step.id) ?? 0)) return true;
    return !writes.has(one.id) && [...ancestors(nodes, one.id)].every((id) => !writes.has(id));
  });
  return [...new Set([...own, ...before.map((one) => one.id)])];
}

/**
 * The steps each step waits for, sorted so that a step comes after all of them. The order depends only on the plan, not
 * on how its steps are listed.
 */
export function callOrder(
  steps: readonly Step[],
  effectOf: (step: Step) => 'read' | 'write',
): { order: Node[]; stuck: string[] } {
  const nodes = steps.map((step) => ({ id: step.id, needs: waitsFor(step, steps, effectOf) }));
  const { waves: found, stuck } = waves(nodes);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return { order: found.flat().flatMap((id) => byId.get(id) ?? []), stuck };
}

/** Results that a step may see: only those of the steps before it. */
export function resultsFor(run: ActiveRun, stepId: string): Map<string, JsonObject> {
  const results = new Map<string, JsonObject>();
  for (const id of ancestors(run.nodes, stepId)) {
    const result = run.finished.get(id)?.result;
    if (result) results.set(id, result);
  }
  return results;
}

/** Manifests of the steps that a condition of this step may name. */
export function scopeFor(run: ActiveRun, stepId: string): Map<string, Manifest> {
  const before = ancestors(run.nodes, stepId);
  return new Map([...run.vocabulary.scope].filter(([id]) => before.has(id)));
}

export function activeRun(start: Omit<ActiveRun, 'nodes' | 'vocabulary' | 'finished' | 'before'>): ActiveRun {
  const { steps } = start.sealed.plan;
  const manifests = new Map([...start.deps.tools].map(([name, { tool }]) => [name, tool.manifest]));
  return {
    ...start,
    nodes: graphOf(steps),
    vocabulary: vocabularyOf(steps, manifests),
    finished: new Map(),
    before: new Map(),
  };
}
