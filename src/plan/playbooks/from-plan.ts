import { cut } from '../../core/clean-text.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { ArgValue, Plan, Step } from '../../core/plan.ts';
import { isRef } from '../../core/refs.ts';
import { printSteps } from '../../notation/print.ts';
import { inputTypes, type Playbook, playbookSchema } from './playbook.ts';

type Inputs = readonly { readonly name: string; readonly value: string }[];

/** The inputs of a plan whose names are input types: these may differ the next time. */
function openInputs(plan: Plan): Inputs {
  const known = new Set<string>(inputTypes);
  return plan.inputs.filter(({ name, value }) => known.has(name) && value.length > 1);
}

function opened(text: string, inputs: Inputs): string {
  return inputs.reduce((filled, { name, value }) => filled.replaceAll(value, `{${name}}`), text);
}

function openedArg(value: ArgValue, inputs: Inputs): ArgValue {
  if (typeof value === 'string') return opened(value, inputs);
  if (!Array.isArray(value)) return value;
  return value.map((part) => (isRef(part) ? part : opened(part, inputs)));
}

/** Turns a proven plan into a playbook: its values become inputs with themselves as defaults. */
export function playbookFrom(
  plan: Plan,
  about: { readonly name: string; readonly owner: string },
  manifests: ReadonlyMap<string, Manifest>,
): Playbook {
  const all = openInputs(plan);
  const openedArgs = (args: Step['args']): Step['args'] =>
    Object.fromEntries(Object.entries(args).map(([name, value]) => [name, openedArg(value, all)]));
  const steps = plan.steps.map(({ success: _success, verify, ...step }) => ({
    ...step,
    args: openedArgs(step.args),
    ...(verify === undefined ? {} : { verify: { ...verify, args: openedArgs(verify.args) } }),
  }));
  const written = (inputs: Inputs): string =>
    printSteps(steps, manifests, new Set(inputs.map(({ name }) => name)));
  const used = all.filter(({ name }) => written(all).includes(`{${name}}`));
  return playbookSchema.parse({
    name: about.name,
    owner: about.owner,
    summary: opened(plan.summary, used),
    examples: [cut(plan.goal, 300)],
    inputs: Object.fromEntries(
      used.map(({ name, value }) => [
        name,
        { type: name, describe: name.replaceAll('_', ' '), default: value },
      ]),
    ),
    plan: written(used),
  });
}
