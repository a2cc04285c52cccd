import { z } from 'zod';
import { freeText, target, text } from '../src/core/fields.ts';
import { type ArgWords, defineManifest } from '../src/core/manifest.ts';
import { durationWords } from './issue-words.ts';

export const pagerdutyIncidents = defineManifest({
  name: 'pagerduty.incidents',
  effect: 'read',
  system: 'pagerduty',
  summary: 'List PagerDuty incidents of a service, by status, urgency and time.',
  keywords: ['incidents', 'pagerduty', 'alerts', 'firing', 'triggered', 'outage', 'open incidents'],
  args: z.object({
    service: target('service', 'service name').optional(),
    status: z
      .enum(['open', 'triggered', 'acknowledged', 'resolved', 'all'])
      .describe('open is triggered or acknowledged')
      .optional(),
    urgency: z.enum(['high', 'low']).describe('only this urgency').optional(),
    window: text(20, 'ISO 8601 duration: created within this time before now').optional(),
    since: text(40, 'calendar word, date or HH:MM: created since then').optional(),
    order: z.enum(['newest', 'oldest']).describe('order of the list').optional(),
    limit: z.int().min(1).max(50).describe('how many to list; 20 if absent').optional(),
  }),
  result: z.object({
    total: z.int().min(0).describe('number of incidents'),
    first: target('incident', 'id of the first incident').optional(),
    first_age_minutes: z.int().min(0).describe('minutes since the first was created').optional(),
    lines: freeText(8_000, 'one line for each incident'),
  }),
  main: 'total',
  yields: 'internal',
  sentence: (args) => `List ${incidents(args)}`,
  nouns: {
    total: (args) => `the number of ${incidents(args)}`,
    first: (args) => `the ${args.order ?? 'first'} of ${incidents(args)}`,
    first_age_minutes: (args) => `the age in minutes of the ${args.order ?? 'first'} of ${incidents(args)}`,
    lines: (args) => `the list of ${incidents(args)}`,
  },
});

function incidents(args: ArgWords): string {
  const status = args.status && args.status !== 'all' ? args.status : '';
  const urgency = args.urgency ? `${args.urgency}-urgency` : '';
  const what = [status, urgency, 'PagerDuty incidents', args.service ? `of ${args.service}` : ''];
  const time = [
    args.window ? `from the last ${durationWords(args.window)}` : '',
    args.since ? `since ${args.since}` : '',
  ];
  return [...what, ...time].filter(Boolean).join(' ');
}
