import { defineManifest } from '../src/core/manifest.ts';
import {
  addingNote,
  changedIncident,
  changedShows,
  changedWords,
  incidentArgs,
  incidentNamed,
  incidentNouns,
  resolving,
} from './incident-words.ts';

export const pagerdutyAck = defineManifest({
  name: 'pagerduty.ack',
  effect: 'write',
  system: 'pagerduty',
  summary: 'Acknowledge one PagerDuty incident, which stops its escalation.',
  keywords: ['acknowledge', 'ack', 'take', 'silence the escalation', 'incident'],
  asked: {
    verbs: ['ack', 'acknowledge'],
    nouns: ['incident', 'alert'],
    examples: [
      'ack incident PXY123',
      'acknowledge 40012',
      'ack #12',
      'ack the open incident of ops',
      'I have it, ack 40012',
    ],
  },
  args: incidentArgs,
  result: changedIncident,
  main: 'state',
  yields: 'internal',
  limits: { timeoutMs: 15_000, attempts: 1 },
  success: {
    // It may be resolved already, by the next step.
    words: ({ incident = '' }) => `${incidentNamed(incident)} is acknowledged or resolved`,
    holds: 'after.state != "triggered"',
    read: { tool: 'pagerduty.get', args: ({ incident }) => ({ incident }) },
    repeatable: true,
  },
  // Repeating it changes nothing.
  inDoubt: 'same_key',
  urgent: true,
  atOnce: true,
  offers: ({ incident, state }) => (state === 'resolved' ? [] : [resolving(incident), addingNote(incident)]),
  shows: changedShows,
  said: ['name', 'by', 'at', 'incident'],
  outcome: (result) => changedWords(result, 'acknowledged'),
  notDone: ({ incident = '' }) => `${incidentNamed(incident)} was not acknowledged`,
  sentence: ({ incident = '' }) => `Acknowledge ${incidentNamed(incident)}`,
  nouns: incidentNouns,
  undo: 'An acknowledgement can’t be undone from Slack. It ends with the timeout of the service, or when somebody reassigns the incident in PagerDuty.',
});
