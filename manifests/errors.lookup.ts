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
    verbs: [
      'look it up',
      'look that up',
      'look them up',
      'look up what it means',
      'find out what it means',
      'what it means',
      'its meaning',
      'the meaning',
      'the explanation',
      'explain',
      'decode',
      'look up',
      'lookup',
      'translate',
      'what is',
      'what does',
      'what means',
    ],
    nouns: [
      'error code',
      'error',
      'err',
      'known error',
      'exception',
      'meaning',
      'meaning of',
      'explanation',
      'mean',
      'signature',
      'error signature',
      'stand for',
      'code',
    ],
    calls: ['code'],
    args: {
      code: {
        takes: 'code',
        from: 'top_code',
        cues: [
          'error',
          'code',
          'error code',
          'exception',
          'signature',
          'error signature',
          'meaning of',
          'called',
          'is',
        ],
      },
    },
    examples: ['what does PAY-E-2201 mean', 'explain error ECONNRESET', 'look up ERR_QUOTA_12'],
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
