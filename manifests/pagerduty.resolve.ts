import { z } from 'zod';
import { address, freeText, target } from '../src/core/fields.ts';
import { defineManifest } from '../src/core/manifest.ts';

export const pagerdutyResolve = defineManifest({
  name: 'pagerduty.resolve',
  effect: 'write',
  system: 'pagerduty',
  summary: 'Resolve one PagerDuty incident.',
  keywords: ['resolve', 'close the incident', 'end the incident', 'incident'],
  asked: {
    also: ['pager', 'pd', 'pagerduty'],
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
    args: {
      incident: {
        cues: ['incident', 'alert', 'number', 'pagerduty', 'pd'],
        words: {
          thread: ['this thread', 'of this thread', 'from this thread', "this thread's", 'in this thread'],
        },
      },
    },
    examples: ['resolve incident PXY123', 'close pagerduty incident 40012'],
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
    service: target('service', 'its service, where that is in countersign.yml').optional(),
    link: address('address of the incident'),
  }),
  main: 'state',
  yields: 'internal',
  limits: { timeoutMs: 15_000, attempts: 1 },
  // A second time it changes nothing.
  inDoubt: 'same_key',
  shows: { links: [{ field: 'link', words: 'Open the incident', names: 'name' }] },
  said: ['name', 'by', 'at', 'incident', 'service'],
  outcome: ({ name, already, by, at }) =>
    already
      ? `incident ${name} was resolved already${by === '' ? '' : ` by ${by}`}${at === '' ? '' : `, at ${at.slice(11, 16)} UTC on ${at.slice(0, 10)}`}; nothing was changed`
      : `incident ${name} is resolved`,
  notDone: (args) => `incident ${args.incident} was not resolved`,
  sentence: (args) => `Resolve incident ${args.incident}`,
  nouns: { state: (args) => `the state of incident ${args.incident}` },
  risk: 'high',
  undo: 'A resolved incident is not opened again. Its service can be paged again, which opens another one.',
  undoBy: ({ already, service, name }) =>
    already || service === undefined
      ? null
      : {
          words: 'Page again',
          tool: 'pagerduty.page',
          args: { service, text: `${name} was resolved too early` },
        },
});
