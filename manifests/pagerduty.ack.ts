import { defineManifest } from '../src/core/manifest.ts';
import {
  changedIncident,
  changedShows,
  changedWords,
  incidentArgs,
  incidentNamed,
  incidentNouns,
} from './incident-words.ts';

export const pagerdutyAck = defineManifest({
  name: 'pagerduty.ack',
  effect: 'write',
  system: 'pagerduty',
  summary: 'Acknowledge one PagerDuty incident, which stops its escalation.',
  keywords: ['acknowledge', 'ack', 'take', 'silence the escalation', 'incident'],
  asked: {
    also: ['pager', 'pd', 'pagerduty', 'open', 'active', 'ongoing', 'current', 'triggered', 'acked'],
    verbs: [
      'ack',
      'acknowledge',
      'take',
      'acking',
      'acknowledged',
      'mark',
      'set',
      'mark as acked/acknowledged',
    ],
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
  args: incidentArgs,
  result: changedIncident,
  main: 'state',
  yields: 'internal',
  limits: { timeoutMs: 15_000, attempts: 1 },
  // A second time it changes nothing.
  inDoubt: 'same_key',
  shows: changedShows,
  said: ['name', 'by', 'at', 'incident'],
  outcome: (result) => changedWords(result, 'acknowledged'),
  notDone: ({ incident = '' }) => `${incidentNamed(incident)} was not acknowledged`,
  sentence: ({ incident = '' }) => `Acknowledge ${incidentNamed(incident)}`,
  nouns: incidentNouns,
  undo: 'An acknowledgement can’t be undone from Slack. It ends with the timeout of the service, or when somebody reassigns the incident in PagerDuty.',
});
