import { z } from 'zod';
import { address, freeText, target } from '../src/core/fields.ts';
import { defineManifest } from '../src/core/manifest.ts';
import { incidentArgs, incidentNamed } from './incident-words.ts';

const states = ['triggered', 'acknowledged', 'resolved'] as const;

/** The line of its history that says so; no title stands at the start of a line. */
const mergedLine = /^Merged into (#\d+, which is [a-z]+)$/m;

export const pagerdutyGet = defineManifest({
  name: 'pagerduty.get',
  effect: 'read',
  system: 'pagerduty',
  summary: 'Show one PagerDuty incident and its history.',
  keywords: ['incident', 'details', 'timeline', 'who acknowledged'],
  asked: {
    role: 'alarm',
    verbs: ['show'],
    nouns: ['incident', 'alert'],
    examples: [
      'show incident #12',
      'what is the status of #12',
      'who acknowledged #12',
      'tell me about incident PXY123',
      'is 40012 still open',
    ],
    compares: { state: 'state', age: 'age_minutes' },
    tells: 'lines',
  },
  args: incidentArgs,
  result: z.object({
    id: target('incident', 'its id'),
    name: freeText(40, 'its number: #12'),
    title: freeText(500, 'title'),
    state: z.enum(states).describe('its state'),
    urgency: z.enum(['high', 'low']).describe('its urgency'),
    service: target('service', 'its service'),
    acknowledged_by: freeText(200, 'who acknowledged it, or empty'),
    age_minutes: z.int().min(0).describe('minutes since it opened'),
    link: address('its address'),
    lines: freeText(8_000, 'it and its history'),
  }),
  main: 'state',
  said: ['id', 'name', 'title', 'urgency', 'service', 'acknowledged_by', 'age_minutes'],
  shows: { prose: 'lines', links: [{ field: 'link', words: 'Open the incident', names: 'name' }] },
  outcome: ({ name, state, title, acknowledged_by: by, lines }) => {
    const into = mergedLine.exec(lines)?.[1];
    if (into !== undefined) return `${name} was merged into ${into}: ${title}`;
    return `${name} is ${state}${state === 'acknowledged' && by !== '' ? ` by ${by}` : ''}: ${title}`;
  },
  says: {
    state: ({ incident = '' }, value) =>
      states.some((one) => one === value) ? `${incidentNamed(incident)} is ${value}` : null,
  },
  measures: true,
  yields: 'internal',
  sentence: ({ incident = '' }) => `Show ${incidentNamed(incident)}`,
  nouns: {
    state: ({ incident = '' }) => `the state of ${incidentNamed(incident)}`,
    urgency: ({ incident = '' }) => `the urgency of ${incidentNamed(incident)}`,
    title: ({ incident = '' }) => `the title of ${incidentNamed(incident)}`,
    service: ({ incident = '' }) => `the service of ${incidentNamed(incident)}`,
    acknowledged_by: ({ incident = '' }) => `who acknowledged ${incidentNamed(incident)}`,
    age_minutes: ({ incident = '' }) => `the age in minutes of ${incidentNamed(incident)}`,
    link: ({ incident = '' }) => `the link to ${incidentNamed(incident)}`,
    lines: ({ incident = '' }) => `the details of ${incidentNamed(incident)}`,
  },
});
