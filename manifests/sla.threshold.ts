import { z } from 'zod';
import { freeText, target } from '../src/core/fields.ts';
import { defineManifest } from '../src/core/manifest.ts';

export const slaThreshold = defineManifest({
  name: 'sla.threshold',
  effect: 'read',
  system: 'sla',
  summary: 'The agreed limit for a project and priority: how many open tickets the SLA allows.',
  keywords: ['sla', 'threshold', 'limit', 'allowed', 'agreed', 'breach', 'breached'],
  asked: {
    role: 'limit',
    verbs: ['show'],
    nouns: ['sla limit', 'sla threshold', 'agreed limit'],
    examples: [
      'what is the SLA limit for P1 in OPS',
      'P2 SLA threshold for PAY',
      'how many open P1s does the SLA of OPS allow',
      'agreed limit of P1s in PAY',
      'OPS P2 limit',
    ],
    compares: { number: 'max_open' },
    tells: 'max_open',
  },
  args: z.object({
    project: target('project', 'Jira project key').optional(),
    priority: target('severity', 'priority P1 to P5').optional(),
  }),
  result: z.object({
    max_open: z.int().min(0).describe('open tickets that the SLA allows'),
    resolve_within: freeText(60, 'time to resolve in words, empty when not agreed'),
  }),
  main: 'max_open',
  limit: { field: 'max_open', over: 'breached', kept: 'within the SLA' },
  purpose: 'decide',
  yields: 'internal',
  sentence: (args) => `Look up the SLA limit${scope(args.priority, args.project)}`,
  outcome: ({ max_open: max }) => `the SLA allows ${max}`,
  nouns: { max_open: (args) => `the SLA limit${scope(args.priority, args.project)}` },
});

function scope(priority: string | undefined, project: string | undefined): string {
  return [priority ? ` for ${priority}` : '', project ? ` in ${project}` : ''].join('');
}
