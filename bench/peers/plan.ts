import { z } from 'zod';
import { type Plan, planSchema } from '../../src/core/plan.ts';

const base = { id: z.string(), deps: z.array(z.string()).default([]) };
const args = z.record(z.string(), z.string()).default({});

/** A plan from the harness: reads, comparisons of sums, and writes that depend on a comparison. */
export const givenPlanSchema = z.object({
  title: z.string(),
  steps: z.array(
    z.discriminatedUnion('kind', [
      z.object({ ...base, kind: z.literal('read'), tool: z.string(), args }),
      z.object({
        ...base,
        kind: z.literal('compare'),
        left: z.array(z.string()),
        right: z.union([z.string(), z.number()]),
      }),
      z.object({ ...base, kind: z.literal('write'), tool: z.string(), args, when: z.string().optional() }),
    ]),
  ),
});
export type GivenPlan = z.infer<typeof givenPlanSchema>;
type Compare = Extract<GivenPlan['steps'][number], { kind: 'compare' }>;

/** The same plan in our form: a comparison becomes the condition of the write instead of a step. `run` distinguishes tools. */
export function planOf(given: GivenPlan, run: string): Plan {
  const compares = new Map(given.steps.flatMap((step) => (step.kind === 'compare' ? [[step.id, step]] : [])));
  const steps = given.steps.flatMap((step) => {
    if (step.kind === 'compare') return [];
    const compare = step.kind === 'write' && step.when !== undefined ? compares.get(step.when) : undefined;
    const needs = [...step.deps.filter((id) => !compares.has(id)), ...(compare ? operands(compare) : [])];
    const when = compare === undefined ? {} : { when: condition(compare) };
    const tool = `bench.${step.tool}`;
    return [
      {
        id: step.id,
        tool,
        why: given.title,
        args: { ...step.args, run },
        needs: [...new Set(needs)],
        ...when,
      },
    ];
  });
  return planSchema.parse({ goal: given.title, summary: given.title, steps });
}

function operands({ left, right }: Compare): string[] {
  return typeof right === 'string' ? [...left, right] : left;
}

function condition({ left, right }: Compare): string {
  const value = (id: string) => `${id}.value`;
  return `${left.map(value).join(' + ')} > ${typeof right === 'string' ? value(right) : right}`;
}
