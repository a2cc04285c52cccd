import { canonicalJson } from './canonical.ts';
import { cut } from './clean-text.ts';
import { own } from './own-property.ts';
import type { ArgValue, Plan, Step } from './plan.ts';
import { isRef } from './refs.ts';
import { renameStep } from './rename.ts';

/** One difference between two plans. */
export interface SlotChange {
  readonly tool: string;
  /** Name of the argument; or `code`, `condition`, `step`, `order`, `on error`, `on skip`, `check`, `criteria`. */
  readonly slot: string;
  /** In plan notation; empty where there was nothing, or nothing is left. */
  readonly from: string;
  readonly to: string;
}

const maxText = 200;

/** A person's changes from one plan to the other, step by step. Empty when both do the same. */
export function slotChanges(before: Plan, after: Plan): SlotChange[] {
  const was = new Map(before.steps.map((step) => [step.id, step]));
  const kept = new Set(after.steps.map(({ id }) => id));
  const changes = after.steps.flatMap((step) => {
    const old = was.get(step.id);
    if (old === undefined) return [change(step.tool, 'step', '', step.tool)];
    if (old.tool !== step.tool) return [change(step.tool, 'step', old.tool, step.tool)];
    return stepChanges(old, step);
  });
  const gone = before.steps.filter(({ id }) => !kept.has(id));
  return [...changes, ...gone.map(({ tool }) => change(tool, 'step', tool, ''))];
}

/** The differences of two planners' plans, which name their steps as they like. */
export function planDifferences(one: Plan, other: Plan): SlotChange[] {
  const free = [...one.steps];
  const names = new Map<string, string>();
  for (const [index, { id, tool }] of other.steps.entries()) {
    const same = free.findIndex((step) => step.tool === tool);
    const [step] = same < 0 ? [] : free.splice(same, 1);
    names.set(id, step?.id ?? `other_${index}`);
  }
  const steps = other.steps.map((step) => {
    return { ...renameStep(step, names), id: names.get(step.id) ?? step.id };
  });
  return slotChanges(one, { ...other, steps });
}

function stepChanges(before: Step, after: Step): SlotChange[] {
  const names = [...new Set([...Object.keys(before.args), ...Object.keys(after.args)])];
  const slots: [slot: string, from: string, to: string][] = [
    ...names.map((name): [string, string, string] => [
      name,
      written(own(before.args, name)),
      written(own(after.args, name)),
    ]),
    ['code', codeWritten(before), codeWritten(after)],
    ['condition', before.when ?? '', after.when ?? ''],
    ['order', [...before.needs].sort().join(', '), [...after.needs].sort().join(', ')],
    ['on error', before.onError, after.onError],
    ['on skip', before.onSkip, after.onSkip],
    ['check', checkText(before), checkText(after)],
    ['criteria', (before.success ?? []).join('; '), (after.success ?? []).join('; ')],
  ];
  return slots
    .filter(([, from, to]) => from !== to)
    .map(([slot, from, to]) => change(after.tool, slot, from, to));
}

function codeWritten({ code }: Step): string {
  return code === undefined ? '' : canonicalJson(code);
}

function checkText({ verify }: Step): string {
  return verify === undefined ? '' : `${verify.holds}: ${verify.tool} within ${verify.within}s`;
}

function change(tool: string, slot: string, from: string, to: string): SlotChange {
  return { tool, slot, from: cut(from, maxText), to: cut(to, maxText) };
}

function written(value: ArgValue | undefined): string {
  if (value === undefined) return '';
  if (isRef(value)) return `{${value.ref}}`;
  if (Array.isArray(value)) return value.map((part) => (isRef(part) ? `{${part.ref}}` : part)).join('');
  return typeof value === 'string' ? value : canonicalJson(value);
}
