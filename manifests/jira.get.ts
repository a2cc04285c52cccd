import { z } from 'zod';
import { freeText, target } from '../src/core/fields.ts';
import { defineManifest } from '../src/core/manifest.ts';

export const jiraGet = defineManifest({
  name: 'jira.get',
  effect: 'read',
  system: 'jira',
  summary: 'Show one Jira issue: summary, status, priority, assignee, age and latest comment.',
  keywords: ['show', 'details', 'status of', 'who has', 'ticket', 'issue', 'look at', 'open ticket'],
  args: z.object({ key: target('issue', 'issue key such as OPS-12') }),
  result: z.object({
    key: target('issue', 'issue key'),
    /** Set by whoever configures the workflow, not by who writes the ticket, so conditions may read it. */
    status: z.string().max(60).describe('name of the status'),
    priority: z.string().max(40).describe('priority as P1 to P5, else its name'),
    assigned: z.boolean().describe('true when somebody is assigned'),
    assignee: freeText(200, 'who is assigned, empty when nobody is'),
    summary: freeText(500, 'summary of the issue'),
    age_minutes: z.int().min(0).describe('minutes since it was created'),
    idle_minutes: z.int().min(0).describe('minutes since it was last changed'),
    link: freeText(500, 'address of the issue'),
    lines: freeText(8_000, 'the issue in a few lines'),
  }),
  main: 'status',
  yields: 'internal',
  sentence: (args) => `Show ${args.key}`,
  nouns: {
    status: (args) => `the status of ${args.key}`,
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
