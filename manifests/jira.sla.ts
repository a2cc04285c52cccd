import { z } from 'zod';
import { address, duration, freeText, target } from '../src/core/fields.ts';
import { type ArgWords, defineManifest } from '../src/core/manifest.ts';
import { durationWords } from './time-words.ts';

export const jiraSla = defineManifest({
  name: 'jira.sla',
  effect: 'read',
  system: 'jira',
  summary: 'SLA state of one issue or of a project: what is breached, at risk, and how much time is left.',
  keywords: ['sla', 'breach', 'breached', 'at risk', 'time left', 'about to breach', 'overdue', 'due'],
  asked: {
    role: 'clock',
    verbs: ['check'],
    nouns: ['sla', 'breach', 'time left'],
    examples: [
      'is the SLA of PAY-3 breached',
      'which OPS tickets will breach in the next 30 minutes',
      'time left on the SLA of OPS-7',
      'breached tickets in OPS',
      'PAY P1s at risk',
    ],
    compares: { state: 'state', number: 'total', left: 'minutes_left' },
    tells: 'lines',
  },
  args: z.object({
    key: target('issue', 'issue key').optional(),
    project: target('project', 'Jira project key').optional(),
    priority: target('severity', 'priority P1 to P5').optional(),
    state: z.enum(['breached', 'at_risk', 'ok']).describe('only issues in this state').optional(),
    within: duration('duration: will breach in it').optional(),
  }),
  result: z.object({
    state: z.enum(['breached', 'at_risk', 'ok', 'none']).describe('the worst state found'),
    total: z.int().min(0).describe('issues in the state asked for; breached or at risk if absent'),
    minutes_left: z.int().describe('least time left in minutes, negative when over').optional(),
    keys: z.array(target('issue', 'issue key')).describe('keys, least time left first'),
    first: target('issue', 'key of the issue with the least time left').optional(),
    open: z.int().min(0).describe('open issues in all'),
    checked: z.int().min(0).describe('issues whose SLA was looked at, the oldest first'),
    rows: z
      .array(
        z.strictObject({
          key: target('issue', 'issue key'),
          link: address('address of the issue'),
          summary: freeText(200, 'summary'),
          priority: freeText(40, 'P1 to P5, else its name'),
          state: freeText(40, 'state of the SLA'),
          left: freeText(60, 'time left, or over'),
          due: freeText(40, 'ISO 8601 time at which it is breached; empty while the clock is paused'),
          sla: freeText(80, 'which SLA'),
        }),
      )
      .describe('the issues, least time left first'),
    lines: freeText(8_000, 'one line for each issue'),
  }),
  measures: true,
  main: 'state',
  yields: 'internal',
  limits: { timeoutMs: 20_000, attempts: 3 },
  sentence: (args) => `Look up ${about(args)}`,
  said: ['keys', 'first', 'minutes_left', 'open', 'checked', 'state'],
  shows: {
    tables: [
      {
        rows: 'rows',
        total: 'total',
        columns: [
          { field: 'key', title: 'Key', link: 'link' },
          { field: 'summary', title: 'Summary' },
          { field: 'left', title: 'Time left' },
          { field: 'state', title: 'SLA' },
          { field: 'due', title: 'Due', as: 'time' },
          { field: 'priority', title: 'Priority' },
          { field: 'sla', title: 'Measured by' },
        ],
      },
    ],
  },
  outcome: ({ state, total, rows, open, checked }, args) => {
    const [first] = rows;
    if (args.key && !first) return `${args.key} has no SLA`;
    if (args.key) {
      const [left, paused] = [first?.left ?? '', first?.due ? '' : ', clock paused'];
      if (state === 'breached') return `${args.key} is ${left.replace(/ over$/, '')} over its SLA${paused}`;
      return `${args.key} is ${inState({ state }, 1)}, ${left}${paused}`;
    }
    if (state === 'none') return `no SLA is agreed for the open tickets${place(args)}`;
    const worst = first ? `${total === 1 ? ': ' : '; first '}${first.key}, ${first.left}` : '';
    const looked = checked < open ? ` of the ${checked} oldest of ${open} open` : '';
    const are = total === 1 ? 'is' : 'are';
    return `${total}${looked} ${ticketsOf(args, looked ? 2 : total)}${place(args)} ${are} ${inState(args, total)}${worst}`;
  },
  says: { state: ({ key }, state) => (key === undefined ? null : stateOf(key, state)) },
  nouns: {
    state: (args) => (args.key ? `the SLA state of ${args.key}` : `the worst SLA state${place(args)}`),
    total: (args) => counted(args),
    minutes_left: (args) => `the minutes left on the SLA of ${args.key ?? args.project ?? 'the tickets'}`,
    lines: (args) => `the list of ${counted(args)}`,
    keys: (args) => `the ${counted(args)}`,
    first: (args) => `the first of the ${counted(args)}`,
  },
});

function place(args: ArgWords): string {
  return args.project ? ` in ${args.project}` : '';
}

const states: Readonly<Record<string, string>> = {
  breached: 'over their SLA',
  at_risk: 'at risk of breaching their SLA',
  ok: 'within their SLA',
};

/** "OPS-1 has breached its SLA": the state of one issue as a statement; null for states without words. */
function stateOf(key: string, state: string): string | null {
  if (state === 'breached') return `${key} has breached its SLA`;
  if (state === 'none') return `${key} has no SLA`;
  return states[state] === undefined ? null : `${key} is ${inState({ state }, 1)}`;
}

function ticketsOf({ priority }: ArgWords, total = 2): string {
  return [priority, total === 1 ? 'ticket' : 'tickets'].filter(Boolean).join(' ');
}

function inState({ state, within }: ArgWords, total = 2): string {
  const usual = within ? 'due to breach their SLA' : 'over their SLA or at risk of it';
  const words = `${states[state ?? ''] ?? usual}${within ? ` in the next ${durationWords(within)}` : ''}`;
  return total === 1 ? words.replace('their', 'its') : words;
}

function counted(args: ArgWords): string {
  return `${ticketsOf(args)}${place(args)} ${inState(args)}`;
}

function about(args: ArgWords): string {
  return args.key ? `the SLA of ${args.key}` : counted(args);
}
