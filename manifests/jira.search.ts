import { z } from 'zod';
import { address, freeText, target, text } from '../src/core/fields.ts';
import { type ArgWords, defineManifest } from '../src/core/manifest.ts';
import { thousands } from '../src/core/numbers.ts';
import { issueWords } from './issue-words.ts';
import { jiraCount } from './jira.count.ts';
import { listWords, rankWords } from './list-words.ts';

export const jiraSearch = defineManifest({
  name: 'jira.search',
  effect: 'read',
  system: 'jira',
  summary: 'List Jira issues that match, with key, summary, status and assignee.',
  keywords: ['list', 'show', 'which', 'find', 'oldest', 'newest', 'tickets', 'issues', 'bugs'],
  asked: {
    role: 'list',
    verbs: ['list', 'show', 'find'],
    nouns: ['ticket', 'issue', 'bug', 'task', 'story', 'epic', 'backlog', 'queue'],
    examples: [
      'list open P1 tickets in OPS',
      'which bugs in PAY are unassigned',
      'the oldest open ticket in OPS',
      'my open tickets',
      'PAY issues that mention timeouts',
    ],
    compares: { number: 'total', age: 'first_age_minutes' },
    tells: 'lines',
  },
  args: jiraCount.args.omit({ by: true }).extend({
    order: z.enum(['newest', 'oldest', 'updated', 'priority']).describe('order of the list').optional(),
    limit: z.int().min(1).max(1_000).describe('how many to list; 20 if absent').optional(),
  }),
  result: z.object({
    total: z.int().min(0).describe('number of matching issues, also of those that are not listed'),
    approximate: z.boolean().describe('true when there are too many to count, and total is an estimate'),
    more: z.boolean().describe('true when there are others that are not listed'),
    keys: z.array(target('issue', 'issue key')).describe('keys in order'),
    first: target('issue', 'key of the first issue').optional(),
    first_age_minutes: z.int().min(0).describe('minutes since the first issue was created').optional(),
    rows: z
      .array(
        z.strictObject({
          key: target('issue', 'issue key'),
          link: address('address of the issue'),
          summary: freeText(200, 'summary of the issue'),
          status: freeText(60, 'name of its status'),
          priority: freeText(40, 'P1 to P5, else its name'),
          assignee: freeText(80, 'empty when nobody is assigned'),
          age_minutes: z.int().min(0).describe('minutes since it was created'),
        }),
      )
      .describe('the first 100 issues, field by field'),
    lines: freeText(8_000, 'one line for each issue'),
    jql: text(2_000, 'the query that was run'),
    link: address('address of the query in Jira'),
  }),
  measures: true,
  situation: ({ project }) =>
    project === undefined ? null : { project, priority: 'P1', status: 'open', order: 'newest', limit: 5 },
  main: 'total',
  yields: 'internal',
  sentence: (args) => `List ${listWords(args, (total) => issueWords(args, total))}`,
  said: ['more', 'keys', 'first'],
  shows: {
    tables: [
      {
        rows: 'rows',
        total: 'total',
        columns: [
          { field: 'key', title: 'Key', link: 'link' },
          { field: 'summary', title: 'Summary' },
          { field: 'status', title: 'Status' },
          { field: 'priority', title: 'Priority' },
          { field: 'assignee', title: 'Assignee' },
        ],
      },
    ],
    links: [{ field: 'link', words: 'Open in Jira', names: 'jql' }],
  },
  outcome: ({ total, approximate, more, keys }, args) =>
    `${more ? `${keys.length} of ` : ''}${approximate ? 'about ' : ''}${thousands(total)} ${issueWords(args, total)}`,
  nouns: {
    total: (args) => issueWords(args),
    lines: (args) => `the list of ${issueWords(args)}`,
    keys: (args) => `the ${issueWords(args)}`,
    first: (args) => theFirst(args),
    first_age_minutes: (args) => `the age in minutes of ${theFirst(args)}`,
  },
});

function theFirst(args: ArgWords): string {
  return `the ${rankWords(args.order)} ${issueWords(args, 1)}`;
}
