import { z } from 'zod';
import { actionsSchema } from '../core/actions.ts';
import { durationMs } from '../core/duration.ts';
import { levels } from '../core/manifest.ts';
import { mcpServerSchema } from '../core/mcp.ts';
import { codeFrom } from '../core/policy.ts';
import { agents } from './agents.ts';
import { alerts } from './alerts.ts';
import { causes } from './causes.ts';
import { knowledge } from './knowledge.ts';
import { limits } from './limits.ts';
import { channelName, environmentName, projectKey, serviceName, slackUser } from './patterns.ts';
import { queries } from './queries.ts';
import { clock, rule, team, teamName, weekday } from './rule-schema.ts';
import { watches } from './watches.ts';

const priority = z.enum(['P1', 'P2', 'P3', 'P4', 'P5']);

const member = z
  .string()
  .regex(/^([UW]|S)[A-Z0-9]{2,}$/, 'must be a user id U… or a group id S…')
  .describe('Slack user id or Slack user group id');

const service = z.strictObject({
  pagerduty: z
    .string()
    .regex(/^[A-Z0-9]{5,20}$/, 'must be a PagerDuty service id such as PABC123')
    .describe('PagerDuty service id'),
  routing_key: environmentName
    .optional()
    .describe('environment variable with its Events v2 integration key; left out, PagerDuty is asked for it'),
  project: projectKey.optional().describe('Jira project of this service'),
  backup: serviceName
    .optional()
    .describe('service that is offered as a button when a page to this one did not go out'),
  phone: z
    .string()
    .regex(/^\+[0-9][0-9 ()-]{4,30}$/, 'must be a number with its country code such as "+49 30 901820"')
    .optional()
    .describe('telephone number that the thread shows when a page was not confirmed'),
});

const sla = z.strictObject({
  max_open: z.int().min(0).describe('open tickets that the SLA allows'),
  resolve_within: z.iso
    .duration({ abort: true })
    .refine((iso) => (durationMs(iso) ?? 0) > 0, 'must be a duration without months and years')
    .optional()
    .describe('agreed time to resolve, ISO 8601, such as PT4H'),
  around_the_clock: z
    .boolean()
    .default(false)
    .describe('this time runs day and night, even if the project has business hours'),
});

const businessHours = z
  .strictObject({
    days: z
      .array(weekday)
      .min(1)
      .default(['mon', 'tue', 'wed', 'thu', 'fri'])
      .describe('days of the week that count'),
    from: z
      .string()
      .regex(clock, 'must be a time such as "09:00", in quotation marks')
      .describe('such as "09:00"'),
    to: z
      .string()
      .refine(
        (time) => clock.test(time) || time === '24:00',
        'must be a time such as "17:00", in quotation marks',
      )
      .describe('such as "17:00"; "24:00" is the end of the day'),
    timezone: z.string().describe('IANA time zone such as Europe/Berlin'),
    holidays: z
      .array(z.iso.date('must be a day such as "2026-12-25", in quotation marks'))
      .max(200)
      .default([])
      .describe('days that do not count'),
  })
  .refine(({ from, to }) => from < to, { error: 'must be after from', path: ['to'] });

const project = z.strictObject({
  service: serviceName.optional().describe('service that is paged for this project'),
  aliases: z.array(z.string().min(1).max(60)).default([]).describe('other words engineers use for it'),
  business_hours: businessHours
    .optional()
    .describe('when the time to resolve runs, where Jira has no SLA of its own; day and night when left out'),
  sla: z.partialRecord(priority, sla).default({}).describe('agreed limits by priority'),
});

const channel = z.strictObject({
  id: z
    .string()
    .regex(/^[CG][A-Z0-9]{2,}$/, 'must be a Slack channel id such as C012ABCDEF')
    .describe('Slack channel id; it is at the bottom of the channel’s details'),
  clearance: z.enum(levels).default('internal').describe('highest level of data that may be posted there'),
});

const caps = z.strictObject({
  steps: z.int().min(1).max(40).default(20).describe('steps in one plan'),
  writes: z.int().min(0).max(20).default(5).describe('writes in one plan'),
  pages_per_hour: z
    .int()
    .min(0)
    .max(1_000)
    .default(6)
    .describe('pages an hour for each service, or person woken'),
  posts_per_hour: z.int().min(0).max(10_000).default(30).describe('posts an hour for each channel'),
  questions_per_hour: z
    .int()
    .min(1)
    .max(10_000)
    .default(60)
    .describe('requests an hour for each person that only read; over it no model is asked for them either'),
  plans_per_hour: z
    .int()
    .min(1)
    .max(10_000)
    .default(60)
    .describe(
      'plans that write an hour for each person; paging, acknowledging and resolving are never refused for it',
    ),
  model_usd_per_day: z.number().min(0).default(5).describe('US dollars a day for models'),
});

/** The operator's settings: `countersign.yml`. */
export const operatorSchema = z.strictObject({
  defaults: z
    .strictObject({
      project: projectKey.optional().describe('Jira project'),
      priority: priority.optional().describe('priority of tickets'),
      service: serviceName.optional().describe('service that is paged'),
      channel: channelName.optional().describe('channel that is posted to'),
      timezone: z
        .string()
        .optional()
        .describe(
          'IANA time zone of times without one, for all whose Slack profile has none; UTC when left out',
        ),
    })
    .default({})
    .describe('used where a goal does not say; each use shows on the card as a guess'),
  teams: z
    .record(teamName, team)
    .default({})
    .describe('teams by name, with what belongs to them; a rule can be about a team'),
  services: z.record(serviceName, service).default({}).describe('services that may be paged'),
  projects: z.record(projectKey, project).default({}).describe('Jira projects and their SLAs'),
  channels: z.record(channelName, channel).default({}).describe('channels that may be posted to'),
  people: z
    .record(z.string().regex(/^[\p{L}\p{N}_.-]{1,80}$/u, 'must be a handle without @'), slackUser)
    .default({})
    .describe('people who may be messaged: handle and Slack id'),
  rules: z
    .array(rule)
    .default([])
    .describe('who may approve: the first rule that fits a write; denials hold anywhere; none means nobody'),
  approval: z
    .strictObject({
      four_eyes: z
        .boolean()
        .default(true)
        .describe('who asked for or edited a plan that writes may not approve it'),
      reads: z
        .enum(['run', 'ask'])
        .default('run')
        .describe('run: what only reads runs at once; ask: it waits for Approve, too'),
      expires_minutes: z
        .int()
        .min(1)
        .max(1_440)
        .default(30)
        .describe('minutes until an undecided card expires'),
      break_glass: z
        .array(slackUser)
        .default([])
        .describe('people who may approve alone, with a reason that is posted; never what is denied'),
    })
    .prefault({}),
  code: z
    .enum(codeFrom)
    .default('playbooks')
    .describe(
      'whose code steps may run (pure functions over results, in a sandbox): off nobody’s, playbooks those of installed playbooks, people also typed ones, model also a model’s',
    ),
  operators: z
    .array(member)
    .default([])
    .describe(
      'who may stop and allow all writes from Slack, and hears of messages that reach nobody; an empty list means nobody',
    ),
  caps: caps.prefault({}),
  ...limits,
  retention: z
    .strictObject({
      days: z
        .int()
        .min(7)
        .max(36_500)
        .default(90)
        .describe('days that finished plans, their runs and messages are kept; the audit log stays'),
    })
    .prefault({}),
  audit: z
    .strictObject({
      witness_channel: channelName
        .optional()
        .describe('where the end of the audit log is posted once a day; a channel that others can read'),
    })
    .prefault({}),
  jira: z
    .strictObject({
      priorities: z
        .partialRecord(priority, z.string().min(1).max(60))
        .default({})
        .describe('names of P1 to P5 in your Jira, such as P1: Highest'),
    })
    .prefault({}),
  ...knowledge,
  mcp: z
    .record(z.string().regex(/^[a-z]{2,20}$/, 'must be 2 to 20 lower case letters'), mcpServerSchema)
    .default({})
    .describe('MCP servers and the tools of theirs that the bot may use'),
  actions: actionsSchema
    .default({})
    .describe('calls of your own systems, each a tool by its name in plans (docs/actions.md)'),
  ...queries,
  ...watches,
  ...alerts,
  ...agents,
  ...causes,
});
export type OperatorConfig = z.infer<typeof operatorSchema>;
export type RuleConfig = OperatorConfig['rules'][number];
