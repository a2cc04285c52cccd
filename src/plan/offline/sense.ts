import { z } from 'zod';

export const list = z.array(z.string());
const lists = z.record(z.string(), list);

/** What a phrase means for whatever tool, as words.yml has it. */
const commonRoles = [
  ...(['compare', 'compareAfter', 'older', 'versus', 'comparing', 'condition', 'exists', 'gather'] as const),
  ...([
    'negation',
    'readonly',
    'vague',
    'anyone',
    'pronoun',
    'result',
    'pondering',
    'time',
    'nothing',
  ] as const),
] as const;

export const wordsSchema = z.object({
  senses: z.record(z.enum(commonRoles), z.union([list, lists])),
  numbers: z.record(z.string(), z.number()),
  units: lists,
  fractions: z.record(z.string(), z.string()),
  small: lists,
  foreign: lists,
  acronyms: list,
  refusals: z.array(
    z.object({
      reason: z.enum(['dangerous', 'injection', 'no_tool', 'out_of_scope']),
      all: z.array(list),
      within: z.number(),
      say: z.string(),
      first: z.boolean().default(false),
    }),
  ),
});
export type Words = z.infer<typeof wordsSchema>;

/** What a phrase can mean. `of` is the tool, the list or the operator that it belongs to. */
export interface Sense {
  readonly role: 'verb' | 'noun' | 'also' | 'cue' | 'after' | 'value' | (typeof commonRoles)[number];
  readonly of: string;
  /** Argument of a tool, for cues and values. */
  readonly arg?: string;
  readonly value?: string;
}

/** Senses of a phrase that was found, with the number of tokens it takes. */
export interface Phrase {
  readonly length: number;
  readonly senses: readonly Sense[];
}
