import { canonicalJson } from '../core/canonical.ts';
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

/** Step names in CEL stand before a dot; strings are left alone. */
function renameCel(source: string, renames: Renames): string {
  return source.replace(
    /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\b[a-z][a-z0-9_]*(?=\s*\.)/g,
    (token) => renames.get(token) ?? token,
  );
}

function renameStep(step: Step, renames: Renames): Step {
  const renamed: Step = {
    ...step,
    needs: [...new Set(step.needs.map((need) => renames.get(need) ?? need))],
    args: Object.fromEntries(
      Object.entries(step.args).map(([name, value]) => [name, renameArg(value, renames)]),
    ),
  };
  if (step.when !== undefined) renamed.when = renameCel(step.when, renames);
  if (step.success !== undefined) renamed.success = step.success.map((s) => renameCel(s, renames));
  return renamed;
}

/** Reads that ask the same under the same condition become one; what used the second uses the first. */
function mergeEqualReads(plan: Plan, manifests: ReadonlyMap<string, Manifest>): Plan {
  const first = new Map<string, string>();
  const renames = new Map<string, string>();
  const kept: Step[] = [];
  for (const original of plan.steps) {
    const step = renameStep(original, renames);
    const isRead = manifests.get(step.tool)?.effect === 'read';
    const key = canonicalJson([
      step.tool,
      step.args,
      step.when ?? null,
      [...step.needs].sort(),
      step.onError,
      step.onSkip,
    ]);
    const same = isRead ? first.get(key) : undefined;
    if (same !== undefined) {
      renames.set(step.id, same);
      continue;
    }
    if (isRead) first.set(key, step.id);
    kept.push(step);
  }
  const success = [...new Set(plan.success.map((s) => renameCel(s, renames)))];
  return renames.size === 0 ? plan : { ...plan, steps: kept, success };
}

/** The same plan, with equal reads merged and steps in the order in which they can run: earlier waves, reads first. */
export function optimise(plan: Plan, manifests: ReadonlyMap<string, Manifest>): Plan {
  const merged = mergeEqualReads(plan, manifests);
  const order = waves(graphOf(merged.steps)).waves;
  const wave = new Map(order.flatMap((ids, index) => ids.map((id) => [id, index] as const)));
  const weight = (step: Step): number =>
    (wave.get(step.id) ?? 0) * 2 + (manifests.get(step.tool)?.effect === 'read' ? 0 : 1);
  const steps = merged.steps
    .map((step, index) => ({ step: { ...step, needs: dependenciesOf(step) }, index }))
    .sort((a, b) => weight(a.step) - weight(b.step) || a.index - b.index)
    .map(({ step }) => step);
  return { ...merged, steps };
}
