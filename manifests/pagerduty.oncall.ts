import { z } from 'zod';
import { freeText, target } from '../src/core/fields.ts';
import { defineManifest } from '../src/core/manifest.ts';

export const pagerdutyOncall = defineManifest({
  name: 'pagerduty.oncall',
  effect: 'read',
  system: 'pagerduty',
  summary: 'Who is on call for a service now, and until when.',
  keywords: ['on call', 'on-call', 'oncall', 'pager', 'duty', 'who carries', 'rotation'],
  args: z.object({ service: target('service', 'service name').optional() }),
  result: z.object({
    count: z.int().min(0).describe('people on call'),
    email: freeText(200, 'e-mail address of the first person'),
    user: target('user', 'Slack handle of the first person').optional(),
    name: freeText(200, 'first person on call, empty when nobody is'),
    until: freeText(40, 'end of the shift, ISO 8601, empty when open'),
    lines: freeText(2_000, 'one line for each person'),
  }),
  main: 'count',
  yields: 'internal',
  sentence: (args) => `Look up who is on call${args.service ? ` for ${args.service}` : ''}`,
  said: ['name', 'until', 'email'],
  outcome: ({ count, name, until }, args) => {
    const service = args.service ? ` for ${args.service}` : '';
    if (count === 0) return `nobody is on call${service}`;
    return `${name} is on call${service}${until ? ` until ${until.slice(0, 16).replace('T', ' ')} UTC` : ''}`;
  },
  nouns: {
    count: (args) => `people on call${args.service ? ` for ${args.service}` : ''}`,
    name: (args) => `who is on call${args.service ? ` for ${args.service}` : ''}`,
    lines: (args) => `who is on call${args.service ? ` for ${args.service}` : ''}`,
    user: (args) => `the on-call person${args.service ? ` of ${args.service}` : ''}`,
  },
});
