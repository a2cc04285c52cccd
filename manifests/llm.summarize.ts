import { z } from 'zod';
import { freeText, text } from '../src/core/fields.ts';
import { defineManifest } from '../src/core/manifest.ts';

/** The model is an outside service: it takes `internal` data and nothing above. */
export const llmSummarize = defineManifest({
  name: 'llm.summarize',
  effect: 'read',
  system: 'model',
  summary: 'Summarise the results of earlier steps in a few sentences.',
  keywords: ['summarize', 'summary', 'recap', 'digest', 'in short', 'overview', 'hand-over'],
  asked: {
    verbs: [
      'summarize',
      'summarise',
      'sum up',
      'recap',
      'condense',
      'tldr',
      'tl;dr',
      'digest',
      'wrap up',
      'boil down',
      'brief',
      'shorten',
    ],
    nouns: [
      'summary',
      'recap',
      'overview',
      'tldr',
      'tl;dr',
      'digest',
      'short version',
      'wrap-up',
      'brief summary',
      'rundown',
      'synopsis',
      'gist',
    ],
    args: { input: { takes: 'results' } },
    examples: ['summarize OPS-3', 'give me a summary of the open P1 tickets in OPS'],
    tells: 'text',
  },
  args: z.object({
    input: text(20_000, 'what to summarise, made of results of earlier steps'),
    about: text(200, 'what the reader wants to know').optional(),
  }),
  result: z.object({ text: freeText(4_000, 'the summary') }),
  main: 'text',
  yields: 'internal',
  limits: { timeoutMs: 30_000, attempts: 2 },
  sentence: (args) => `Summarise ${args.input}`,
  nouns: { text: () => 'the summary' },
});
