import { z } from 'zod';
import { exactNumber, freeText } from '../src/core/fields.ts';
import { type ArgWords, defineManifest } from '../src/core/manifest.ts';
import { measured } from '../src/core/numbers.ts';

/** Two numbers that other steps read. Its result is as confidential as what goes in: see the rule about flows. */
export const numbersShare = defineManifest({
  name: 'numbers.share',
  effect: 'read',
  system: 'numbers',
  summary: 'One number in percent of another.',
  keywords: ['share', 'percentage', 'percent', 'proportion', 'ratio', 'rate'],
  asked: {
    verbs: [],
    examples: [
      'open P1 tickets in OPS as a share of open tickets in OPS',
      'what percentage of open tickets in OPS are P1',
      'page ops if open P1 tickets in OPS exceed 50 % of open tickets in OPS',
    ],
    compares: { number: 'percent' },
    tells: 'words',
  },
  args: z.object({
    part: exactNumber('number of a part'),
    whole: exactNumber('number of the whole'),
  }),
  result: z.object({
    percent: z.number().describe('share in percent; absent where whole is not above 0').optional(),
    part: z.number().describe('number of a part'),
    whole: z.number().describe('number of the whole'),
    words: freeText(120, 'both numbers and the share'),
  }),
  measures: true,
  main: 'percent',
  said: ['percent', 'part', 'whole', 'words'],
  shows: { besides: ['part', 'whole'] },
  purpose: 'decide',
  yields: 'internal',
  accepts: 'restricted',
  sentence: ({ part, whole }) => `Compute ${part} as a share of ${whole}`,
  outcome: ({ percent, part, whole }, args) => {
    const [one, all, about] = namesOf(args);
    const numbers = `${one}${about}: ${measured(part)} of ${measured(whole)} ${all}`;
    return percent === undefined
      ? `${numbers}, so there is no share`
      : `${numbers}, ${measured(percent, '%')}`;
  },
  nouns: {
    percent: (args) => `${shareWords(args)} (%)`,
    words: shareWords,
  },
});

/** "the share of errors among requests of checkout today" */
function shareWords(args: ArgWords): string {
  const [part, whole, about] = namesOf(args);
  return `the share of ${part} among ${whole}${about}`;
}

const beginnings = / (?:of|in|on|for|from|since|today|yesterday|created|closed)(?= |$)/gu;

/** The words that both end with are said once: "errors", "requests" and " of checkout today". */
function namesOf({
  part = 'a part',
  whole = 'a whole',
}: ArgWords): [part: string, whole: string, about: string] {
  const [one, all] = [bare(part), bare(whole)];
  const places = [...all.matchAll(beginnings)].map(({ index }) => index);
  const about = places.map((at) => all.slice(at)).find((words) => one.endsWith(words)) ?? '';
  const without = (name: string): string => name.slice(0, name.length - about.length);
  return [without(one), without(all), about];
}

const bare = (name: string): string => name.replaceAll(/[‹›]/gu, '').replace(/^the number of /u, '');
