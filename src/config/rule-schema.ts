import { z } from 'zod';
import { risks } from '../core/manifest.ts';
import { channelName, projectKey, serviceName } from './patterns.ts';

const approver = z
  .string()
  .regex(
    /^([UW][A-Z0-9]{2,}|S[A-Z0-9]{2,}|oncall(:[\p{L}\p{N}._-]+)?)$/u,
    'must be a user id U…, a group id S…, oncall, or oncall:<service>',
  )
  .describe('Slack user id, user group id, oncall (for the service that is written to), or oncall:<service>');
export const weekday = z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']);
export const clock = /^([01]\d|2[0-3]):[0-5]\d$/;
const time = z.string().regex(clock, 'must be a time of day such as "22:00", in quotation marks');
/** Names that a rule matches. An empty list would match nothing, or everything. */
const names = <T extends z.ZodType>(one: T) =>
  z.array(one).min(1, 'must name at least one; leave it out for all').optional();

/** Hours of some days of the week. */
export const hours = z.strictObject({
  from: time.describe('such as "22:00"'),
  to: time.describe('such as "06:00"; a time before `from` is on the next day'),
  days: z.array(weekday).min(1).optional().describe('on which they begin; left out: every day'),
  timezone: z.string().default('UTC').describe('IANA time zone such as Europe/Berlin'),
});

export const teamName = z
  .string()
  .regex(/^[\p{L}\p{N}._-]{1,60}$/u, 'must be letters, digits, dots and dashes');
export const team = z.strictObject({
  services: z.array(serviceName).default([]).describe('its services'),
  projects: z.array(projectKey).default([]).describe('its Jira projects'),
  channels: z.array(channelName).default([]).describe('its channels'),
});

export const rule = z.strictObject({
  name: z.string().min(1).max(80).optional().describe('what people call the rule'),
  tools: names(z.string()).describe('write tools; left out: all'),
  services: names(serviceName).describe('services that are written to; left out: any, and none'),
  projects: names(projectKey).describe('Jira projects that are written to'),
  channels: names(channelName).describe('channels that are posted to'),
  teams: names(teamName).describe('instead of these three: whatever belongs to these teams'),
  risk: names(z.enum(risks)).describe('how bad a mistake would be, as the tool declares it'),
  hours: hours.optional().describe('when it holds; left out: always'),
  deny: z.string().min(1).max(200).optional().describe('nobody may approve it, for this reason'),
  approvers: z.array(approver).optional().describe('who may approve; an empty list means nobody'),
  backup: z
    .array(approver)
    .default([])
    .describe('may approve as well; the bot writes to them when nobody has answered'),
  needed: z.int().min(1).max(10).default(1).describe('how many of them have to say yes'),
  four_eyes: z
    .boolean()
    .optional()
    .describe(
      'instead of approval.four_eyes; false lets whoever asked approve alone, such as whoever is on call',
    ),
});
