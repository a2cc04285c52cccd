import { z } from 'zod';
import { address, target, text } from '../src/core/fields.ts';
import { defineManifest } from '../src/core/manifest.ts';
import { issuesAsked, issueWords } from './issue-words.ts';

export const jiraCount = defineManifest({
  name: 'jira.count',
  effect: 'read',
  system: 'jira',
  summary: 'Count Jira issues that match a project, priority, status, type, assignee, label, text or time.',
  keywords: ['how many', 'number of', 'count', 'tickets', 'issues', 'bugs', 'backlog', 'queue'],
  asked: {
    ...issuesAsked,
    verbs: [
      'how many',
      'how much',
      'count',
      'tally',
      'number of',
      'count of',
      'total',
      'total of',
      'amount of',
      'amount',
      'tell how many',
      'number',
    ],
    examples: [
      'how many open P1 tickets are in OPS',
      'count unassigned bugs in PAY',
      'number of P2s in OPS created in the last 2 days',
    ],
    compares: { number: 'total' },
    tells: 'total',
  },
  args: z.object({
    project: target('project', 'Jira project key').optional(),
    priority: target('severity', 'priority P1 to P5').optional(),
    priority_not: target('severity', 'priority P1 to P5 that issues must not have').optional(),
    status: text(60, 'open, closed, all, or the name of a status').optional(),
    type: text(40, 'issue type such as bug').optional(),
    assignee: text(80, 'unassigned, or a name').optional(),
    assignee_not: text(80, 'a name: issues that are not assigned to them').optional(),
    label: text(80, 'label that issues carry').optional(),
    label_not: text(80, 'label that issues must not carry').optional(),
    text: text(200, 'words to be found in the issue').optional(),
    window: text(
      20,
      'ISO 8601 duration: created (closed, of closed issues) within this time before now',
    ).optional(),
    since: text(40, 'calendar word or date: created (closed, of closed issues) since then').optional(),
    older_than: text(20, 'ISO 8601 duration: created longer ago than this').optional(),
    not_updated_for: text(20, 'ISO 8601 duration: not changed within this time').optional(),
  }),
  result: z.object({
    total: z.int().min(0).describe('number of matching issues'),
    approximate: z.boolean().describe('true when Jira gives an estimate'),
    jql: text(2_000, 'the query that was counted'),
    link: address('address of the query in Jira'),
  }),
  main: 'total',
  yields: 'internal',
  sentence: (args) => `Count ${issueWords(args)}`,
  outcome: ({ total, approximate }, args) => `${approximate ? 'about ' : ''}${total} ${issueWords(args)}`,
  shows: { links: [{ field: 'link', words: 'Open in Jira', names: 'jql' }] },
  nouns: { total: issueWords },
});
