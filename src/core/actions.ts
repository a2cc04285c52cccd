import { z } from 'zod';
import { mayLeave } from './address.ts';
import { levels, risks } from './manifest.ts';
import { verifyWithin } from './plan.ts';

/** Actions: calls of an operator's own systems, declared in `countersign.yml`. */

const fieldName = z.string().regex(/^[a-z][a-z_]{0,40}$/, 'must be lower case letters and _');
const words = z.array(z.string().min(1).max(60)).max(30);
const sentence = z.string().max(300).regex(/\.$/, 'must be a sentence');
const template = z.string().min(1).max(2_000);
const pointer = z
  .string()
  .max(200)
  .regex(/^(\/[^/]*)*$/, 'must be a JSON pointer such as /deploy/id');

const parameterKinds = ['service', 'project', 'text', 'number', 'one_of'] as const;

const parameter = z
  .strictObject({
    type: z.enum(parameterKinds).default('text').describe('service, project, text, number, or one_of'),
    of: z.array(z.string().min(1).max(100)).min(1).max(50).optional().describe('the values of one_of'),
    default: z
      .union([z.string().max(200), z.number()])
      .optional()
      .describe('when nothing is said'),
    optional: z.boolean().default(false).describe('may be left out'),
    describe: z.string().min(1).max(200).optional().describe('what it is, for people and models'),
    cues: words.default([]).describe('words right before its value: "to version"'),
  })
  .refine(({ type, of }) => (type === 'one_of') === (of !== undefined), {
    error: 'is for one_of, and one_of needs it',
    path: ['of'],
  });

const addressForm = /^(?:https?:\/\/[^/?#{}@]+|\{[A-Z][A-Z0-9_]*\})(?:[/?#]|$)/;

const address = z
  .string()
  .max(1_000)
  .regex(addressForm, {
    error: 'must name its host: a parameter stands in its path or query only, and there is no user name',
  })
  .refine((value) => value.startsWith('{') || isOpen(value), {
    error: 'must be an https address (http is accepted for this machine only)',
  });

function isOpen(url: string): boolean {
  return URL.canParse(bare(url)) && mayLeave(new URL(bare(url)));
}

/** An address with its parameters as plain words. */
function bare(url: string): string {
  return url.replaceAll(/[{}]/g, '');
}

/** An address whose beginning may be a variable; null where that is not set, or no address that may be reached. */
export function basedOn(url: string, lookUp: (variable: string) => string | undefined): string | null {
  const based = url.replace(
    /^\{([A-Z][A-Z0-9_]*)\}/,
    (_all, name: string) => lookUp(name)?.replace(/\/$/, '') ?? '',
  );
  return addressForm.test(based) && isOpen(based) ? based : null;
}

/** The host of an address; null for one that is not known yet. */
export function hostOf(url: string | null): string | null {
  return url === null || url.startsWith('{') ? null : new URL(bare(url)).host;
}

/** On this machine a host may be named without its port. */
export function mayReach(hosts: readonly string[], { host, hostname }: URL): boolean {
  return hosts.includes(host) || (hostname === '127.0.0.1' && hosts.includes(hostname));
}

const result = z.union([
  pointer.transform((at) => ({ at, as: 'text' as const })),
  z.strictObject({ at: pointer, as: z.enum(['text', 'number', 'whole', 'flag']).default('text') }),
]);

const lookUp = z.strictObject({
  url: address.describe('address that is read'),
  at: pointer.default('').describe('JSON pointer to the value, or to the list that is searched'),
  where: pointer.default('').describe('JSON pointer in each entry of that list'),
  is: template.describe('what stands there when it has happened, such as "{key}"'),
});

const undo = z.strictObject({
  says: sentence.describe('how it is taken back'),
  words: z.string().min(1).max(60).default('Undo').describe('label of the button'),
  action: z.string().optional().describe('the action that takes it back; without it people do'),
  with: z
    .record(fieldName, template)
    .default({})
    .describe('its parameters; {name} is a parameter or a result'),
});

const actionSchema = z.strictObject({
  about: z.string().min(1).max(200).describe('one sentence on what it does, for planners and cards'),
  effect: z.enum(['read', 'write']).default('write').describe('what you have found it to do'),
  ask: z
    .strictObject({
      verbs: words.min(1).describe('orders, in their plain form: roll back, revert'),
      nouns: words.default([]).describe('what it is about: deploy'),
      examples: z.array(z.string().min(1).max(200)).min(1).max(10).describe('requests that plan to it'),
    })
    .describe('how people ask for it'),
  parameters: z.record(fieldName, parameter).default({}),
  method: z
    .enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
    .default('POST')
    .describe('GET for what only reads'),
  url: address.describe('its address; {name} is a parameter, and at its beginning {NAME} a variable'),
  query: z.record(z.string().min(1).max(100), template).default({}).describe('added to the address'),
  body: z.record(z.string(), z.json()).optional().describe('sent as JSON; {name} in a text is a parameter'),
  form: z.record(z.string().min(1).max(100), template).optional().describe('or sent as a form'),
  headers: z
    .record(z.string().regex(/^[A-Za-z][A-Za-z0-9-]{0,60}$/, 'must be the name of a header'), template)
    .default({})
    .describe('{NAME} is a variable of the environment, or the file that NAME_FILE names'),
  hosts: z.array(z.string().min(1).max(260)).min(1).max(10).describe('hosts that it may reach'),
  expected: z
    .array(z.int().min(200).max(299))
    .min(1)
    .default([200, 201, 202, 204])
    .describe('statuses that mean that it happened'),
  refused: z
    .record(z.string().regex(/^4\d\d$/, 'must be a status from 400 to 499'), sentence)
    .default({})
    .describe('statuses that mean that it certainly did not happen, each with what it means'),
  results: z.record(fieldName, result).default({}).describe('fields of its answer by JSON pointer'),
  idempotency_header: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,60}$/, 'must be the name of a header')
    .optional()
    .describe('header with a key by which its system takes the same call once'),
  look_up: lookUp.optional().describe('how to see whether it has happened'),
  undo: z
    .union([sentence.transform((says) => undo.parse({ says })), undo])
    .optional()
    .describe('how a write is taken back: a sentence, or with an action that does it'),
  verify: z
    .strictObject({
      within: z
        .string()
        .regex(/^\d{1,4}(s|m)$/, 'must be a time such as 10m or 30s')
        .transform((time) => Number.parseInt(time, 10) * (time.endsWith('m') ? 60 : 1))
        .refine(
          (seconds) => seconds >= verifyWithin.min && seconds <= verifyWithin.max,
          'must be from 5s to 30m',
        )
        .describe('how long its effect is looked for: 10m'),
      plan: z.string().min(1).max(4_000).describe('reads in plan notation; the last is called after'),
    })
    .optional()
    .describe('how it is looked up whether it helped'),
  risk: z.enum(risks).default('medium').describe('how bad an unwanted one would be'),
  yields: z.enum(levels).default('internal').describe('level of what it returns'),
  accepts: z.enum(levels).default('public').describe('highest level of data that may be sent to it'),
  timeout_ms: z.int().min(100).max(60_000).default(10_000).describe('milliseconds for one call'),
});

export const actionsSchema = z.record(
  z.string().regex(/^[a-z]{2,20}\.[a-z][a-z_]{0,39}$/, 'must be two words such as deploys.rollback'),
  actionSchema,
);

export type Action = z.infer<typeof actionSchema>;
/** Actions by their name in plans. */
export type Actions = Readonly<Record<string, Action>>;

/** The names in braces of a text; braces around anything else are text. */
export function namesIn(text: string): string[] {
  return [...text.matchAll(/\{([A-Za-z][A-Za-z0-9_]*)\}/g)].map(([, name = '']) => name);
}

/** Variables of the environment in its headers and at the beginning of its addresses. */
export function secretsOf({ headers, url, look_up: look }: Action): string[] {
  const bases = [url, look?.url ?? ''].flatMap((one) => /^\{([A-Z][A-Z0-9_]*)\}/.exec(one)?.[1] ?? []);
  return [...new Set([...Object.values(headers).flatMap(namesIn), ...bases])];
}
