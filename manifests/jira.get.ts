import { z } from 'zod';
import { address, freeText, target } from '../src/core/fields.ts';
import { defineManifest } from '../src/core/manifest.ts';

export const jiraGet = defineManifest({
  name: 'jira.get',
  effect: 'read',
  system: 'jira',
  summary: 'Show one Jira issue: summary, status, priority, assignee, age and latest comment.',
  keywords: ['show', 'details', 'status of', 'who has', 'ticket', 'issue', 'look at', 'open ticket'],
  asked: {
    role: 'show',
    verbs: ['show', 'describe'],
    nouns: ['ticket', 'issue', 'status', 'details'],
    examples: [
      'show OPS-12',
      'what is the status of PAY-7',
      'details of OPS-12',
      'who has WEB-3',
      'is OPS-9 done',
    ],
    compares: {
      state: 'status',
      age: 'age_minutes',
      idle: 'idle_minutes',
      priority: 'priority',
      assigned: 'assigned',
      done: 'done',
    },
    tells: 'lines',
  },
  args: z.object({ key: target('issue', 'issue key such as OPS-12') }),
  result: z.object({
    key: target('issue', 'issue key'),
    /** Set by the workflow's administrator, not by a ticket's author, so conditions may read it. */
    status: z.string().max(60).describe('name of the status'),
    done: z.boolean().describe('true when its status counts as done, whatever its name'),
    priority: z.string().max(40).describe('priority as P1 to P5, else its name'),
    assigned: z.boolean().describe('true when somebody is assigned'),
    assignee: freeText(200, 'who is assigned, empty when nobody is'),
    summary: freeText(500, 'summary of the issue'),
    age_minutes: z.int().min(0).describe('minutes since it was created'),
    idle_minutes: z.int().min(0).describe('minutes since it was last changed'),
    link: address('address of the issue'),
    lines: freeText(8_000, 'the issue in a few lines'),
  }),
  said: ['key', 'summary', 'assignee', 'priority', 'age_minutes', 'idle_minutes'],
  shows: { prose: 'lines', links: [{ field: 'link', words: 'Open in Jira', names: 'key' }] },
  outcome: ({ key, status, summary, assignee }) =>
    `${key} is ${status}, ${assignee ? `assigned to ${assignee}` : 'assigned to nobody'}: ${summary}`,
  measures: true,
  main: 'status',
  yields: 'internal',
  sentence: (args) => `Show ${args.key}`,
  nouns: {
    status: (args) => `the status of ${args.key}`,
    done: (args) => `${args.key} is done`,
    priority: (args) => `the priority of ${args.key}`,
    assigned: (args) => `somebody is assigned to ${args.key}`,
    assignee: (args) => `the assignee of ${args.key}`,
    summary: (args) => `the summary of ${args.key}`,
    age_minutes: (args) => `the age in minutes of ${args.key}`,
    idle_minutes: (args) => `the minutes since the last change of ${args.key}`,
    link: (args) => `the link to ${args.key}`,
    lines: (args) => `the details of ${args.key}`,
  },
});
