import { z } from 'zod';
import { address, duration, freeText, target, time } from '../src/core/fields.ts';
import { type ArgWords, defineManifest } from '../src/core/manifest.ts';
import { thousands } from '../src/core/numbers.ts';
import { timeGroups } from '../src/core/queries/template.ts';
import { byWords, groupRows, groupWords, saidGroups, shownGroups } from './group-words.ts';
import { listWords, rankWords } from './list-words.ts';
import { durationWords, duringWords, sinceWords } from './time-words.ts';

/** The newest, open or not. */
const _lastOne = ['incident', 'alert', 'page', 'outage'].flatMap((one) => [`last ${one}`, `the last ${one}`]);

export const pagerdutyIncidents = defineManifest({
  name: 'pagerduty.incidents',
  effect: 'read',
  system: 'pagerduty',
  summary: 'List PagerDuty incidents of a service, by status, urgency and time.',
  keywords: ['incidents', 'pagerduty', 'alerts', 'firing', 'triggered', 'outage', 'open incidents'],
  asked: {
    role: 'alarms',
    verbs: ['list', 'show'],
    nouns: ['incident', 'alert', 'page'],
    examples: [
      'open incidents on ops',
      'list pagerduty incidents for search',
      'is anything firing for ops',
      'what paged us last night',
      'unacknowledged incidents of payments-api',
    ],
    compares: { number: 'total', age: 'first_age_minutes' },
    tells: 'lines',
  },
  args: z.object({
    service: target('service', 'service name').optional(),
    status: z
      .enum(['open', 'triggered', 'acknowledged', 'resolved', 'all'])
      .describe('open: triggered or acknowledged')
      .optional(),
    urgency: z.enum(['high', 'low']).describe('urgency').optional(),
    window: duration('duration: created in it').optional(),
    since: time('word or date: created since').optional(),
    during: time('day, week: created in it', { whole: true }).optional(),
    order: z.enum(['newest', 'oldest']).describe('order').optional(),
    limit: z.int().min(1).max(50).describe('how many; 20 if absent').optional(),
    older_than: duration('duration').optional(),
    by: z
      .enum(['service', 'urgency', 'status', ...timeGroups])
      .describe('group by it')
      .optional(),
  }),
  result: z.object({
    total: z.int().min(0).describe('number of incidents'),
    first: target('incident', 'id of the first incident').optional(),
    ids: z.array(target('incident', 'incident id')).describe('ids in order'),
    first_age_minutes: z.int().min(0).describe('minutes since the first was created').optional(),
    rows: z
      .array(
        z.object({
          name: freeText(40, 'number of the incident: #12'),
          link: address('address of the incident'),
          title: freeText(500, 'title'),
          state: freeText(20, 'triggered, acknowledged or resolved'),
          urgency: freeText(20, 'high or low'),
          service: freeText(200, 'service'),
          created: freeText(40, 'when it was opened, ISO 8601'),
        }),
      )
      .describe('the incidents in order'),
    lines: freeText(8_000, 'one line for each incident'),
    ...groupRows,
  }),
  situation: ({ name }) => ({ service: name, status: 'open' }),
  main: 'total',
  said: ['first', 'first_age_minutes', 'ids', ...saidGroups],
  shows: {
    tables: [
      shownGroups,
      {
        rows: 'rows',
        total: 'total',
        columns: [
          { field: 'name', title: 'Incident', link: 'link' },
          { field: 'title', title: 'Title' },
          { field: 'state', title: 'State' },
          { field: 'urgency', title: 'Urgency' },
          { field: 'service', title: 'Service' },
          { field: 'created', title: 'Opened', as: 'time' },
        ],
      },
    ],
    besides: saidGroups,
  },
  outcome: ({ total, ...groups }, args) =>
    `${thousands(total)} ${incidents(args, total)}${groupWords(args.by, groups, args.order)}`,
  yields: 'internal',
  // Without an order, the newest come first.
  sentence: (args) =>
    `List ${listWords(args.limit ? { order: 'newest', ...args } : args, (total) => incidents(args, total))}${byWords(args.by)}`,
  nouns: {
    total: (args) => incidents(args),
    first: (args) => theFirst(args),
    ids: (args) => `the ${incidents(args)}`,
    first_age_minutes: (args) => `the age in minutes of ${theFirst(args)}`,
    lines: (args) => `the list of ${incidents(args)}`,
  },
});

function incidents(args: ArgWords, total = 2): string {
  const status = args.status && args.status !== 'all' ? args.status : '';
  const urgency = args.urgency ? `${args.urgency}-urgency` : '';
  const noun = `PagerDuty ${total === 1 ? 'incident' : 'incidents'}`;
  const what = [status, urgency, noun, args.service ? `of ${args.service}` : ''];
  const time = [
    args.window ? `from the last ${durationWords(args.window)}` : '',
    args.since ? sinceWords(args.since) : '',
    args.during ? duringWords(args.during) : '',
    args.older_than ? `older than ${durationWords(args.older_than)}` : '',
  ];
  return [...what, ...time].filter(Boolean).join(' ');
}

function theFirst(args: ArgWords): string {
  return `the ${rankWords(args.order)} ${incidents(args, 1)}`;
}
