import { z } from 'zod';
import { target, text } from '../src/core/fields.ts';
import { defineManifest } from '../src/core/manifest.ts';

export const jiraComment = defineManifest({
  name: 'jira.comment',
  effect: 'write',
  system: 'jira',
  summary: 'Add a comment to one Jira issue.',
  keywords: ['comment', 'reply on the ticket', 'note on the ticket', 'leave a comment'],
  asked: {
    verbs: [
      'comment',
      'reply',
      'leave a comment',
      'add a comment',
      'add comment',
      'write',
      'put',
      'respond',
      'add',
      'leave a note',
      'add a note',
      'paste',
      'drop',
      'post',
      'note',
      'drop a comment',
      'drop a note',
      'post a comment',
    ],
    nouns: ['comment'],
    args: {
      key: { cues: ['on', 'to', 'in', 'into', 'under', 'at', 'onto', 'as a comment on', 'ticket'] },
      text: {
        takes: 'message',
        cues: [
          'that',
          'saying',
          'says',
          ':',
          'with',
          'about',
          'stating',
          'saying that',
          'to say',
          'to say that',
        ],
      },
    },
    examples: ['comment "fixed in 3.1" on OPS-3', 'reply on HELP-9 that the fix is live'],
  },
  args: z.object({
    key: target('issue', 'issue key such as OPS-12'),
    text: text(3_000, 'the comment'),
  }),
  result: z.object({
    id: text(40, 'id of the comment'),
    link: text(500, 'address of the issue'),
  }),
  yields: 'internal',
  limits: { timeoutMs: 15_000, attempts: 1 },
  sentence: (args) => `Comment on ${args.key}: “${args.text}”`,
  nouns: { link: (args) => `the link to ${args.key}` },
  undo: 'The comment can be deleted in Jira; watchers may already have been told.',
});
