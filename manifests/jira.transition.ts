import { z } from 'zod';
import { address, target, text } from '../src/core/fields.ts';
import { defineManifest } from '../src/core/manifest.ts';

export const jiraTransition = defineManifest({
  name: 'jira.transition',
  effect: 'write',
  system: 'jira',
  summary: 'Move one Jira issue to another status.',
  keywords: ['move', 'close', 'resolve', 'reopen', 'set to', 'mark as done', 'status', 'transition'],
  asked: {
    role: 'move',
    verbs: ['move', 'set', 'close', 'reopen', 'transition'],
    nouns: ['status'],
    examples: [
      'move OPS-3 to In Review',
      'close PAY-7',
      'set OPS-12 to Done',
      'PAY-9 is done, close it',
      'OPS-4 -> Blocked',
    ],
  },
  args: z.object({
    key: target('issue', 'issue key such as OPS-12'),
    status: target('transition', 'name of the status to move to'),
    resolution: text(60, 'if Jira asks').optional(),
    fields: text(2_000, 'other fields of the screen, one a line: Root cause: deploy').optional(),
  }),
  later: ['fields'],
  result: z.object({
    key: target('issue', 'issue key'),
    status: z.string().max(60).describe('status after the move'),
    before: z.string().max(60).describe('status before the move'),
    link: address('address of the issue'),
  }),
  main: 'status',
  yields: 'internal',
  limits: { timeoutMs: 15_000, attempts: 1 },
  sentence: (args) =>
    `Move ${args.key} to ${args.status}${args.resolution ? ` with resolution ${args.resolution}` : ''}`,
  said: ['key', 'before'],
  shows: { links: [{ field: 'link', words: 'Open the ticket', names: 'key' }] },
  outcome: ({ key, status, before }) =>
    status === before ? `${key} was ${status} already` : `moved ${key} from ${before} to ${status}`,
  success: {
    words: ({ key, status }) => `${key} is in ${status}`,
    // A workflow may move it straight on.
    holds: 'after.status == made.status || after.status != made.before',
    read: { tool: 'jira.get', args: ({ key }) => ({ key }) },
    repeatable: true,
  },
  reaches: ({ key }) => ({ how: 'tells', whom: `the watchers of ${key}` }),
  inDoubt: 'look',
  notDone: (args) => `${args.key} was not moved`,
  nouns: {
    status: (args) => `the status of ${args.key}`,
    before: (args) => `the earlier status of ${args.key}`,
    link: (args) => `the link to ${args.key}`,
  },
  undo: 'The issue can be moved back to where it was, where the workflow allows it; watchers may already have been told.',
  undoBy: ({ key, status, before }) =>
    status === before
      ? null
      : { words: 'Move it back', tool: 'jira.transition', args: { key, status: before } },
});
