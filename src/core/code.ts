import { z } from 'zod';
import { freeText, target, targetKinds } from './fields.ts';

/** The name under which a step computes something from earlier results, where other steps name a tool. */
export const codeTool = 'code';

export const codeLimits = { bytes: 4_096, fields: 12, list: 100, text: 4_000 } as const;

const scalars = ['text', 'number', 'count', 'yes/no', ...targetKinds] as const;
type Scalar = (typeof scalars)[number];

/** `text` is inert, `number` any number, `count` a whole one; the others name a thing of that kind. */
export const codeTypes = [...scalars, ...scalars.map((one) => `list of ${one}` as const)] as const;
export type CodeType = (typeof codeTypes)[number];

/** Nothing in a source may look like something else: no control or invisible characters, no lines that end in blanks. */
const hidden = /(?!\n)[\p{Cc}\p{Cf}\p{DI}\p{Zl}\p{Zp}\p{Cs}]|(?! )\p{Zs}/u;

export const codeSchema = z.strictObject({
  /** Body of a function whose parameters are the arguments of the step. */
  source: z
    .string()
    .min(1)
    .refine(
      (source) => Buffer.byteLength(source) <= codeLimits.bytes,
      `must be at most ${codeLimits.bytes} bytes`,
    )
    .refine((source) => !hidden.test(source), 'must not hold tabs or invisible characters')
    .refine(
      (source) => source === tidySource(source),
      'must not begin or end with blank lines, nor lines with blanks',
    ),
  /** Its result: fields and their types. */
  result: z
    .record(
      z.string().regex(/^[a-z][a-z0-9_]{0,40}$/, 'must be lower case letters, digits and _'),
      z.enum(codeTypes),
    )
    .refine((fields) => Object.keys(fields).length > 0, 'must have a field')
    .refine(
      (fields) => Object.keys(fields).length <= codeLimits.fields,
      `must have at most ${codeLimits.fields} fields`,
    ),
});
export type Code = z.infer<typeof codeSchema>;

/** A source in the form in which it is stored and shown. */
export function tidySource(source: string): string {
  const lines = source
    .replace(/\r\n?/g, '\n')
    .replaceAll('\t', '  ')
    .split('\n')
    .map((line) => line.trimEnd());
  const isFull = (line: string): boolean => line !== '';
  return lines.slice(Math.max(0, lines.findIndex(isFull)), lines.findLastIndex(isFull) + 1).join('\n');
}

/** The schema of a declared field. */
export function codeField(type: CodeType): z.ZodType {
  if (type.startsWith('list of ')) return z.array(scalarField(type.slice(8) as Scalar)).max(codeLimits.list);
  return scalarField(type as Scalar);
}

function scalarField(type: Scalar): z.ZodType {
  if (type === 'text') return freeText(codeLimits.text, 'text');
  if (type === 'number') return z.number();
  if (type === 'count') return z.int();
  return type === 'yes/no' ? z.boolean() : target(type, type);
}
