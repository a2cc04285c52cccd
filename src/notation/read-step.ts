import { z } from 'zod';
import { codeTool } from '../core/code.ts';
import { isOptional } from '../core/fields.ts';
import { itemRef, listFields } from '../core/for-each.ts';
import type { Manifest } from '../core/manifest.ts';
import { own } from '../core/own-property.ts';
import type { ArgValue, Step } from '../core/plan.ts';
import { suggest } from '../core/suggest.ts';
import type { RawStep, StepKey } from './clauses.ts';
import { readCondition, readCriterion } from './conditions.ts';
import type { Word } from './cursor.ts';
import { inCode, type Problems } from './problems.ts';
import type { RawArg } from './raw-args.ts';
import { readValue, type ValueContext } from './values.ts';

/** One step with its names looked up. Omitted parts are filled in once all steps are known. */
export function readStep(raw: RawStep, id: string, context: ValueContext): Step {
  const { problems, scope } = context;
  const code = context.codes.get(id);
  const [each, oneOf] = [readEach(raw, context), readOneOf(raw, context)];
  const item = raw.each && each !== null ? { name: raw.each.name.text, ref: itemRef(each) } : null;
  const others = new Map([...scope].filter(([other]) => other !== id));
  const when = raw.when && readCondition(raw.when, { ...context, scope: others });
  const expected = saidOf(raw, 'expect');
  const criteria = expected
    .filter(({ text }) => text !== '')
    .flatMap((line) => readCriterion(line, context) ?? []);
  return {
    id,
    tool: raw.tool.text,
    why: once(raw, 'why', problems)?.text ?? '',
    args: readArgs(raw, scope.get(id), { ...context, item }),
    ...(each === null ? {} : { each }),
    ...(oneOf === null ? {} : { oneOf }),
    ...(code === undefined ? {} : { code }),
    needs: readNeeds(raw, context),
    ...(when === null ? {} : { when }),
    ...(expected.length === 0 ? {} : { success: criteria }),
    onError: choice(raw, 'on error', ['stop', 'continue'], problems),
    onSkip: choice(raw, 'on skip', ['skip', 'run'], problems),
  };
}

function readEach({ each }: RawStep, context: ValueContext): string | null {
  if (each === null) return null;
  const { name } = each;
  if (context.scope.has(name.text))
    context.problems.add('repeated', name, `${inCode(name.text)} is a step; give the entry another name.`);
  return readList(each.list, context);
}

function readOneOf(raw: RawStep, context: ValueContext): string | null {
  const line = once(raw, 'one of', context.problems);
  return line === undefined ? null : readList(line, context);
}

/** `list.keys`, or `list` where that has one list; null if it is none, and `problems` then says why. */
function readList({ text, at }: Word, { scope, ids, mayBe, problems }: ValueContext): string | null {
  const [step = '', field] = text.split('.');
  const manifest = scope.get(step);
  if (manifest === undefined) {
    const word = { text: step, at };
    if (!mayBe(step))
      problems.add('unknown_step', word, `There is no step ${inCode(step)}.`, suggest(step, ids));
    return null;
  }
  const known = listFields(manifest);
  const meant = field ?? known[0];
  if (meant !== undefined && known.includes(meant)) return `${step}.${meant}`;
  const has = known.length === 0 ? 'no list that a write can go through' : known.join(', ');
  problems.add('unknown_field', { text, at }, `${inCode(manifest.name)} has ${has}.`);
  return null;
}

function saidOf(raw: RawStep, wanted: StepKey) {
  return raw.said.filter(({ key }) => key === wanted).map(({ line }) => line);
}

/** The step's line of a kind that may appear only once. */
export function once(raw: RawStep, wanted: StepKey, problems: Problems) {
  const [first, second] = raw.said.filter(({ key }) => key === wanted);
  if (second)
    problems.add('repeated', second.word, `There are two lines ${inCode(`${wanted}:`)} for one step.`);
  return first?.line;
}

function choice<T extends string>(
  raw: RawStep,
  key: StepKey,
  [usual, other]: readonly [T, T],
  problems: Problems,
): T {
  const line = once(raw, key, problems);
  if (line === undefined) return usual;
  const chosen = [usual, other].find((one) => one === line.text.toLowerCase());
  if (chosen === undefined)
    problems.add(
      'bad_value',
      line,
      `${inCode(`${key}:`)} is ${usual} or ${other}.`,
      suggest(line.text, [usual, other]),
    );
  return chosen ?? usual;
}

function readNeeds(raw: RawStep, { scope, ids, mayBe, problems }: ValueContext): string[] {
  const line = once(raw, 'after', problems);
  return [...(line?.text ?? '').matchAll(/[^\s,]+/g)].map(([name]) => {
    if (scope.has(name) || mayBe(name)) return name;
    const word = { text: name, at: line?.at ?? 0 };
    problems.add('unknown_step', word, `There is no step ${inCode(name)}.`, suggest(name, ids));
    return name;
  });
}

type RawCall = Pick<RawStep, 'tool' | 'args' | 'isWhole'>;

export function readArgs(raw: RawCall, manifest: Manifest | undefined, context: ValueContext): Step['args'] {
  if (!manifest) return {};
  const { problems } = context;
  const args: Record<string, ArgValue> = {};
  for (const arg of raw.args) {
    const name = arg.name.text;
    const schema = own(manifest.args.shape, name);
    if (schema === undefined) unknownArgument(arg, manifest, problems);
    else if (Object.hasOwn(args, name)) problems.add('repeated', arg.name, `${inCode(name)} is given twice.`);
    else if (namesVetted(arg, manifest)) vettedQuery(arg, problems);
    // An invalid value counts as given, so it is not reported as missing as well.
    else args[name] = readValue(arg, schema, context) ?? '';
  }
  checkComplete(raw, manifest, problems);
  return args;
}

/** Its text stands nowhere but in countersign.yml; as written, the name alone would search for that word. */
function namesVetted({ name, value }: RawArg, { queries, args }: Manifest): boolean {
  const { named } = args.shape;
  if (queries === undefined || name.text !== 'query' || named === undefined || value.kind === 'list')
    return false;
  const [said, ...more] = value.pieces;
  return more.length === 0 && typeof said === 'string' && z.safeParse(named, said).success;
}

function vettedQuery({ value }: RawArg, problems: Problems): void {
  const text = value.kind === 'one' ? value.pieces.join('') : '';
  const message = `${inCode(text)} is a vetted query, not one to run as written.`;
  problems.add('bad_value', { text, at: value.at }, message, `named=${text}`);
}

function unknownArgument({ name }: RawArg, manifest: Manifest, problems: Problems): void {
  const known = Object.keys(manifest.args.shape);
  const meant = suggest(name.text, known);
  const list = meant === null ? ` It has ${known.join(', ')}.` : '';
  const message = `${inCode(manifest.name)} has no argument ${inCode(name.text)}.${list}`;
  problems.add('unknown_argument', name, message, meant);
}

/** Nothing is reported missing when an unreadable or unknown argument might be it. */
function checkComplete({ tool, args, isWhole }: RawCall, manifest: Manifest, problems: Problems): void {
  const given = new Set(args.map(({ name }) => name.text));
  if (!isWhole || [...given].some((name) => !Object.hasOwn(manifest.args.shape, name))) return;
  const missing = Object.entries(manifest.args.shape)
    .filter(([name, schema]) => !isOptional(schema) && !given.has(name))
    .map(([name]) => `${name}=…`);
  if (missing.length > 0)
    problems.add('missing_argument', tool, `${inCode(manifest.name)} needs ${inCode(missing.join(' '))}.`);
  for (const names of manifest.exactlyOne) {
    if (names.filter((name) => given.has(name)).length === 1) continue;
    const list = names.map((name) => `${name}=…`).join(' or ');
    problems.add('missing_argument', tool, `${inCode(manifest.name)} needs exactly one of ${list}.`);
  }
  const { anyOf } = manifest;
  if (anyOf !== undefined && !anyOf.some((name) => given.has(name))) {
    const list = anyOf.map((name) => `${name}=…`).join(' or ');
    problems.add('missing_argument', tool, `${inCode(manifest.name)} needs at least one of ${list}.`);
  }
}

export function unknownTool(
  { text, at }: Word,
  manifests: ReadonlyMap<string, Manifest>,
  problems: Problems,
): void {
  const names = [...manifests.keys()];
  const ofVerb = names.filter((name) => name.split('.')[1] === text);
  const meant = ofVerb.length === 1 ? (ofVerb[0] ?? null) : suggest(text, [...names, codeTool]);
  problems.add('unknown_tool', { text, at }, `No tool ${inCode(text)}.`, meant);
}
