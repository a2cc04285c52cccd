import { z } from 'zod';
import { address, freeText, target, text } from '../src/core/fields.ts';
import { defineManifest } from '../src/core/manifest.ts';
import { incidentNamed, incidentNouns } from './incident-words.ts';

export const pagerdutyNote = defineManifest({
  name: 'pagerduty.note',
  effect: 'write',
  system: 'pagerduty',
  summary: 'Add a note to one PagerDuty incident.',
  keywords: ['note', 'add a note', 'annotate', 'incident note', 'timeline'],
  asked: {
    mustSay: true,
    verbs: ['note'],
    nouns: ['note'],
    examples: [
      'note "failed over to eu-2" on incident PXY123',
      'add a note to incident 40012 saying vendor called back',
      '#12: note that we look at it',
      'put "restarted" as a note on 40012',
      'leave a note on the ops incident: waiting',
    ],
  },
  args: z.object({
    incident: target(
      'incident',
      'PagerDuty incident: number, id, key or address; its service, for the one that is open; or thread, for the one of this thread',
    ),
    text: text(3_000, 'the note'),
  }),
  result: z.object({
    id: text(40, 'id of the note'),
    incident: target('incident', 'incident id'),
    name: freeText(40, 'number of the incident: #12'),
    state: z.enum(['triggered', 'acknowledged', 'resolved']).describe('state of the incident'),
    link: address('address of the incident'),
  }),
  main: 'state',
  yields: 'internal',
  limits: { timeoutMs: 15_000, attempts: 1 },
  success: { unread: 'No tool reads notes; PagerDuty answers with the id of the note once it is stored.' },
  purpose: 'tell',
  reaches: ({ incident = '' }) => ({ how: 'tells', whom: `the responders of ${incidentNamed(incident)}` }),
  inDoubt: 'look',
  keyShows: true,
  shows: { links: [{ field: 'link', words: 'Open the incident', names: 'name' }] },
  said: ['id', 'name', 'incident'],
  outcome: ({ name, state }) =>
    `a note was added to incident ${name}${state === 'resolved' ? ', which is resolved by now' : ''}`,
  notDone: ({ incident = '' }) => `no note was added to ${incidentNamed(incident)}`,
  nouns: incidentNouns,
  sentence: ({ incident = '', text: note }) => `Add a note to ${incidentNamed(incident)}: “${note}”`,
  risk: 'low',
  undo: 'A note can’t be undone from Slack. Add another one that corrects it, or edit it in PagerDuty.',
});
