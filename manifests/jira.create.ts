import { z } from 'zod';
import { address, freeText, target, text } from '../src/core/fields.ts';
import { type ArgWords, defineManifest } from '../src/core/manifest.ts';

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
    role: 'create',
    verbs: ['create', 'open', 'file', 'raise'],
    nouns: ['ticket', 'issue', 'bug', 'task', 'story'],
    examples: [
      'create a P2 bug in PAY titled "cart total wrong"',
      'open a ticket in OPS about the noisy disk alert',
      'file a task in WEB: renew the certificate',
      'new P3 in OPS: queue is growing',
      'raise a bug in PAY for the failed exports',
    ],
    tells: 'link',
  },
  args: z.object({
    project: target('project', 'Jira project key'),
    summary: text(250, 'summary'),
    text: text(3_000, 'description').optional(),
    type: text(40, 'such as bug').optional(),
    priority: target('severity', 'priority P1 to P5').optional(),
    label: text(80, 'label').optional(),
    component: text(80, 'component').optional(),
    assignee: text(80, 'me, or a name').optional(),
    fields: text(2_000, 'other fields of the screen, one a line: Root cause: deploy').optional(),
    follows: target('issue', 'key of the issue that it is a follow-up of').optional(),
  }),
  later: ['fields'],
  result: z.object({
    key: target('issue', 'key of the new issue'),
    linked: z.boolean().describe('true when it is linked to the issue that it follows'),
    apart: freeText(300, 'why it is not linked').optional(),
    link: address('address of the new issue'),
  }),
  main: 'key',
  yields: 'internal',
  limits: { timeoutMs: 15_000, attempts: 1 },
  sentence: (args) =>
    `Create ${ticketWords(args)} in ${args.project}${args.follows ? `, following ${args.follows}` : ''}: “${args.summary}”`,
  said: ['key'],
  shows: { links: [{ field: 'link', words: 'Open the ticket', names: 'key' }], besides: ['apart'] },
  outcome: ({ key, linked, apart }, { follows }) => {
    if (!follows) return `created ${key}`;
    if (linked) return `created ${key} as a follow-up of ${follows}`;
    const why = apart === undefined ? '' : `${apart.replace(/\.$/, '')}; `;
    return `created ${key}, which names ${follows} but is not linked to it: ${why}link it in Jira`;
  },
  success: {
    words: ({ project }) => `the new ticket can be opened in ${project}`,
    holds: 'after.key == made.key',
    read: { tool: 'jira.get', args: ({ key }) => ({ key }) },
  },
  inDoubt: 'confirm',
  notDone: (args) => `no ticket was created in ${args.project}`,
  nouns: {
    key: (args) => `the key of the new ticket in ${args.project}`,
    link: (args) => `the link to the new ticket in ${args.project}`,
  },
  risk: 'low',
  undo: 'The issue can be closed; only Jira itself can delete it, and watchers may already have been told.',
  undoBy: ({ key }) => ({
    words: 'Close it again',
    tool: 'jira.transition',
    args: { key, status: 'Closed' },
  }),
});

/** "a P2 bug", "an incident". */
export function ticketWords({ priority, type = 'ticket' }: ArgWords): string {
  if (priority) return `a ${priority} ${type}`;
  return `${/^[aeiou]/i.test(type) ? 'an' : 'a'} ${type}`;
}
