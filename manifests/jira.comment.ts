import { z } from 'zod';
import { target, text } from '../src/core/fields.ts';
import { defineManifest } from '../src/core/manifest.ts';

export const jiraComment = defineManifest({
  name: 'jira.comment',
  effect: 'write',
  system: 'jira',
  summary: 'Add a comment to one Jira issue.',
  keywords: ['comment', 'reply on the ticket', 'note on the ticket', 'leave a comment'],
  args: z.object({
    key: target('issue', 'issue key such as OPS-12'),
    text: text(3_000, 'the comment'),
  }),
  result: z.object({
    id: text(40, 'id of the comment'),
    link: text(500, 'address of the comment'),
  }),
  yields: 'internal',
  limits: { timeoutMs: 15_000, attempts: 1 },
  sentence: (args) => `Comment on ${args.key}: “${args.text}”`,
  said: ['id', 'link'],
  made: { field: 'link', words: 'Open the comment' },
  outcome: (_result, args) => `commented on ${args.key}`,
  inDoubt: 'look',
  notDone: (args) => `nothing was written to ${args.key}`,
  nouns: { link: (args) => `the link to the comment on ${args.key}` },
  undo: 'The comment can be deleted in Jira; watchers may already have been told.',
});
