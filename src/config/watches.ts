import { z } from 'zod';
import type { Worse } from '../core/cadence.ts';
import { channelName } from './patterns.ts';

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
      .describe('what people call the schedule'),
    cron: z.string().describe('five fields: minute hour day month weekday'),
    timezone: z.string().default('UTC').describe('IANA time zone such as Europe/Berlin'),
    goal: z.string().min(1).max(2_000).optional().describe('what to plan, in words'),
    playbook: z
      .string()
      .optional()
      .describe(
        'or the playbook of the installation to run; one that people saved is run by a goal, for example “run nightly-check”',
      ),
    inputs: z.record(z.string(), z.string()).default({}).describe('inputs of that playbook'),
    channel: channelName.describe('channel where it reports'),
    worse_by: worse.optional().describe('instead of watches.worse_by'),
  })
  .refine((s) => (s.goal === undefined) !== (s.playbook === undefined), {
    error: 'must have a goal or a playbook, not both',
  });

/** Repeated checks: by this file, and by people. */
export const watches = {
  schedules: z.array(schedule).default([]).describe('plans that run by the clock'),
  watches: z
    .strictObject({
      worse_by: worse
        .prefault('20%')
        .describe('how much worse it must get before it is reported again: 10, or 20%'),
      failures: z
        .int()
        .min(1)
        .max(100)
        .default(3)
        .describe('failed checks in a row after which that is reported'),
      min_minutes: z
        .int()
        .min(1)
        .max(1_440)
        .default(5)
        .describe('fewest minutes between the checks of a person’s watch'),
      days: z.int().min(1).max(365).default(7).describe('days until a watch ends that was given no end'),
      max_days: z.int().min(1).max(365).default(90).describe('most days that a person may ask for'),
      per_person: z.int().min(0).max(5_000).default(10).describe('watches of each person'),
      in_all: z.int().min(0).max(5_000).default(50).describe('watches of all people'),
    })
    .prefault({})
    .describe('what people may watch, and when watches and schedules speak'),
};
