import { z } from 'zod';
import { channelName, environmentName, serviceName } from './patterns.ts';
import { hours } from './rule-schema.ts';

const doorName = z.string().regex(/^[a-z][a-z0-9-]{0,40}$/, 'must be lower case letters, digits and dashes');
const labelName = z.string().min(1).max(200);
const labelValue = z.string().min(1).max(1_000);
const pointer = z
  .string()
  .max(300)
  .regex(/^(\/([^~]|~[01])*)?$/, 'must be a JSON pointer such as /alert/status');

const door = z
  .strictObject({
    kind: z
      .enum(['alertmanager', 'grafana', 'datadog', 'sns', 'json', 'slack'])
      .describe('who calls it; slack: other apps’ messages in a channel'),
    channels: z
      .array(channelName)
      .min(1)
      .optional()
      .describe('slack: the channels; the bot has to be a member of them'),
    apps: z
      .array(z.string().regex(/^B[A-Z0-9]{5,20}$/, 'must be the id of a bot such as B012AB3CD'))
      .min(1)
      .optional()
      .describe('slack: the bots whose messages count; left out: all but this one'),
    bearer: environmentName.optional().describe('environment variable with the token that callers send'),
    basic: environmentName.optional().describe('environment variable with user:password that callers send'),
    hmac: environmentName.optional().describe('environment variable with the secret that callers sign with'),
    header: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9-]{0,80}$/, 'must be the name of a header')
      .optional()
      .describe('header of the HMAC-SHA256 signature in hex; Grafana’s by default'),
    timestamp_header: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9-]{0,80}$/, 'must be the name of a header')
      .optional()
      .describe(
        'header with the time that is signed as well, as “time:body”; older than 5 minutes is refused',
      ),
    topics: z
      .array(
        z
          .string()
          .regex(
            /^arn:aws(-cn|-us-gov)?:sns:[a-z0-9-]{4,30}:\d{12}:[\w.-]{1,256}$/,
            'must be the ARN of an SNS topic',
          ),
      )
      .min(1)
      .optional()
      .describe('sns: the topics that it accepts; the subscription is confirmed by itself'),
    fields: z
      .strictObject({
        alerts: pointer.optional().describe('the list of alerts; left out: the body is one alert'),
        id: pointer.optional().describe('what identifies the alert; left out: its labels do'),
        state: pointer.describe('its state'),
        resolved: z
          .array(z.string().min(1))
          .min(1)
          .default(['resolved', 'ok', 'closed', 'recovered'])
          .describe('states, in any case, in which it is over'),
        title: pointer.describe('what it is called'),
        text: pointer.optional().describe('more about it'),
        since: pointer.optional().describe('when it began'),
        until: pointer.optional().describe('when it ended'),
        link: pointer.optional().describe('its address'),
        labels: pointer.optional().describe('an object whose fields are labels'),
        label: z.record(labelName, pointer).default({}).describe('single labels'),
      })
      .optional()
      .describe('json: where to find what, as JSON pointers; all but alerts count from the alert'),
  })
  .superRefine(({ kind, bearer, basic, hmac, topics, fields, channels, apps }, context) => {
    const wrong = (message: string): void => context.addIssue({ code: 'custom', message });
    const ways = [bearer, basic, hmac].filter((one) => one !== undefined).length;
    if (kind === 'sns' && (topics === undefined || ways > 0))
      wrong('must have topics, and no secret: SNS signs');
    if (kind === 'slack' && (channels === undefined || ways > 0))
      wrong('must have channels, and no secret: its messages come through Slack');
    if (kind !== 'slack' && (channels !== undefined || apps !== undefined))
      wrong('has channels or apps, which are for slack');
    if (kind !== 'sns' && kind !== 'slack' && ways !== 1)
      wrong('must have exactly one of bearer, basic and hmac');
    if (kind !== 'sns' && topics !== undefined) wrong('has topics, which are for sns');
    if ((kind === 'json') !== (fields !== undefined))
      wrong('must have fields exactly when it is of kind json');
  });

const matcher = z.union([
  labelValue,
  z.array(labelValue).min(1, 'must name at least one'),
  z.strictObject({ prefix: labelValue }),
]);
const fromLabel = z.strictObject({ label: labelName });

const call = z.strictObject({
  playbook: z.string().describe('a playbook of the installation'),
  inputs: z
    .record(z.string(), z.union([z.string(), z.number(), fromLabel]))
    .default({})
    .describe('a value, or `{ label: … }`; service, project, priority and channel come from the rule'),
});

const alertRule = z
  .strictObject({
    name: z.string().min(1).max(60).describe('what people call the rule'),
    doors: z.array(doorName).min(1).optional().describe('left out: all of them, but not pagerduty'),
    match: z
      .record(labelName, matcher)
      .default({})
      .describe('labels: a value, one of a list, or { prefix: … }; all have to fit'),
    service: z
      .union([serviceName, fromLabel])
      .optional()
      .describe('the service it is about, or `{ label: … }` for the label that names it'),
    channel: channelName.optional().describe('where it is shown'),
    ignore: z.literal(true).optional().describe('such alerts are not shown at all'),
    priority: z.enum(['P1', 'P2', 'P3', 'P4', 'P5']).optional().describe('shown with it'),
    quiet: hours.optional().describe('when nothing is shown; what still fires afterwards is'),
    reads: call.optional().describe('what is looked up: a playbook that only reads'),
    propose: z.array(call).max(2).default([]).describe('playbooks that are offered as cards to approve'),
  })
  .refine(({ channel, ignore }) => (channel === undefined) === (ignore === true), {
    error: 'must have a channel, or ignore: true',
  });

/** Alerts from monitoring: who may deliver them, and what is done about them. */
export const alerts = {
  alerts: z
    .strictObject({
      doors: z.record(doorName, door).default({}).describe('who may deliver alerts, to `/alerts/<name>`'),
      rules: z.array(alertRule).max(500).default([]).describe('the first that fits an alert applies'),
      links: z
        .array(
          z.string().regex(/^(\*\.)?[a-z0-9.-]+(:\d{1,5})?$/, 'must be a host such as grafana.acme.example'),
        )
        .default([])
        .describe('hosts of your monitoring that messages may link to'),
      unmatched: channelName
        .optional()
        .describe('channel of the hourly line about alerts that no rule fits; left out: defaults.channel'),
    })
    .prefault({})
    .describe('alerts from monitoring (docs/alerts.md)'),
};
