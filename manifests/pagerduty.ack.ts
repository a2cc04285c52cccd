import { z } from 'zod';
import { address, freeText, target } from '../src/core/fields.ts';
import { defineManifest } from '../src/core/manifest.ts';

export const pagerdutyAck = defineManifest({
  name: 'pagerduty.ack',
  effect: 'write',
  system: 'pagerduty',
  summary: 'Acknowledge one PagerDuty incident, which stops its escalation.',
  keywords: ['acknowledge', 'ack', 'take', 'silence the escalation', 'incident'],
  asked: {
    also: ['pager', 'pd', 'pagerduty'],
    verbs: ['ack', 'acknowledge', 'take', 'acking', 'acknowledged'],
    nouns: [
      'incident',
      'pd',
      'pagerduty',
      'alert',
      'pager duty',
      'page',
      'pagerduty incident',
      'pd incident',
    ],
    args: {
      incident: {
        cues: ['incident', 'alert', 'number', 'pagerduty', 'pd', 'page'],
        words: {
          thread: ['this thread', 'of this thread', 'from this thread', "this thread's", 'in this thread'],
        },
      },
    },
    examples: ['ack incident PXY123', 'acknowledge 40012'],
  },
  args: z.object({
    incident: target(
      'incident',
      'PagerDuty incident: number, id, key, address, or thread for the one of this thread',
    ),
  }),
  result: z.object({
    incident: target('incident', 'incident id'),
    name: freeText(40, 'number of the incident: #12'),
    state: z.enum(['triggered', 'acknowledged', 'resolved']).describe('state after the change'),
    already: z.boolean().describe('it was so before, and nothing was sent'),
    by: freeText(200, 'who made the last change'),
    at: freeText(40, 'when it was made, ISO 8601'),
    link: address('address of the incident'),
  }),
  main: 'state',
  yields: 'internal',
  limits: { timeoutMs: 15_000, attempts: 1 },
  // A second time it changes nothing.
  inDoubt: 'same_key',
  shows: { links: [{ field: 'link', words: 'Open the incident', names: 'name' }] },
  said: ['name', 'by', 'at', 'incident'],
  outcome: ({ name, already, by, at }) =>
    already
      ? `incident ${name} was acknowledged already${by === '' ? '' : ` by ${by}`}${at === '' ? '' : `, at ${at.slice(11, 16)} UTC on ${at.slice(0, 10)}`}; nothing was changed`
      : `incident ${name} is acknowledged`,
  notDone: (args) => `incident ${args.incident} was not acknowledged`,
  sentence: (args) => `Acknowledge incident ${args.incident}`,
  nouns: { state: (args) => `the state of incident ${args.incident}` },
  undo: 'An acknowledgement is not taken back from here. It ends with the timeout of the service, or when somebody reassigns the incident in PagerDuty.',
});
