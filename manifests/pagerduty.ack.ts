import { z } from 'zod';
import { target } from '../src/core/fields.ts';
import { defineManifest } from '../src/core/manifest.ts';

export const pagerdutyAck = defineManifest({
  name: 'pagerduty.ack',
  effect: 'write',
  system: 'pagerduty',
  summary: 'Acknowledge one PagerDuty incident, which stops its escalation.',
  keywords: ['acknowledge', 'ack', 'take', 'silence the escalation', 'incident'],
  asked: {
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
    args: { incident: { cues: ['incident', 'alert', 'number', 'pagerduty', 'pd', 'page'] } },
    examples: ['ack incident PXY123', 'acknowledge 40012'],
  },
  args: z.object({ incident: target('incident', 'PagerDuty incident id or number') }),
  result: z.object({
    incident: target('incident', 'incident id'),
    state: z.enum(['triggered', 'acknowledged', 'resolved']).describe('state after the change'),
  }),
  main: 'state',
  yields: 'internal',
  limits: { timeoutMs: 15_000, attempts: 1 },
  sentence: (args) => `Acknowledge incident ${args.incident}`,
  nouns: { state: (args) => `the state of incident ${args.incident}` },
  undo: 'An acknowledgement ends after the timeout of the service, or when the incident is reassigned.',
});
