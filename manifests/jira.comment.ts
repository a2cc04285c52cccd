import { z } from 'zod';
import { address, target, text } from '../src/core/fields.ts';
import { defineManifest } from '../src/core/manifest.ts';

export const jiraComment = defineManifest({
  name: 'jira.comment',
  effect: 'write',
  system: 'jira',
  summary: 'Add a comment to one Jira issue.',
  keywords: ['comment', 'reply on the ticket', 'note on the ticket', 'leave a comment'],
  asked: {
    mustSay: true,
    verbs: ['comment', 'remark', 'reply'],
    nouns: ['comment'],
    examples: [
      'comment "fixed in 3.1" on OPS-3',
      'reply on HELP-9 that the fix is live',
      'add a comment to PAY-7: waiting for the vendor',
      'OPS-12 needs the comment "rolled back"',
      'leave a remark on WEB-4 saying we look at it tomorrow',
    ],
  },
  args: z.object({
    key: target('issue', 'issue key such as OPS-12'),
    text: text(3_000, 'the comment'),
  }),
  result: z.object({
    id: text(40, 'id of the comment'),
    link: address('address of the comment'),
  }),
  yields: 'internal',
  limits: { timeoutMs: 15_000, attempts: 1 },
  sentence: (args) => `Comment on ${args.key}: “${args.text}”`,
  said: ['id', 'link'],
  shows: { links: [{ field: 'link', words: 'Open the comment', names: 'key' }] },
  outcome: (_result, args) => `commented on ${args.key}`,
  success: { unread: 'No tool reads a comment by its id; Jira answers with that id once it is stored.' },
  purpose: 'tell',
  reaches: ({ key }) => ({ how: 'tells', whom: `the watchers of ${key}` }),
  inDoubt: 'look',
  notDone: (args) => `nothing was written to ${args.key}`,
  nouns: { link: (args) => `the link to the comment on ${args.key}` },
  risk: 'low',
  undo: 'The comment can be deleted in Jira; watchers may already have been told.',
});
