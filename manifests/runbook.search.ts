import { z } from 'zod';
import { freeText, target, text } from '../src/core/fields.ts';
import { defineManifest } from '../src/core/manifest.ts';

export const runbookSearch = defineManifest({
  name: 'runbook.search',
  effect: 'read',
  system: 'runbooks',
  summary: 'Find runbooks by words, service or error code.',
  keywords: ['runbook', 'procedure', 'how to', 'guide', 'instructions', 'playbook', 'documentation'],
  args: z.object({
    query: text(200, 'words to look for').optional(),
    service: target('service', 'service name').optional(),
    code: text(120, 'error code').optional(),
  }),
  result: z.object({
    total: z.int().min(0).describe('number of runbooks found'),
    title: freeText(300, 'title of the best one, empty when none was found'),
    link: freeText(500, 'address of the best one, empty when none was found'),
    lines: freeText(8_000, 'one line for each runbook'),
  }),
  main: 'total',
  yields: 'internal',
  sentence: (args) => `Find runbooks${topic(args)}`,
  nouns: {
    total: (args) => `the number of runbooks${topic(args)}`,
    title: (args) => `the best runbook${topic(args)}`,
    link: (args) => `the link to the best runbook${topic(args)}`,
    lines: (args) => `the runbooks${topic(args)}`,
  },
});

function topic(args: { query?: string; service?: string; code?: string }): string {
  const words = [args.query, args.code].filter(Boolean).join(' ');
  return `${words ? ` on “${words}”` : ''}${args.service ? ` for ${args.service}` : ''}`;
}
