import type { ArgValue, Step } from './plan.ts';
import { isRef, splitRef } from './refs.ts';

/** New names of steps by their old ones. */
export type Renames = ReadonlyMap<string, string>;

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
export function renameCel(source: string, renames: Renames): string {
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
  if (step.each !== undefined) renamed.each = renameRef(step.each, renames);
  if (step.oneOf !== undefined) renamed.oneOf = renameRef(step.oneOf, renames);
  if (step.when !== undefined) renamed.when = renameCel(step.when, renames);
  if (step.success !== undefined) renamed.success = step.success.map((s) => renameCel(s, renames));
  if (step.verify !== undefined) {
    const { args, holds } = step.verify;
    renamed.verify = { ...step.verify, args: renameArgs(args, renames), holds: renameCel(holds, renames) };
  }
  return renamed;
}

/** An id for a step that no other has; it is taken from then on. */
export function freeId(wanted: string, taken: Set<string>): string {
  let id = wanted;
  for (let count = 2; taken.has(id); count += 1) id = `${wanted.slice(0, 28)}_${count}`;
  taken.add(id);
  return id;
}
