import { z } from 'zod';
import { target, text } from '../../core/fields.ts';
import { refSchema, stepIdPattern } from '../../core/plan.ts';

const inputName = z.string().regex(/^[a-z][a-z0-9_]{0,30}$/, 'must be lower case letters, digits and _');

/** Types an input may have; each is taken from a goal by its form, and checked when given by hand. */
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

/** What a value of each type looks like. */
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

/** Types whose values are numbers in a condition. Words of any other type could end it and go on as one of their own. */
export const conditionTypes: ReadonlySet<InputType> = new Set(['number', 'duration']);

/** Values that stand in for inputs where a playbook is checked or shown as an example. */
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

const value = z.union([
  z.string().max(4_000),
  z.number(),
  z.boolean(),
  refSchema,
  z.array(z.union([z.string().max(4_000), refSchema])).max(60),
]);

const playbookStep = z.strictObject({
  id: z.string().regex(stepIdPattern, 'must be lower case letters, digits and _, at most 32'),
  tool: z.string().max(60),
  why: z.string().min(1).max(300),
  args: z.record(z.string(), value).default({}),
  needs: z.array(z.string()).default([]),
  when: z.string().min(1).max(300).optional(),
  onError: z.enum(['stop', 'continue']).optional(),
  onSkip: z.enum(['skip', 'run']).optional(),
});

/**
 * A vetted plan with typed inputs. `{name}` in an argument, a condition or the summary stands for an input; an
 * argument that is nothing but an input without a value is left out.
 */
export const playbookSchema = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]{1,60}$/, 'must be lower case words joined by -'),
  summary: z.string().min(1).max(200),
  owner: z.string().min(1).max(100),
  /** Goals as engineers would type them; a goal that is near one of them is planned from this playbook. */
  examples: z.array(z.string().min(3).max(300)).min(1).max(20),
  inputs: z.record(inputName, inputSpec).default({}),
  steps: z.array(playbookStep).min(1).max(40),
});
export type Playbook = z.infer<typeof playbookSchema>;
export type PlaybookStep = Playbook['steps'][number];
