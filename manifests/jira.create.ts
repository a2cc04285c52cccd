import { z } from 'zod';
import { target, text } from '../src/core/fields.ts';
import { defineManifest } from '../src/core/manifest.ts';

export const jiraCreate = defineManifest({
  name: 'jira.create',
  effect: 'write',
  system: 'jira',
  summary: 'Create one Jira issue in a project.',
  keywords: [
    'create',
    'open a ticket',
    'make a ticket',
    'raise',
    'file',
    'new ticket',
    'log a bug',
    'follow-up',
  ],
  asked: {
    verbs: ['create', 'open', 'raise', 'file', 'make', 'log', 'new', 'add a', 'open up', 'submit', 'report', 'set up a', 'put in a', 'cut', 'write up', 'need a ticket', 'need a new', 'open a', 'open an', 'file a', 'start a', 'get a', 'add ticket', 'add a new', 'put up a', 'want a ticket', 'spin up a'],
    nouns: ['ticket', 'issue', 'follow-up', 'tracking ticket', 'jira'],
    args: {
      project: { cues: ['in', 'for', 'under', 'on', 'to', 'into', 'project', 'at'] },
      summary: {
        takes: 'message',
        cues: [
          'about',
          'for',
          'titled',
          'called',
          'named',
          'saying',
          'that',
          'to',
          ':',
          'with the title',
          'title',
          'summary',
          'regarding',
          'with title',
          'because',
          'with summary',
          'on',
          'entitled',
          'reading',
        ],
      },
      text: {
        takes: 'message',
        cues: ['description', 'with description', 'with the description', 'described as'],
      },
      type: {
        words: {
          bug: ['bug', 'defect'],
          task: ['task'],
          story: ['story', 'user story'],
          incident: ['incident ticket'],
          epic: ['epic'],
        },
      },
      label: {
        takes: 'word',
        cues: ['label', 'labelled', 'labeled', 'with label', 'with the label', 'tagged'],
      },
      assignee: { takes: 'person', cues: ['assigned to', 'for', 'assign to', 'assignee'] },
    },
    examples: [
      'create a P2 bug in PAY titled "cart total wrong"',
      'open a ticket in OPS about the noisy disk alert',
    ],
    tells: 'link',
  },
  args: z.object({
    project: target('project', 'Jira project key'),
    summary: text(250, 'summary of the issue'),
    text: text(3_000, 'description of the issue').optional(),
    type: text(40, 'issue type such as bug').optional(),
    priority: target('severity', 'priority P1 to P5').optional(),
    label: text(80, 'label to set').optional(),
    assignee: text(80, 'who is assigned').optional(),
  }),
  result: z.object({
    key: target('issue', 'key of the new issue'),
    link: text(500, 'address of the new issue'),
  }),
  main: 'key',
  yields: 'internal',
  limits: { timeoutMs: 15_000, attempts: 1 },
  sentence: (args) =>
    `Create a ${[args.priority, args.type ?? 'ticket'].filter(Boolean).join(' ')} in ${args.project}: “${args.summary}”`,
  nouns: {
    key: (args) => `the key of the new ticket in ${args.project}`,
    link: (args) => `the link to the new ticket in ${args.project}`,
  },
  undo: 'The issue can be closed or deleted in Jira; watchers may already have been told.',
});
