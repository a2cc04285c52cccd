import { z } from 'zod';
import { freeText, target, text, time } from '../src/core/fields.ts';
import { type ArgWords, defineManifest } from '../src/core/manifest.ts';

/** "who should I call", "who do we ping": ways to ask whom to contact. */
const _askedFor = [
  'who do i',
  'whom do i',
  'who do we',
  'who should i',
  'whom should i',
  'who should we',
  'who can i',
]
  .concat('who to', 'whom to')
  .flatMap((who) =>
    [
      'call',
      'ping',
      'page',
      'wake',
      'wake up',
      'ring',
      'bug',
      'ask',
      'contact',
      'talk to',
      'turn to',
      'reach out to',
    ]
      .concat('escalate to', 'message', 'notify', 'alert', 'poke', 'bother', 'reach', 'phone')
      .map((verb) => `${who} ${verb}`),
  );

export const pagerdutyOncall = defineManifest({
  name: 'pagerduty.oncall',
  effect: 'read',
  system: 'pagerduty',
  summary: 'Who is, was or will be on call for a service or a schedule, and until when.',
  keywords: ['on call', 'on-call', 'oncall', 'pager', 'duty', 'who carries', 'rotation', 'primary', 'backup'],
  asked: {
    role: 'person',
    verbs: ['who is on call'],
    nouns: ['on-call', 'on call', 'oncall', 'on duty', 'pager', 'rota'],
    examples: [
      'who is on call for ops',
      'search on-call',
      'who has the pager for ops',
      'who is on call for ops tomorrow',
      'who is on call for ops in 3 days',
      'secondary of payments-api',
    ],
    compares: { number: 'count' },
    tells: 'lines',
  },
  args: z.object({
    service: target('service', 'service name').optional(),
    schedule: text(100, 'PagerDuty schedule, instead of a service').optional(),
    level: z.int().min(1).max(20).describe('only this escalation level; all if absent').optional(),
    at: time(
      'now if absent; next for the next shift; or a date, HH:MM or calendar words such as last night, in 3 days or tomorrow 09:00',
      { ahead: true, or: ['now', 'next', 'next shift'] },
    ).optional(),
  }),
  result: z.object({
    count: z.int().min(0).describe('people on call'),
    email: freeText(200, 'e-mail address of the first person'),
    user: target('user', 'Slack handle of the first person, where known').optional(),
    name: freeText(200, 'who is on call at the first level, empty when nobody is'),
    until: freeText(40, 'end of the first shift at the first level, ISO 8601, empty when open'),
    local_time: freeText(80, 'what the clock of the first person shows now, with the time zone'),
    tense: z.enum(['was', 'is', 'will be']).describe('whether that time is over, is now, or is to come'),
    period: freeText(80, 'the time that was asked for, empty for now'),
    rows: z
      .array(
        z.object({
          level: z.int().describe('escalation level'),
          name: freeText(200, 'person'),
          since: freeText(40, 'start of the shift, ISO 8601, empty when open'),
          until: freeText(40, 'end of the shift, ISO 8601, empty when open'),
          local_time: freeText(80, 'what the clock of the person shows now'),
        }),
      )
      .describe('the shifts, first level first'),
    lines: freeText(2_000, 'one line for each shift'),
  }),
  situation: ({ name }) => ({ service: name }),
  main: 'count',
  yields: 'internal',
  sentence: (args) => `Look up who is on call${whereWords(args)}${whenWords(args)}`,
  said: ['name', 'until', 'email', 'local_time', 'tense', 'period'],
  shows: {
    besides: ['tense', 'period'],
    tables: [
      {
        rows: 'rows',
        columns: [
          { field: 'level', title: 'Level' },
          { field: 'name', title: 'On call' },
          { field: 'since', title: 'From', as: 'time' },
          { field: 'until', title: 'Until', as: 'time' },
          { field: 'local_time', title: 'Their time now' },
        ],
      },
    ],
  },
  outcome: ({ count, name, until, local_time: clock, tense: singular, period, rows }, args) => {
    const first = rows.filter(({ level }) => level === rows[0]?.level);
    const areSeveral = new Set(first.map((row) => row.name)).size > 1;
    const tense = areSeveral ? plural[singular] : singular;
    const local = areSeveral ? '' : clock;
    const what = `on call${whereWords(args)}`;
    const when = period === '' ? '' : ` ${period}`;
    if (count === 0) return `nobody ${singular} ${what}${when}`;
    if (singular !== 'is') return `${name} ${tense} ${what}${when}`;
    // Mon, 23 Nov 2026 18:00:00 GMT
    const shiftEnd = new Date(until).toUTCString();
    const end = until === '' ? '' : ` until ${shiftEnd.slice(5, 11)} ${shiftEnd.slice(17, 22)} UTC`;
    return `${name} ${tense} ${what}${end}${local === '' ? '' : ` (now ${local})`}`;
  },
  nouns: {
    count: (args) => `people on call${whereWords(args)}${whenWords(args)}`,
    name: (args) => `who is on call${whereWords(args)}${whenWords(args)}`,
    lines: (args) => `who is on call${whereWords(args)}${whenWords(args)}`,
    user: (args) =>
      `the on-call person${args.service ? ` of ${args.service}` : args.schedule ? ` of the schedule ${args.schedule}` : ''}`,
  },
});

const plural = { was: 'were', is: 'are', 'will be': 'will be' } as const;

function whereWords({ service, schedule, level }: ArgWords): string {
  const where = service ? ` for ${service}` : schedule ? ` in the schedule ${schedule}` : '';
  return `${where}${level ? ` at level ${level}` : ''}`;
}

function whenWords({ at }: ArgWords): string {
  return !at || at === 'now' ? '' : ` (${at})`;
}
