import { z } from 'zod';
import { cut, oneLine } from '../../core/clean-text.ts';
import type { Code } from '../../core/code.ts';
import type { Scope } from '../../core/condition.ts';
import { CountersignError } from '../../core/errors.ts';
import { fieldInfo, type TargetKind, unwrap } from '../../core/fields.ts';
import type { Json } from '../../core/json.ts';
import { parseJson } from '../../core/json.ts';
import type { Manifest } from '../../core/manifest.ts';
import { own } from '../../core/own-property.ts';
import type { Step } from '../../core/plan.ts';
import { refsIn, splitRef } from '../../core/refs.ts';
import { targetName } from '../../core/targets.ts';
import type { ReadTool } from '../../core/tool.ts';
import { plainWords } from '../../core/value-words.ts';
import { type CodeAnswer, type CodePool, codeBounds } from './pool.ts';

/** A code step failed by what its source did or returned. */
export class CodeError extends CountersignError {}

/** A code step as the read that it is: its source runs with its arguments, and the result is checked. */
export function codeTool(
  { args: written }: Step,
  { source }: Code,
  { manifest, scope, pool }: { readonly manifest: Manifest; readonly scope: Scope; readonly pool: CodePool },
): ReadTool {
  return {
    manifest,
    async run(args) {
      const names = Object.keys(args);
      const inputs = JSON.stringify(Object.values(args));
      if (Buffer.byteLength(inputs) > codeBounds.inputBytes)
        throw new CodeError('code_input', 'More than 1 MB would go into the code; read less before it.');
      const result = resultOf(await pool.evaluate({ source, names, inputs }), manifest);
      const given = Object.entries(written).flatMap(([name, value]) =>
        refsIn(value).flatMap((ref) => targetsBehind(ref, args[name] as Json, scope)),
      );
      checkTargets(result, manifest, new Set(given));
      return result;
    },
  };
}

/** Why a source gave no result, in words. */
const reasons = {
  time: `The code took more than ${codeBounds.cpuMs} ms.`,
  memory: `The code needed more than ${codeBounds.memoryMb} MB of memory.`,
  depth: 'The code called itself too deeply.',
  not_finite: 'The code returned something that is not a number (NaN or infinite).',
  size: `The code returned more than ${codeBounds.resultBytes / 1_024} KB.`,
  broken: 'The code could not be run: it stopped its sandbox.',
} as const;

function resultOf(answer: CodeAnswer, manifest: Manifest): Record<string, Json> {
  if ('why' in answer) {
    const { why, words = '', stack = '' } = answer;
    if (why !== 'threw') throw new CodeError(`code_${why}`, reasons[why]);
    throw new CodeError('code_threw', threwWords(words, stack));
  }
  const value = parseJson(answer.json);
  const parsed = z.safeParse(manifest.result, value, { error: plainWords });
  if (parsed.success) return value as Record<string, Json>;
  throw new CodeError('code_result', shapeWords(manifest, parsed.error.issues[0]));
}

/** The line is that of the source: the first one is the function around it. */
function threwWords(words: string, stack: string): string {
  const line = /code\.js:(\d{1,3})/.exec(stack)?.[1];
  const where = line === undefined ? '' : ` in line ${Number(line) - 1}`;
  const what = cut(oneLine(words), 200);
  return what === '' ? `The code threw something${where}.` : `The code failed${where}: ${what}.`;
}

function shapeWords(manifest: Manifest, issue: z.core.$ZodIssue | undefined): string {
  const declared = Object.keys(manifest.result.shape).join(', ');
  const [field] = issue?.path ?? [];
  if (field !== undefined)
    return `The code returned a wrong result: ${String(field)} ${issue?.message ?? ''}.`;
  if (issue?.code !== 'unrecognized_keys') return `The code did not return an object with ${declared}.`;
  return `The code returned ${cut(issue.keys.map(oneLine).join(', '), 100)}, but it declares ${declared}.`;
}

/** Everything in a result that its tool declares to name a thing, such as `issue:OPS-1`. */
function targetsBehind(ref: string, value: Json, scope: Scope): string[] {
  const { step, path } = splitRef(ref);
  const schema = own(scope.get(step)?.result.shape ?? {}, path[0] ?? '');
  return schema === undefined ? [] : targetsIn(schema, value);
}

function targetsIn(schema: z.core.$ZodType, value: Json | undefined): string[] {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodArray)
    return Array.isArray(value) ? value.flatMap((item) => targetsIn(inner.element, item)) : [];
  if (inner instanceof z.ZodObject) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
    return Object.entries(inner.shape).flatMap(([name, field]) => targetsIn(field, own(value, name)));
  }
  const kind = targetOf(inner);
  return kind === undefined || typeof value !== 'string' ? [] : [targetName(kind, value)];
}

function targetOf(schema: z.core.$ZodType): TargetKind | undefined {
  return fieldInfo(schema).target;
}

/** Text never becomes a target: what is returned as one must have gone in as one of that kind. */
function checkTargets(result: Record<string, Json>, manifest: Manifest, given: ReadonlySet<string>): void {
  for (const [name, schema] of Object.entries(manifest.result.shape)) {
    const kind = targetOf(schema);
    if (kind === undefined) continue;
    const made = [result[name]].flat().find((one) => !given.has(targetName(kind, String(one))));
    if (made === undefined) continue;
    const words = cut(oneLine(String(made)), 80);
    throw new CodeError(
      'code_target',
      `The code returned the ${kind} ${words} as ${name}, which did not go in as one.`,
    );
  }
}
