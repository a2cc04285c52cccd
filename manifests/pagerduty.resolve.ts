import { z } from 'zod';
import { cut } from '../src/core/clean-text.ts';
import { freeText, target } from '../src/core/fields.ts';
import { defineManifest } from '../src/core/manifest.ts';
import {
  changedIncident,
  changedShows,
  changedWords,
  incidentArgs,
  incidentNamed,
  incidentNouns,
} from './incident-words.ts';

export const pagerdutyResolve = defineManifest({
  name: 'pagerduty.resolve',
  effect: 'write',
  system: 'pagerduty',
  summary: 'Resolve one PagerDuty incident.',
  keywords: ['resolve', 'close the incident', 'end the incident', 'incident'],
  asked: {
    verbs: ['resolve'],
    nouns: ['incident', 'alert'],
    examples: [
      'resolve incident PXY123',
      'close pagerduty incident 40012',
      '#12 is over, resolve it',
      'resolve the open incident of ops',
      '40012 can be resolved',
    ],
  },
  args: incidentArgs,
  result: changedIncident.extend({
    service: target('service', 'its service, where that is in countersign.yml').optional(),
    problem: freeText(1_000, 'what it was about').optional(),
    urgency: z.enum(['high', 'low']).describe('low does not wake').optional(),
  }),
  main: 'state',
  yields: 'internal',
  limits: { timeoutMs: 15_000, attempts: 1 },
  success: {
    words: ({ incident = '' }) => `${incidentNamed(incident)} is resolved`,
    holds: 'after.state == "resolved"',
    read: { tool: 'pagerduty.get', args: ({ incident }) => ({ incident }) },
    repeatable: true,
  },
  // Repeating it changes nothing.
  inDoubt: 'same_key',
  urgent: true,
  shows: changedShows,
  said: ['name', 'by', 'at', 'incident', 'service'],
  outcome: (result) => changedWords(result, 'resolved'),
  notDone: ({ incident = '' }) => `${incidentNamed(incident)} was not resolved`,
  sentence: ({ incident = '' }) => `Resolve ${incidentNamed(incident)}`,
  nouns: incidentNouns,
  risk: 'high',
  undo: 'A resolved incident is not opened again. Its service can be paged again, which opens another one.',
  undoBy: ({ already, service, name, problem = '', urgency }) => {
    if (already || service === undefined) return null;
    const why = `${name} was resolved too early`;
    const text = problem === '' ? why : `${cut(problem, 900)} — again: ${why}`;
    const args = { service, text, ...(urgency === 'low' ? { urgency } : {}) };
    return { words: 'Page again', tool: 'pagerduty.page', args };
  },
});
