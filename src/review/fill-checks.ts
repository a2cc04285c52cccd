import { z } from 'zod';
import type { Catalogue } from '../core/catalogue.ts';
import { fieldInfo, unwrap } from '../core/fields.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Plan, Step } from '../core/plan.ts';
import { renameStep } from '../core/rename.ts';
import { checkId } from '../core/verify.ts';
import { parse } from '../notation/parse.ts';
import type { Input, Inputs } from '../notation/values.ts';

/** A plan whose writes are verified as their manifests declare, where the plan does not say how itself. */
export function withDeclaredChecks(plan: Plan, catalogue: Catalogue): Plan {
  const taken = new Set(plan.steps.map(({ id }) => id));
  const steps = plan.steps.flatMap((step): Step[] => {
    const filled = step.verify === undefined ? declared(step, catalogue, taken) : [step];
    for (const { id } of filled) taken.add(id);
    return filled;
  });
  return { ...plan, steps };
}

/**
 * The step with its check, after the reads that this needs. Unchanged where none is declared, or where it cannot be made
 * of this step's arguments and the tools that are there.
 */
function declared(step: Step, { manifests, off }: Catalogue, taken: ReadonlySet<string>): Step[] {
  const check = manifests.get(step.tool)?.verify;
  const read = check && parse(check.plan, manifests, inputsOf(step)).plan?.steps;
  if (check === undefined || !read || read.some(({ tool }) => off?.has(tool))) return [step];
  const before = read.filter(({ id }) => id !== checkId);
  const ids = new Map(before.map(({ id }) => [id, freeId(id, taken)]));
  const after = read.find(({ id }) => id === checkId);
  const { tool, args, success: [holds] = [] } = renameStep(after ?? step, ids);
  if (after === undefined || holds === undefined) return [step];
  const reads = before.map((one): Step => {
    return { ...renameStep(one, ids), id: ids.get(one.id) ?? one.id, onError: 'continue' };
  });
  return [...reads, { ...step, verify: { within: check.within, tool, args, holds } }];
}

export function freeId(id: string, taken: ReadonlySet<string>): string {
  let free = id;
  for (let number = 2; taken.has(free); number += 1) free = `${id}${number}`;
  return free;
}

function inputsOf({ args }: Step): Inputs {
  const literals = Object.entries(args).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number'
      ? [[name, { value, inCondition: typeof value === 'number' ? value : null }] as const]
      : [],
  );
  return new Map(literals);
}

/** Why a tool's declared check cannot be used; null for one that can, and where none is declared. */
export function checkProblem(
  { args, verify }: Manifest,
  manifests: ReadonlyMap<string, Manifest>,
): string | null {
  if (verify === undefined) return null;
  const samples = Object.entries(args.shape).map(([name, schema]) => [name, sampleOf(schema)] as const);
  const { plan, problems } = parse(verify.plan, manifests, new Map(samples));
  const [first] = problems;
  if (plan === null) return first?.message ?? 'It is no plan.';
  if (plan.steps.some(({ tool }) => manifests.get(tool)?.effect === 'write')) return 'It may only read.';
  const after = plan.steps.find(({ id }) => id === checkId);
  return after?.success?.length === 1 ? null : 'Its step after needs one line expect.';
}

function sampleOf(schema: z.core.$ZodType): Input {
  const inner = unwrap(schema);
  const { target } = fieldInfo(schema);
  if (inner instanceof z.ZodNumber) return { value: 1, inCondition: 1 };
  const word =
    inner instanceof z.ZodEnum ? String(inner.options[0]) : target === 'project' ? 'OPS' : 'sample';
  return { value: word, inCondition: null };
}
