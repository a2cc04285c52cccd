import { z } from 'zod';
import { target, text } from '../src/core/fields.ts';
import { defineManifest } from '../src/core/manifest.ts';

export const jiraTransition = defineManifest({
  name: 'jira.transition',
  effect: 'write',
  system: 'jira',
  summary: 'Move one Jira issue to another status.',
  keywords: ['move', 'close', 'resolve', 'reopen', 'set to', 'mark as done', 'status', 'transition'],
  args: z.object({
    key: target('issue', 'issue key such as OPS-12'),
    status: target('transition', 'name of the status to move to'),
  }),
  result: z.object({
    key: target('issue', 'issue key'),
    status: z.string().max(60).describe('status after the move'),
    before: z.string().max(60).describe('status before the move'),
    link: text(500, 'address of the issue'),
  }),
  main: 'status',
  yields: 'internal',
  limits: { timeoutMs: 15_000, attempts: 1 },
  sentence: (args) => `Move ${args.key} to ${args.status}`,
  nouns: {
    status: (args) => `the status of ${args.key}`,
    before: (args) => `the earlier status of ${args.key}`,
    link: (args) => `the link to ${args.key}`,
  },
  undo: 'The issue can be moved back to the status that the report names, where the workflow allows it.',
});
