import { canonicalJson } from '../core/canonical.ts';
import { effectOf } from '../core/code-step.ts';
import { dependenciesOf, graphOf, waves } from '../core/graph.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Plan, Step } from '../core/plan.ts';
import { renameCel, renameStep } from '../core/rename.ts';

/** Orders steps after their needs, otherwise keeps their order. */
function inOrder(steps: readonly Step[]): Step[] {
  const order = waves(graphOf(steps)).waves;
  const wave = new Map(order.flatMap((ids, index) => ids.map((id) => [id, index] as const)));
  return steps.toSorted((a, b) => (wave.get(a.id) ?? 0) - (wave.get(b.id) ?? 0));
}

/** Merges reads with the same arguments and condition; uses of the second become uses of the first. */
function withEqualReadsMerged(plan: Plan, manifests: ReadonlyMap<string, Manifest>): Plan {
  const first = new Map<string, string>();
  const renames = new Map<string, string>();
  const kept: Step[] = [];
  for (const original of inOrder(plan.steps)) {
    const step = renameStep(original, renames);
    const isRead = effectOf(step.tool, manifests) === 'read';
    const needs = [...step.needs].sort();
    const { tool, args, code = null, when = null, onError, onSkip } = step;
    const key = canonicalJson([tool, args, code, when, needs, onError, onSkip]);
    const same = isRead ? first.get(key) : undefined;
    if (same !== undefined) {
      renames.set(step.id, same);
      continue;
    }
    if (isRead) first.set(key, step.id);
    kept.push(step);
  }
  const success = [...new Set(plan.success.map((s) => renameCel(s, renames)))];
  const { situation } = plan;
  if (situation === undefined) return { ...plan, steps: kept, success };
  const causes = situation.causes.map((one) => ({ ...one, when: renameCel(one.when, renames) }));
  const { ideas: all = [], ...about } = situation;
  const ideas = all.filter((id) => !renames.has(id));
  return {
    ...plan,
    steps: kept,
    success,
    situation: { ...about, causes, ...(ideas.length === 0 ? {} : { ideas }) },
  };
}

/**
 * The same plan with equal reads merged and steps in execution order, reads before writes where they could run at the
 * same time. The plan must have passed the review.
 */
export function mergeReads(plan: Plan, manifests: ReadonlyMap<string, Manifest>): Plan {
  const merged = withEqualReadsMerged(plan, manifests);
  const isWrite = (step: Step): number => (effectOf(step.tool, manifests) === 'read' ? 0 : 1);
  const steps = inOrder(merged.steps.toSorted((a, b) => isWrite(a) - isWrite(b)));
  return { ...merged, steps: steps.map((step) => ({ ...step, needs: dependenciesOf(step) })) };
}
