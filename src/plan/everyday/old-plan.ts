import type { Manifest } from '../../core/manifest.ts';
import type { ArgValue, Plan, Step } from '../../core/plan.ts';
import { isRef, refsIn, splitRef } from '../../core/refs.ts';
import { vocabularyOf } from '../../core/step-words.ts';
import type { OldCompare, OldStep } from './heard.ts';
import { isMade } from './texts.ts';

const comparison =
  /^([a-z]\w*(?:\.\w+)+(?:\s*\+\s*[a-z]\w*(?:\.\w+)+)*)\s*(>=|<=|==|!=|>|<)\s*(-?\d+(?:\.\d+)?|"[^"]*"|true|false|[a-z]\w*(?:\.\w+)+)$/u;

/** A plan in the form that changes are read against; null where a condition is not a list of comparisons. */
export function oldSteps(plan: Plan, manifests: ReadonlyMap<string, Manifest>): OldStep[] | null {
  const words = vocabularyOf(plan.steps, manifests);
  const ids = plan.steps.map(({ id }) => id);
  const nth = (ref: string): number => ids.indexOf(splitRef(ref.trim()).step) + 1;
  const steps = plan.steps.map((step): OldStep | null => {
    const when = step.when === undefined ? null : whenOf(step.when, nth, plan.steps, manifests);
    if (step.when !== undefined && when === null) return null;
    const args = Object.entries(step.args).filter(
      ([arg, value]) => !isMade(step, arg, words) && !isComposed(value),
    );
    const looked = new Set(
      when?.parts.flatMap(({ left, right }) => [...left, Number(/^\$(\d+)$/u.exec(right)?.[1] ?? 0)]),
    );
    const after = step.needs
      .map((id) => ids.indexOf(id) + 1)
      .filter((at) => !looked.has(at) && !JSON.stringify(step.args).includes(`"${ids[at - 1]}.`));
    return {
      tool: step.tool,
      args: args.map(([arg, value]) => ({ arg, text: textOf(value, nth), held: value })),
      when,
      after,
    };
  });
  return steps.some((step) => step === null) ? null : (steps as OldStep[]);
}

/** Words with results in them. The network does not see such a text; a step that is kept keeps it. */
const isComposed = (value: ArgValue): boolean =>
  Array.isArray(value) &&
  refsIn(value).length > 0 &&
  value.some((part) => typeof part === 'string' && /\p{L}/u.test(part));

/** The steps of a changed plan, with the composed texts that their steps had before. */
export function keepComposed(
  steps: readonly Step[],
  before: Plan | null,
  manifests: ReadonlyMap<string, Manifest>,
): Step[] {
  if (before === null) return [...steps];
  const words = vocabularyOf(before.steps, manifests);
  const ids = new Set(steps.map(({ id }) => id));
  return steps.map((step) => {
    const old = before.steps.find(({ id, tool }) => id === step.id && tool === step.tool);
    const kept = Object.entries(old?.args ?? {}).filter(
      ([arg, value]) =>
        isComposed(value) &&
        step.args[arg] === undefined &&
        !isMade(old as Step, arg, words) &&
        refsIn(value).every((ref) => ids.has(splitRef(ref).step)),
    );
    const sources = kept.flatMap(([, value]) => refsIn(value).map((ref) => splitRef(ref).step));
    const needs = [...new Set([...step.needs, ...sources])];
    return { ...step, args: { ...step.args, ...Object.fromEntries(kept) }, needs };
  });
}

function textOf(value: ArgValue, nth: (ref: string) => number): string {
  const parts = [value].flat().map((part) => (isRef(part) ? `$${nth(part.ref)}` : String(part)));
  return parts.join(' ').trim();
}

function whenOf(
  cel: string,
  nth: (ref: string) => number,
  steps: readonly Step[],
  manifests: ReadonlyMap<string, Manifest>,
): OldStep['when'] {
  const any = cel.includes('||');
  const parts = cel.split(any ? '||' : '&&').map((said): OldCompare | null => {
    const [, left = '', op = '', right = ''] = comparison.exec(said.trim()) ?? [];
    if (op === '') return null;
    const refs = left.split('+').map(nth);
    const isState = /^(?:true|false)$/u.test(right);
    const field = left.split('.').at(-1) ?? '';
    const compares = manifests.get(steps[(refs[0] ?? 1) - 1]?.tool ?? '')?.asked?.compares;
    const value = /^[a-z]\w*\.\w/u.test(right)
      ? `$${nth(right)}`
      : isState
        ? field === compares?.assigned
          ? 'unassigned'
          : 'done'
        : right.replaceAll('"', '');
    const isNegative = isState && (field === compares?.assigned) === (right === 'true');
    const minutes = /minutes$/u.test(field) && /^\d+$/u.test(value) ? `PT${value}M` : value;
    return { op: isState ? (isNegative ? '!=' : '==') : op, right: minutes, left: refs };
  });
  return parts.some((part) => part === null) ? null : { any, parts: parts as OldCompare[] };
}
