import { z } from 'zod';
import { watchSchema } from './cadence.ts';
import { head } from './clean-text.ts';
import { codeSchema } from './code.ts';

/** Limits of a plan. Anything over a limit is refused, never truncated. */
export const planLimits = {
  bytes: 65_536,
  steps: 40,
  depth: 12,
  needs: 20,
  goal: 2_000,
  summary: 200,
  text: 4_000,
  condition: 300,
  causes: 20,
  /** Checks that a model adds to an investigation. */
  ideas: 5,
  omitted: 120,
  omissions: 6,
} as const;

export const causeIdPattern = /^[a-z][a-z0-9-]{0,39}$/;
export const stepIdPattern = /^[a-z][a-z0-9_]{0,31}$/;

/** `{ ref: "count.total" }`: a field of the result of an earlier step. */
const refSchema = z.strictObject({
  ref: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,31}(\.[a-z][A-Za-z0-9_]{0,40}){1,3}$/, 'must look like step.field'),
});
export type Ref = z.infer<typeof refSchema>;

/** Text of a plan. Half a surrogate pair has no canonical JSON, so such a plan could not be approved. */
const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => value.isWellFormed(), 'must not hold half of a character');

const part = z.union([text(planLimits.text), refSchema]);
const scalar = z.union([text(planLimits.text), z.number(), z.boolean()]);
/** A literal, a reference, or a list of literal and reference parts. */
export const argValueSchema = z.union([scalar, refSchema, z.array(part).max(60)]);
export type ArgValue = z.infer<typeof argValueSchema>;

/** A text as an argument: in parts where it is longer than one may be. */
export function textParts(whole: string): ArgValue {
  if (whole.length <= planLimits.text) return whole;
  const parts: string[] = [];
  for (let at = 0; at < whole.length; at += parts.at(-1)?.length ?? 1)
    parts.push(head(whole.slice(at), planLimits.text));
  return parts;
}

const argsSchema = z.record(z.string().regex(/^[a-z][a-z_]{0,40}$/), argValueSchema);

/** Seconds after a write within which its check must hold. */
export const verifyWithin = { min: 5, max: 1_800 } as const;

/** A read after a write, and the condition that says whether the write helped. */
const verifySchema = z.strictObject({
  /** Seconds after the write. */
  within: z.int().min(verifyWithin.min).max(verifyWithin.max),
  tool: text(60),
  args: argsSchema,
  /** CEL over its result, which is called `after`, and those of the plan's steps. */
  holds: text(planLimits.condition).min(1),
});
export type Verify = z.infer<typeof verifySchema>;

const listRef = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,31}\.[a-z][A-Za-z0-9_]{0,40}$/, 'must look like step.field');

export const stepSchema = z.strictObject({
  id: z.string().regex(stepIdPattern, 'must be lower case letters, digits and _, at most 32'),
  tool: text(60),
  why: text(300).min(1),
  args: argsSchema,
  /** For a step of the tool `code`: what it computes from its arguments. */
  code: codeSchema.optional(),
  needs: z.array(z.string().regex(stepIdPattern)).max(planLimits.needs).default([]),
  /** CEL over the results of needed steps. Absent: always. */
  when: text(planLimits.condition).min(1).optional(),
  /** CEL over this step's own and earlier results, or a sentence in words (marked `words:`), checked after the step. */
  success: z.array(text(planLimits.condition).min(1)).max(5).optional(),
  /** `stop`: no further write starts. `continue`: only steps that need this one are skipped. */
  onError: z.enum(['stop', 'continue']).default('stop'),
  /** How to go on when a needed step was skipped. */
  onSkip: z.enum(['skip', 'run']).default('skip'),
  /** For writes: how it is looked up afterwards whether it helped. */
  verify: verifySchema.optional(),
  /** For writes: the list of a read, `list.keys`, for each entry of which the write is made. No card has such a step. */
  each: listRef.optional(),
  /** The list that this write's target was taken from when the card was made. */
  oneOf: listRef.optional(),
});
export type Step = z.infer<typeof stepSchema>;

const inputSchema = z.strictObject({
  name: text(60).min(1),
  value: text(300),
  /** Origin of the value, so that guesses show: the goal's text, a configured default, or an answer. */
  source: z.enum(['text', 'default', 'asked']),
});
export type PlanInput = z.infer<typeof inputSchema>;

const sentence = text(300).min(1);

/** A possible cause: what the operator calls it, and the condition over the plan's reads that supports it. */
const plannedCauseSchema = z.strictObject({
  id: z.string().regex(causeIdPattern, 'must be lower case letters, digits and -, at most 40'),
  sentence: sentence.refine((words) => !/[\r\n]/.test(words), 'must be one line'),
  when: text(planLimits.condition).min(1),
});
export type PlannedCause = z.infer<typeof plannedCauseSchema>;

export const planSchema = z.strictObject({
  goal: text(planLimits.goal).min(1),
  summary: text(planLimits.summary).min(1),
  inputs: z.array(inputSchema).max(20).default([]),
  assumptions: z.array(text(300).min(1)).max(10).default([]),
  /** Parts of the request that no step carries, in its own words. Absent: there are none. */
  omitted: z.array(text(planLimits.omitted).min(1)).min(1).max(planLimits.omissions).optional(),
  steps: z.array(stepSchema).min(1).max(planLimits.steps),
  /** Criteria for the whole plan, CEL over the results, checked when the run has ended. */
  success: z.array(text(planLimits.condition).min(1)).max(10).default([]),
  /** The service that a plan is about, with the causes that it settles, or that its writes are for. Absent: another plan. */
  situation: z
    .strictObject({
      service: text(100).min(1),
      causes: z.array(plannedCauseSchema).max(planLimits.causes),
      /** Ids of reads that a model added; no cause rests on them. */
      ideas: z.array(text(60).min(1)).min(1).max(planLimits.ideas).optional(),
    })
    .optional(),
  /** When it is checked repeatedly. Absent: once. */
  watch: watchSchema.optional(),
});
export type Plan = z.infer<typeof planSchema>;
/** Who or what made a plan. `person`: typed in plan notation. */
export type PlannedBy = 'offline' | 'model' | 'playbook' | 'person';
/** A plan as it may be written by hand: fields with defaults may be missing. */
export type PlanDraft = z.input<typeof planSchema>;
