import { z } from 'zod';
import { codeTypes } from '../../core/code.ts';
import type { Policy } from '../../core/policy.ts';

const part = z.union([z.string(), z.strictObject({ ref: z.string() })]);

/** Arguments as a list, since strict mode has no records; values as in a plan. */
const argument = z.strictObject({
  name: z.string(),
  value: z.union([z.string(), z.number(), z.boolean(), z.strictObject({ ref: z.string() }), z.array(part)]),
});

const step = z.strictObject({
  id: z.string(),
  tool: z.string(),
  why: z.string(),
  args: z.array(argument),
  needs: z.array(z.string()),
  when: z.string().nullable(),
  each: z.string().nullable(),
  if_skipped: z.enum(['skip', 'run']),
  success: z.array(z.string()),
});

/** Times for repeated checks, in the words of the request; empty where it gives none. */
const watch = z.strictObject({ every: z.string(), at: z.string(), days: z.string(), until: z.string() });

/** A result as a list of fields, since strict mode has no records. */
const code = z.strictObject({
  source: z.string(),
  result: z.array(z.strictObject({ name: z.string(), type: z.enum(codeTypes) })),
});
export type WireStep = z.infer<typeof step> & { readonly code?: z.infer<typeof code> | null };

/**
 * The schema of the model's answer, within the rules of strict mode: one object at the root, every field required, no
 * length limits (conversion and review check those). It cannot state an effect, a risk, an estimate, a digest or an
 * input's origin: code works those out.
 */
export const modelAnswerSchema = answerWith(step);

/** With a place for code, for operators who let a model write it. */
const answerWithCode = answerWith(step.extend({ code: code.nullable() }));

export type ModelPlanAnswer = z.infer<typeof modelAnswerSchema> & { readonly plan: WirePlan | null };
export type WirePlan = Omit<Plan, 'steps'> & { readonly steps: readonly WireStep[] };
type Plan = NonNullable<z.infer<typeof modelAnswerSchema>['plan']>;

export function answerSchemaFor({ code: from }: Pick<Policy, 'code'>): z.ZodType<ModelPlanAnswer> {
  return from === 'model' ? answerWithCode : modelAnswerSchema;
}

function answerWith<S extends z.ZodType>(stepSchema: S) {
  const plan = z.strictObject({
    summary: z.string(),
    assumptions: z.array(z.string()),
    omitted: z.array(z.string()),
    steps: z.array(stepSchema),
    success: z.array(z.string()),
    watch: watch.nullable(),
  });
  return z.strictObject({
    answer: z.enum(['plan', 'clarify', 'refuse']),
    plan: plan.nullable(),
    clarify: z
      .strictObject({ question: z.string(), missing: z.array(z.string()), options: z.array(z.string()) })
      .nullable(),
    refuse: z
      .strictObject({
        reason: z.enum(['no_tool', 'out_of_scope', 'dangerous', 'injection', 'not_configured']),
        explanation: z.string(),
      })
      .nullable(),
    confidence: z.number(),
  });
}
export type WireWatch = z.infer<typeof watch>;
