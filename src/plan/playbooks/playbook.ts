import { z } from 'zod';
import { target, text } from '../../core/fields.ts';

const inputName = z.string().regex(/^[a-z][a-z0-9_]{0,30}$/, 'must be lower case letters, digits and _');

/** Types of inputs; each is recognised in a goal by its form, and validated when given by hand. */
export const inputTypes = [
  'project',
  'priority',
  'service',
  'channel',
  'user',
  'key',
  'incident',
  'number',
  'duration',
  'text',
  'code',
] as const;
export type InputType = (typeof inputTypes)[number];

/** Validation of each input type. */
export const inputTypeSchemas: Readonly<Record<InputType, z.ZodType<string | number>>> = {
  project: target('project', ''),
  priority: target('severity', ''),
  service: target('service', ''),
  channel: target('channel', ''),
  user: target('user', ''),
  key: target('issue', ''),
  incident: target('incident', ''),
  number: z.coerce.number(),
  duration: z.iso.duration('must be an ISO 8601 duration such as PT30M'),
  text: text(300, ''),
  code: text(100, ''),
};

/** Sample values for checking a playbook or showing it as an example. */
export const inputSamples: Readonly<Record<InputType, string | number>> = {
  project: 'OPS',
  priority: 'P1',
  service: 'ops',
  channel: '#ops',
  user: '@ana',
  key: 'OPS-1',
  incident: 'P1ABC23',
  number: 1,
  duration: 'PT1H',
  text: 'text',
  code: 'E-1',
};

const inputSpec = z.strictObject({
  type: z.enum(inputTypes),
  describe: z.string().min(1).max(200),
  default: z.union([z.string(), z.number()]).optional(),
});

/** A vetted plan with typed inputs. `{name}` in the plan or the summary stands for an input. */
export const playbookSchema = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]{1,60}$/, 'must be lower case words joined by -'),
  summary: z.string().min(1).max(200),
  owner: z.string().min(1).max(100),
  /** Goals as engineers would type them; goals close to one of them are planned from this playbook. */
  examples: z.array(z.string().min(3).max(300)).min(1).max(20),
  inputs: z.record(inputName, inputSpec).default({}),
  /** In plan notation. */
  plan: z.string().min(1).max(20_000),
});
export type Playbook = z.infer<typeof playbookSchema>;
