import { z } from 'zod';

export const list = z.array(z.string());
const lists = z.record(z.string(), list);
export const wordsSchema = z.object({
  compare: lists,
  compareAfter: lists,
  older: lists,
  idle: list,
  versus: list,
  comparing: list,
  condition: lists,
  exists: lists,
  gather: lists,
  negation: list,
  readonly: list,
  anyone: list,
  pronoun: lists,
  result: list,
  numbers: z.record(z.string(), z.number()),
  units: lists,
  fractions: z.record(z.string(), z.string()),
  past: list,
  present: list,
  future: list,
  pastTense: list,
  nothing: list,
  small: lists,
  foreign: lists,
  acronyms: list,
  vague: list,
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
  readonly role:
    | 'verb'
    | 'noun'
    | 'also'
    | 'cue'
    | 'after'
    | 'value'
    | 'compare'
    | 'compareAfter'
    | 'older'
    | 'idle'
    | 'versus'
    | 'comparing'
    | 'condition'
    | 'exists'
    | 'gather'
    | 'negation'
    | 'readonly'
    | 'vague'
    | 'anyone'
    | 'pronoun'
    | 'result'
    | 'time'
    | 'nothing';
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
