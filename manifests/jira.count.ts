import { z } from 'zod';
import { address, duration, target, text, time } from '../src/core/fields.ts';
import { defineManifest } from '../src/core/manifest.ts';
import { thousands } from '../src/core/numbers.ts';
import { timeGroups } from '../src/core/queries/template.ts';
import { byWords, groupRows, groupWords, saidGroups, shownGroups } from './group-words.ts';
import { issueWords } from './issue-words.ts';

export const jiraCount = defineManifest({
  name: 'jira.count',
  effect: 'read',
  system: 'jira',
  summary: 'Count the Jira issues that match.',
  keywords: ['how many', 'number of', 'count', 'tickets', 'issues', 'bugs', 'backlog', 'queue'],
  asked: {
    role: 'count',
    verbs: ['count', 'how many', 'number of'],
    nouns: ['ticket', 'issue', 'bug', 'task', 'story', 'epic', 'backlog', 'queue'],
    examples: [
      'how many open P1 tickets are in OPS',
      'count unassigned bugs in PAY',
      'number of P2s in OPS created in the last 2 days',
      'any open P1 in WEB?',
      'size of the OPS backlog',
    ],
    compares: { number: 'total' },
    tells: 'total',
  },
  args: z.object({
    project: target('project', 'Jira project key').optional(),
    priority: target('severity', 'priority P1 to P5').optional(),
    priority_not: target('severity', 'priority they must not have').optional(),
    status: text(60, 'open, closed, all, or a status').optional(),
    status_not: text(60, 'a status').optional(),
    type: text(40, 'such as bug').optional(),
    type_not: text(40, 'a type').optional(),
    component: text(80, 'component').optional(),
    assignee: text(80, 'unassigned, me, or a name').optional(),
    assignee_not: text(80, 'a name').optional(),
    label: text(80, 'label').optional(),
    label_not: text(80, 'label they lack').optional(),
    text: text(200, 'words in it').optional(),
    window: duration('duration: created (closed) in it').optional(),
    since: time('word or date').optional(),
    until: time('as since').optional(),
    during: time('day, week, month', { whole: true }).optional(),
    older_than: duration('duration').optional(),
    updated_within: duration('duration').optional(),
    updated_since: time('date').optional(),
    not_updated_for: duration('duration').optional(),
    by: z
      .enum(['assignee', 'priority', 'status', 'project', ...timeGroups])
      .describe('group by it')
      .optional(),
  }),
  result: z.object({
    total: z.int().min(0).describe('number of matching issues'),
    approximate: z.boolean().describe('true when there are too many to count, and Jira gives an estimate'),
    jql: text(2_000, 'the query that was counted'),
    link: address('address of the query in Jira'),
    ...groupRows,
  }),
  measures: true,
  main: 'total',
  yields: 'internal',
  said: saidGroups,
  sentence: (args) => `Count ${issueWords(args)}${byWords(args.by)}`,
  outcome: ({ total, approximate, ...groups }, args) =>
    `${approximate ? 'about ' : ''}${thousands(total)} ${issueWords(args, total)}${groupWords(args.by, groups)}`,
  shows: {
    tables: [shownGroups],
    links: [{ field: 'link', words: 'Open in Jira', names: 'jql' }],
    besides: saidGroups,
  },
  nouns: { total: (args) => issueWords(args) },
});
