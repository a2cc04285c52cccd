import { z } from 'zod';
import { address, freeText, target } from '../src/core/fields.ts';
import type { ArgWords } from '../src/core/manifest.ts';
import type { Offer } from '../src/core/offer.ts';

/** The incident to acknowledge or resolve. */
export const incidentArgs = z.object({
  incident: target(
    'incident',
    'PagerDuty incident: number, id, key or address; its service, for the one that is open; or thread, for the one of this thread',
  ),
});

/** An incident after a change of its state. */
export const changedIncident = z.object({
  incident: target('incident', 'incident id'),
  name: freeText(40, 'number of the incident: #12'),
  state: z.enum(['triggered', 'acknowledged', 'resolved']).describe('state after the change'),
  already: z.boolean().describe('it was so before, and nothing was sent'),
  by: freeText(200, 'who made the last change'),
  at: freeText(40, 'when it was made, ISO 8601'),
  link: address('address of the incident'),
});

export const changedShows = {
  links: [{ field: 'link', words: 'Open the incident', names: 'name' }],
} as const;

/** "incident #12 is resolved", or who did it before and when. */
export function changedWords(
  { name, already, by, at }: Pick<z.infer<typeof changedIncident>, 'name' | 'already' | 'by' | 'at'>,
  state: 'acknowledged' | 'resolved',
): string {
  if (!already) return `incident ${name} is ${state}`;
  const when = at === '' ? '' : `, at ${at.slice(11, 16)} UTC on ${at.slice(0, 10)}`;
  return `incident ${name} was ${state} already${by === '' ? '' : ` by ${by}`}${when}; nothing was changed`;
}

export const incidentNouns = {
  state: ({ incident = '' }: ArgWords) => `the state of ${incidentNamed(incident)}`,
};

/** The incident as named: by its number, id or key, by its service, or by a look-up. */
export function incidentNamed(incident: string): string {
  if (incident.toLowerCase() === 'thread') return 'the incident of this thread';
  if (incident.startsWith('‹')) return incident;
  const isService = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(incident) && !incident.startsWith('cs-');
  return isService ? `the open incident of ${incident}` : `incident ${incident}`;
}

/** On a phone the button is next to Acknowledge, so it asks for confirmation. */
export function resolving(incident: string): Offer {
  const confirm = {
    title: 'Resolve this incident?',
    text: 'It can’t be reopened. If the problem is not over, somebody has to be paged again.',
    yes: 'Resolve',
    no: 'Not yet',
  };
  return { words: 'Resolve', tool: 'pagerduty.resolve', args: { incident }, confirm };
}

export function addingNote(incident: string): Offer {
  const asks = [{ arg: 'text', label: 'Note' }];
  return { words: 'Add a note', tool: 'pagerduty.note', args: { incident }, asks };
}
