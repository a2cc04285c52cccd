import { z } from 'zod';
import { address, freeText, target, text } from '../src/core/fields.ts';
import { defineManifest } from '../src/core/manifest.ts';

export const runbookSearch = defineManifest({
  name: 'runbook.search',
  effect: 'read',
  system: 'runbooks',
  summary: 'Find runbooks by words, service or error code.',
  keywords: ['runbook', 'procedure', 'how to', 'guide', 'instructions', 'playbook', 'documentation'],
  asked: {
    verbs: ['find', 'search'],
    nouns: ['runbook', 'playbook', 'procedure'],
    from: { code: 'top_code' },
    seeks: 'query',
    examples: [
      'find the redis failover runbook',
      'runbook for kafka consumer lag',
      'is there a playbook for a full disk',
      'runbooks of ops',
      'what is the procedure for a failed deploy',
    ],
    compares: { number: 'total' },
    tells: 'lines',
  },
  args: z.object({
    query: text(200, 'words to look for').optional(),
    service: target('service', 'service name').optional(),
    code: text(120, 'error code').optional(),
  }),
  anyOf: ['query', 'service', 'code'],
  result: z.object({
    total: z.int().min(0).describe('number of runbooks found'),
    missed: freeText(500, 'why a place could not be searched, empty when all were'),
    title: freeText(300, 'title of the best one, empty when none was found'),
    link: address('address of the best one, empty when there is none'),
    text: freeText(2_000, 'the part of the best one that fits, as it is written'),
    runbooks: z
      .array(
        z.object({
          title: freeText(300, 'title and section'),
          place: freeText(300, 'file or space'),
          changed: freeText(40, 'ISO 8601 time of the last change, empty when it is not known'),
          link: address('address of that part'),
        }),
      )
      .max(20)
      .describe('the best ones'),
    lines: freeText(8_000, 'one line for each runbook'),
  }),
  situation: ({ name }) => ({ service: name }),
  main: 'total',
  yields: 'internal',
  sentence: (args) => `Find runbooks${topic(args)}`,
  said: ['title', 'missed'],
  shows: {
    besides: ['missed'],
    tables: [
      {
        rows: 'runbooks',
        columns: [
          { field: 'title', title: 'Runbook', link: 'link' },
          { field: 'place', title: 'Where' },
          { field: 'changed', title: 'Last change', as: 'time' },
        ],
        total: 'total',
      },
    ],
    prose: 'text',
    quotes: 'text',
    links: [{ field: 'link', words: 'Open the runbook', names: 'title' }],
  },
  outcome: ({ total, title, missed }, args) => {
    const found =
      total === 1 ? `runbook “${title}”` : `${total} runbooks${topic(args)}; the best is “${title}”`;
    const what = total === 0 ? `no runbook${topic(args)}` : found;
    return missed === '' ? what : `${what}. Not all places were searched: ${missed}`;
  },
  nouns: {
    total: (args) => `runbooks${topic(args)}`,
    title: (args) => `the best runbook${topic(args)}`,
    link: (args) => `the link to the best runbook${topic(args)}`,
    lines: (args) => `the runbooks${topic(args)}`,
  },
});

function topic(args: { query?: string; service?: string; code?: string }): string {
  const words = [args.query, args.code].filter(Boolean).join(' ');
  return `${words ? ` on “${words}”` : ''}${args.service ? ` for ${args.service}` : ''}`;
}
