import { z } from 'zod';
import { freeText, text } from '../src/core/fields.ts';
import { defineManifest } from '../src/core/manifest.ts';

export const errorsLookup = defineManifest({
  name: 'errors.lookup',
  effect: 'read',
  system: 'errors',
  summary: 'Explain a known error by its code or signature.',
  keywords: ['error code', 'what does it mean', 'explain', 'known error', 'signature', 'meaning'],
  asked: {
    verbs: ['explain', 'look up', 'decode'],
    nouns: ['error', 'error code', 'known error', 'exception'],
    from: { code: 'top_code' },
    examples: [
      'what does PAY-E-2201 mean',
      'explain error ECONNRESET',
      'look up ERR_QUOTA_12',
      'is "pool is exhausted" a known error',
      'E11000 meaning?',
    ],
    compares: { any: 'total' },
    tells: 'lines',
  },
  args: z.object({ code: text(200, 'error code or signature') }),
  result: z.object({
    total: z.int().min(0).describe('number of known errors that match'),
    meaning: freeText(2_000, 'what it means, empty when it is not known'),
    lines: freeText(4_000, 'meaning, cause and advice'),
  }),
  main: 'total',
  yields: 'internal',
  sentence: (args) => `Look up error ${args.code}`,
  said: ['meaning'],
  shows: { prose: 'lines' },
  outcome: ({ total, meaning }, args) => {
    if (total === 0) return `nothing is known of error ${args.code}`;
    return total === 1
      ? `${args.code}: ${meaning.replace(/\.$/, '')}`
      : `${total} known errors for ${args.code}`;
  },
  nouns: {
    total: (args) => `known errors for ${args.code}`,
    meaning: (args) => `the meaning of ${args.code}`,
    lines: (args) => `what is known of ${args.code}`,
  },
});
