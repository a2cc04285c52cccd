import { z } from 'zod';
import { target } from '../src/core/fields.ts';
import { defineManifest } from '../src/core/manifest.ts';

export const pagerdutyResolve = defineManifest({
  name: 'pagerduty.resolve',
  effect: 'write',
  system: 'pagerduty',
  summary: 'Resolve one PagerDuty incident.',
  keywords: ['resolve', 'close the incident', 'end the incident', 'incident'],
  asked: {
    verbs: [
      'resolve',
      'close',
      'end',
      'close out',
      'mark',
      'finish',
      'mark resolved',
      'mark as resolved',
      'clear',
      'set',
      'resolving',
    ],
    nouns: [
      'incident',
      'pd',
      'pagerduty',
      'alert',
      'pager duty',
      'resolved',
      'as resolved',
      'to resolved',
      'pagerduty incident',
      'pd incident',
      'page',
    ],
    args: { incident: { cues: ['incident', 'alert', 'number', 'pagerduty', 'pd'] } },
    examples: ['resolve incident PXY123', 'close pagerduty incident 40012'],
  },
  args: z.object({ incident: target('incident', 'PagerDuty incident id or number') }),
  result: z.object({
    incident: target('incident', 'incident id'),
    state: z.enum(['triggered', 'acknowledged', 'resolved']).describe('state after the change'),
  }),
  main: 'state',
  yields: 'internal',
  limits: { timeoutMs: 15_000, attempts: 1 },
  sentence: (args) => `Resolve incident ${args.incident}`,
  nouns: { state: (args) => `the state of incident ${args.incident}` },
  undo: 'A resolved incident cannot be reopened. Page again if the trouble is still there.',
});
