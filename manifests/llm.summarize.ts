import { z } from 'zod';
import { freeText, text } from '../src/core/fields.ts';
import { defineManifest } from '../src/core/manifest.ts';

const instead = 'no model was available, so this is an extract';

/** The model is an outside service: it may see `internal` data and nothing above. */
export const llmSummarize = defineManifest({
  name: 'llm.summarize',
  effect: 'read',
  system: 'model',
  summary: 'Summarise the results of earlier steps in a few sentences.',
  keywords: ['summarize', 'summary', 'recap', 'digest', 'in short', 'overview', 'hand-over'],
  asked: {
    mustSay: true,
    verbs: ['summarize', 'summarise', 'sum up'],
    nouns: ['summary', 'recap'],
    examples: [
      'summarize OPS-3',
      'give me a summary of the open P1 tickets in OPS',
      'recap of the incidents of ops today',
      'sum up PAY-1 and PAY-2',
      'the gist of WEB-7',
    ],
    tells: 'text',
  },
  args: z.object({
    input: text(60_000, 'what to summarise, made of results of earlier steps'),
    about: text(200, 'what the reader wants to know').optional(),
  }),
  result: z.object({
    text: freeText(4_000, 'the summary'),
    marked: z.int().min(0).describe('details not in the input'),
    levels: z.int().min(0).describe('levels; 0 without a model'),
  }),
  main: 'text',
  purpose: 'decide',
  yields: 'internal',
  limits: { timeoutMs: 60_000, attempts: 1 },
  sentence: (args) => `Summarise ${args.input}`,
  said: ['marked', 'levels'],
  shows: { prose: 'text', besides: ['marked', 'levels'] },
  instead,
  outcome: ({ levels, marked }) => {
    if (levels === 0) return instead;
    const doubts = marked === 1 ? 'detail' : 'details';
    return `a summary by the model${marked === 0 ? '' : `, with ${marked} unconfirmed ${doubts}`}`;
  },
  nouns: { text: () => 'the summary', marked: () => 'unconfirmed details of the summary' },
});
