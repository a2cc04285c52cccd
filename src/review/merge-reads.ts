import { canonicalJson } from '../core/canonical.ts';
import { effectOf } from '../core/code-step.ts';
import { dependenciesOf, graphOf, waves } from '../core/graph.ts';
import type { Manifest } from '../core/manifest.ts';
import type { ArgValue, Plan, Step } from '../core/plan.ts';
import { isRef, splitRef } from '../core/refs.ts';

type Renames = ReadonlyMap<string, string>;

function renameRef(ref: string, renames: Renames): string {
  const { step, path } = splitRef(ref);
  return [renames.get(step) ?? step, ...path].join('.');
}

function renameArg(value: ArgValue, renames: Renames): ArgValue {
  if (isRef(value)) return { ref: renameRef(value.ref, renames) };
  if (!Array.isArray(value)) return value;
  return value.map((part) => (isRef(part) ? { ref: renameRef(part.ref, renames) } : part));
}

/** Step names in CEL precede a dot; strings are left alone. */
function renameCel(source: string, renames: Renames): string {
  return source.replace(
    /"(?:[^"\\]|\\[\s\S])*"?|'(?:[^'\\]|\\[\s\S])*'?|\b[a-z][a-z0-9_]*(?=\s*\.)/g,
    (token) => renames.get(token) ?? token,
  );
}

function renameArgs(args: Step['args'], renames: Renames): Step['args'] {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, renameArg(value, renames)]));
}

/** The same step after other steps have got new ids. */
export function renameStep(step: Step, renames: Renames): Step {
  const renamed: Step = {
    ...step,
    needs: [...new Set(step.needs.map((need) => renames.get(need) ?? need))],
    args: renameArgs(step.args, renames),
  };
  if (step.when !== undefined) renamed.when = renameCel(step.when, renames);
  if (step.success !== undefined) renamed.success = step.success.map((s) => renameCel(s, renames));
  if (step.verify !== undefined) {
    const { args, holds } = step.verify;
    renamed.verify = { ...step.verify, args: renameArgs(args, renames), holds: renameCel(holds, renames) };
  }
  return renamed;
}

/** Orders steps after their needs, otherwise keeps their order. */
function inOrder(steps: readonly Step[]): Step[] {
  const order = waves(graphOf(steps)).waves;
  const wave = new Map(order.flatMap((ids, index) => ids.map((id) => [id, index] as const)));
  return steps.toSorted((a, b) => (wave.get(a.id) ?? 0) - (wave.get(b.id) ?? 0));
}

/** Merges reads with the same arguments and condition; uses of the second become uses of the first. */
function mergeEqualReads(plan: Plan, manifests: ReadonlyMap<string, Manifest>): Plan {
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
  return { ...plan, steps: kept, success };
}

/**
 * The same plan with equal reads merged and steps in execution order, reads before writes where they could run at the
 * same time. The plan must have passed the review.
 */
export function optimise(plan: Plan, manifests: ReadonlyMap<string, Manifest>): Plan {
  const merged = mergeEqualReads(plan, manifests);
  const isWrite = (step: Step): number => (effectOf(step.tool, manifests) === 'read' ? 0 : 1);
  const steps = inOrder(merged.steps.toSorted((a, b) => isWrite(a) - isWrite(b)));
  return { ...merged, steps: steps.map((step) => ({ ...step, needs: dependenciesOf(step) })) };
}
