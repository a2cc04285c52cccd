import { z } from 'zod';
import type { Worse } from '../core/cadence.ts';
import { channelName } from './names.ts';

/** `10`, `20%`. */
const worse = z
  .union([
    z.number().positive(),
    z.string().regex(/^\d+(\.\d+)? ?%$/, 'must be a number or a percentage such as 20%'),
  ])
  .transform(
    (by): Worse =>
      typeof by === 'number' ? { by, unit: 'number' } : { by: Number.parseFloat(by), unit: 'percent' },
  )
  .refine(({ by }) => by > 0, 'must be more than 0');

const schedule = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,40}$/, 'must be lower case letters, digits and dashes')
      .describe('by this people know the schedule'),
    cron: z.string().describe('five fields: minute hour day month weekday'),
    timezone: z.string().default('UTC').describe('IANA time zone such as Europe/Berlin'),
    goal: z.string().min(1).max(2_000).optional().describe('what to plan, in words'),
    playbook: z.string().optional().describe('or the playbook to run'),
    inputs: z.record(z.string(), z.string()).default({}).describe('inputs of that playbook'),
    channel: channelName.describe('where it speaks'),
    worse_by: worse.optional().describe('instead of watches.worse_by'),
  })
  .refine((s) => (s.goal === undefined) !== (s.playbook === undefined), {
    error: 'must have a goal or a playbook, not both',
  });

/** What is looked at again and again: by this file, and by people. */
export const watches = {
  schedules: z.array(schedule).default([]).describe('plans that the clock looks at'),
  watches: z
    .strictObject({
      worse_by: worse
        .prefault('20%')
        .describe('by how much it has to get worse before it is said again: 10, or 20%'),
      failures: z.int().min(1).max(100).default(3).describe('failed looks in a row after which it is said'),
      min_minutes: z
        .int()
        .min(1)
        .max(1_440)
        .default(5)
        .describe('shortest time between the looks of a watch of a person'),
      days: z.int().min(1).max(365).default(7).describe('days until a watch ends whose end was not said'),
      max_days: z.int().min(1).max(365).default(90).describe('longest time that a person may ask for'),
      per_person: z.int().min(0).max(500).default(10).describe('watches of one person'),
      in_all: z.int().min(0).max(500).default(50).describe('watches of all people'),
    })
    .prefault({})
    .describe('what people may watch, and when watches and schedules speak'),
};
