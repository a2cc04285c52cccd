import { z } from 'zod';
import { causeIdPattern } from '../core/plan.ts';
import { serviceName } from './patterns.ts';

const cause = z.strictObject({
  id: z
    .string()
    .regex(causeIdPattern, 'must be lower case letters, digits and -, at most 40')
    .describe('what it is called in plans and buttons'),
  sentence: z
    .string()
    .trim()
    .min(1)
    .max(300)
    .regex(/^[^\r\n]*$/, 'must be one line')
    .describe('the cause, as people read it'),
  services: z.array(serviceName).min(1).optional().describe('services that it may be about; left out: any'),
  check: z
    .string()
    .min(1)
    .max(4_000)
    .describe('reads in plan notation, then a line `supported when …`; {service} stands for the service'),
  fix: z
    .union([
      z.string().min(1).max(4_000),
      z.strictObject({
        playbook: z.string().describe('a playbook of the installation'),
        inputs: z
          .record(z.string(), z.union([z.string(), z.number()]))
          .default({})
          .describe('values of its inputs; the service and its project need none'),
      }),
    ])
    .optional()
    .describe(
      'what helps, as steps in plan notation or as a playbook: proposed by a button, written only while the check supports the cause',
    ),
  runbook: z
    .url({ protocol: /^https$/, error: 'must be an https address' })
    .optional()
    .describe('address of its runbook'),
});

export const causes = {
  causes: z
    .array(cause)
    .max(500)
    .default([])
    .describe('causes that code settles, also in YAML files under errors.files (docs/causes.md)'),
};
