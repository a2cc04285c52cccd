import { z } from 'zod';
import { freeText, target } from '../src/core/fields.ts';
import { defineManifest } from '../src/core/manifest.ts';

export const slaThreshold = defineManifest({
  name: 'sla.threshold',
  effect: 'read',
  system: 'sla',
  summary: 'The agreed limit for a project and priority: how many open tickets the SLA allows.',
  keywords: ['sla', 'threshold', 'limit', 'allowed', 'agreed', 'breach', 'breached'],
  args: z.object({
    project: target('project', 'Jira project key').optional(),
    priority: target('severity', 'priority P1 to P5').optional(),
  }),
  result: z.object({
    max_open: z.int().min(0).describe('open tickets that the SLA allows'),
    resolve_within: freeText(60, 'time to resolve in words, empty when not agreed'),
  }),
  main: 'max_open',
  yields: 'internal',
  sentence: (args) => `Look up the SLA limit${scope(args.priority, args.project)}`,
  outcome: ({ max_open: max }) => `the SLA allows ${max}`,
  nouns: { max_open: (args) => `the SLA limit${scope(args.priority, args.project)}` },
});

function scope(priority: string | undefined, project: string | undefined): string {
  return [priority ? ` for ${priority}` : '', project ? ` in ${project}` : ''].join('');
}
