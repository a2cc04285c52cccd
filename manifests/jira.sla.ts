import { z } from 'zod';
import { freeText, target, text } from '../src/core/fields.ts';
import { type ArgWords, defineManifest } from '../src/core/manifest.ts';
import { durationWords } from './issue-words.ts';

export const jiraSla = defineManifest({
  name: 'jira.sla',
  effect: 'read',
  system: 'jira',
  summary: 'SLA state of one issue or of a project: what is breached, at risk, and how much time is left.',
  keywords: ['sla', 'breach', 'breached', 'at risk', 'time left', 'about to breach', 'overdue', 'due'],
  asked: {
    verbs: [
      'show',
      'list',
      'check',
      'which',
      'what',
      'is',
      'how long',
      'how much',
      'how many',
      'has',
      'get',
      'look up',
      'find',
      'tell',
      'give',
      'will',
      'does',
      'any',
      'are',
      'see',
      'when',
    ],
    nouns: [
      'sla',
      'sla state',
      'sla status',
      'sla clock',
      'sla timer',
      'sla time',
      'time left',
      'breach',
      'deadline',
      'time remaining',
      'running out',
    ],
    also: ['ticket', 'issue', 'left', 'until', 'till', 'before', 'remaining', 'time', 'clock', 'remain', 'one', 'open', 'bug'],
    calls: ['state'],
    args: {
      key: { cues: ['of', 'on', 'for', 'is', 'in', 'ticket'] },
      project: { cues: ['in', 'of', 'for', 'on', 'at', 'project'] },
      state: {
        words: {
          breached: [
            'breached',
            'in breach',
            'over sla',
            'past sla',
            'overdue',
            'past their sla',
            'past its sla',
            'over their sla',
            'over its sla',
            'out of sla',
            'missed',
            'violated',
            'blown',
            'blew',
          'blow',
          'broke',
          'broken',
          'burst',
            'past due',
            'past the sla',
            'over the sla',
            'have breached',
            'missed their sla',
            'exceeded their sla',
            'gone over',
            'gone past',
            'outside sla',
            'outside the sla',
            'outside their sla',
            'outside its sla',
          ],
          at_risk: [
            'at risk',
            'at-risk',
            'about to breach',
            'going to breach',
            'will breach',
            'breaching soon',
            'close to breaching',
            'near breach',
            'in danger',
            'soon to breach',
            'due to breach',
            'breach soon',
            'near breaching',
            'close to breach',
            'risk breaching',
            'in danger of breaching',
            'at risk of breaching',
            'breaching',
            'breach',
            'breaches',
            'run out',
            'runs out',
            'due',
            'expire',
            'expires',
          ],
          ok: [
            'within sla',
            'within its sla',
            'within their sla',
            'on track',
            'inside sla',
            'inside its sla',
          ],
        },
      },
      within: {
        takes: 'duration',
        cues: [
          'within',
          'in the next',
          'in',
          'next',
          'in the coming',
          'in under',
          'inside',
          'within the next',
          'less than',
          'over the next',
          'during the next',
        ],
      },
    },
    examples: [
      'is the SLA of PAY-3 breached',
      'which OPS tickets will breach in the next 30 minutes',
      'time left on the SLA of OPS-7',
    ],
    compares: { state: 'state', number: 'total', left: 'minutes_left' },
    tells: 'lines',
  },
  args: z.object({
    key: target('issue', 'issue key').optional(),
    project: target('project', 'Jira project key').optional(),
    priority: target('severity', 'priority P1 to P5').optional(),
    state: z.enum(['breached', 'at_risk', 'ok']).describe('only issues in this state').optional(),
    within: text(20, 'ISO 8601 duration: will breach within this time').optional(),
  }),
  result: z.object({
    state: z.enum(['breached', 'at_risk', 'ok', 'none']).describe('the worst state found'),
    total: z.int().min(0).describe('issues in the state asked for'),
    minutes_left: z.int().describe('least time left in minutes, negative when over').optional(),
    keys: z.array(target('issue', 'issue key')).describe('keys, least time left first'),
    lines: freeText(8_000, 'one line for each issue'),
  }),
  main: 'state',
  yields: 'internal',
  sentence: (args) => `Look up ${about(args)}`,
  nouns: {
    state: (args) => (args.key ? `the SLA state of ${args.key}` : `the worst SLA state${place(args)}`),
    total: (args) => counted(args),
    minutes_left: (args) => `the minutes left on the SLA of ${args.key ?? args.project ?? 'the tickets'}`,
    lines: (args) => `the list of ${counted(args)}`,
  },
});

function place(args: ArgWords): string {
  return args.project ? ` in ${args.project}` : '';
}

function counted(args: ArgWords): string {
  const what = args.state === 'at_risk' ? 'at risk of breaching' : args.state === 'ok' ? 'within' : 'over';
  const tickets = [args.priority, 'tickets'].filter(Boolean).join(' ');
  const within = args.within ? ` in the next ${durationWords(args.within)}` : '';
  return `${tickets}${place(args)} ${what} their SLA${within}`;
}

function about(args: ArgWords): string {
  return args.key ? `the SLA of ${args.key}` : counted(args);
}
