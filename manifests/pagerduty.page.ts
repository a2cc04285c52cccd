import { z } from 'zod';
import { target, text } from '../src/core/fields.ts';
import { defineManifest } from '../src/core/manifest.ts';

export const pagerdutyPage = defineManifest({
  name: 'pagerduty.page',
  effect: 'write',
  system: 'pagerduty',
  summary: 'Page the engineer who is on call for a service. Wakes a person.',
  keywords: ['page', 'wake', 'alert', 'notify on-call', 'ring', 'call out', 'escalate'],
  args: z.object({
    service: target('service', 'service whose on-call is paged'),
    text: text(1_000, 'what the paged person reads first'),
    urgency: z.enum(['high', 'low']).describe('low does not wake; high if absent').optional(),
    severity: target('severity', 'priority P1 to P5').optional(),
  }),
  result: z.object({
    dedup_key: text(255, 'key that joins repeated events into one incident'),
    state: z
      .enum(['accepted', 'triggered', 'acknowledged', 'resolved'])
      .describe('what PagerDuty knows of it'),
    incident: target('incident', 'PagerDuty incident id').optional(),
  }),
  main: 'state',
  yields: 'internal',
  accepts: 'confidential',
  limits: { timeoutMs: 15_000, attempts: 1 },
  sentence: (args) =>
    `Page the on-call of ${args.service}${args.urgency === 'low' ? ' with low urgency' : ''}: “${args.text}”`,
  outcome: ({ state }, args, targets) => pagedWords(state === 'accepted', args.service ?? '', targets),
  oncePer: 'service',
  takenFirst: true,
  // One dedup_key opens one incident, and the Events API asks for a retry on 5xx and on a broken connection.
  inDoubt: 'same_key',
  notDone: () => 'nobody was paged',
  nouns: { state: (args) => `the page to ${args.service}` },
  undo: 'A page cannot be unsent. Resolve the incident in PagerDuty and tell the person who was paged.',
});

/** Whoever was shown on the card is whoever was paged: the executor checked that just before. */
function pagedWords(taken: boolean, service: string, targets: readonly string[]): string {
  const shown = targets.find((label) => label.startsWith('pages '));
  const label = shown ?? `pages the on-call of ${service}`;
  const words = taken ? 'PagerDuty took the page for $1' : '$1 was paged';
  return label.replace(/^pages (.*?)(?=, on call|$)/, words);
}
