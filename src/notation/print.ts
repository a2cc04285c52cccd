import { cut } from '../core/clean-text.ts';
import { itemRef } from '../core/for-each.ts';
import type { Manifest } from '../core/manifest.ts';
import { own } from '../core/own-property.ts';
import { type ArgValue, type Plan, planLimits, type Step, type Verify } from '../core/plan.ts';
import { isRef, refsOf, splitRef } from '../core/refs.ts';
import { type Vocabulary, vocabularyOf } from '../core/step-words.ts';
import { planTitle } from '../core/title.ts';
import { codeText } from './code.ts';
import { conditionText, criterionText } from './conditions.ts';
import { defaultWhy, statedNeeds, withIds } from './defaults.ts';
import { escaped, isBareLine, isBareWord } from './quoting.ts';
import { valueText } from './values.ts';
import { watchText } from './watch-line.ts';

type Manifests = ReadonlyMap<string, Manifest>;

const noInputs: ReadonlySet<string> = new Set();

/** A plan as text, one step per line; `parse` reads it back to the same plan. Anything `parse` fills in is left out. */
export function print(plan: Plan, manifests: Manifests): string {
  const body = printBody(plan, manifests);
  return plan.goal === goalOf(body) ? body : [`goal: ${lineText(plan.goal)}`, body].join('\n');
}

/** The goal of a plan whose text has none: the text. */
export function goalOf(body: string): string {
  return cut(body, planLimits.goal);
}

/** A plan as text without its goal. */
export function printBody(plan: Omit<Plan, 'goal'>, manifests: Manifests): string {
  const isOwn = plan.summary !== planTitle(plan.steps, manifests);
  return [
    ...(plan.watch === undefined ? [] : [`watch: ${watchText(plan.watch)}`]),
    ...(isOwn ? [`summary: ${lineText(plan.summary)}`] : []),
    ...inputLines(plan.inputs),
    ...plan.assumptions.map((one) => `assuming: ${lineText(one)}`),
    ...(plan.omitted ?? []).map((one) => `omitted: ${lineText(one)}`),
    printSteps(plan.steps, manifests),
    ...plan.success.map((one) => `success: ${criterionText(one)}`),
    ...situationLines(plan.situation),
  ].join('\n');
}

function situationLines(situation: Plan['situation']): string[] {
  if (situation === undefined) return [];
  return [
    `situation: ${lineText(situation.service)}`,
    ...situation.causes.map(
      ({ id, when, sentence }) => `cause: ${id} when ${conditionText(when)}: "${escaped(sentence)}"`,
    ),
    ...(situation.ideas ?? []).map((id) => `idea: ${id}`),
  ];
}

/** Steps as text. `{name}` of an input in `inputs` stays as it is. */
export function printSteps(
  steps: readonly Step[],
  manifests: Manifests,
  inputs: ReadonlySet<string> = noInputs,
): string {
  const words = vocabularyOf(steps, manifests);
  const needs = statedNeeds(steps, words.scope);
  const ids = writtenIds(steps, needs);
  const lines = steps.flatMap((step, index) => [
    stepLine(step, { words, manifests, inputs, id: ids.has(step.id) }),
    ...extraLines(step, needs[index] ?? [], { words, manifests, inputs }).map((line) => `  ${line}`),
  ]);
  return lines.join('\n');
}

/** Inputs grouped by the origin of their values, in order. */
function inputLines(inputs: Plan['inputs']): string[] {
  const keys = { text: 'input', default: 'default', asked: 'asked' } as const;
  const word = (text: string): string => (isBareWord(text) ? text : `"${escaped(text)}"`);
  const lines: string[] = [];
  inputs.forEach(({ name, value, source }, index) => {
    const pair = `${word(name)}=${word(value)}`;
    if (inputs[index - 1]?.source === source) lines.push(`${lines.pop()} ${pair}`);
    else lines.push(`${keys[source]}: ${pair}`);
  });
  return lines;
}

/** Ids that must be written: those referenced, and those that would not be generated. */
function writtenIds(steps: readonly Step[], needs: readonly (readonly string[])[]): ReadonlySet<string> {
  const conditions = steps
    .flatMap(({ when = '', success = [], verify, each = '', oneOf = '' }) => [
      when,
      ...success,
      verify?.holds ?? '',
      each,
      oneOf,
    ])
    .join('\n');
  const written = new Set([
    ...needs.flat(),
    ...steps.flatMap((step) => [step, ...(step.verify ? [step.verify] : [])]).flatMap(refStepsOf),
    ...[...conditions.matchAll(/[a-z][a-z0-9_]*/g)].map(([word]) => word),
  ]);
  for (;;) {
    const made = withIds(steps.map(({ id, tool }) => ({ id: written.has(id) ? id : null, tool })));
    const other = steps.filter(({ id }, index) => !written.has(id) && made[index] !== id);
    if (other.length === 0) return written;
    for (const { id } of other) written.add(id);
  }
}

function refStepsOf(call: Pick<Step, 'args'>): string[] {
  return refsOf(call).map(({ ref }) => splitRef(ref).step);
}

interface StepWriting {
  readonly words: Vocabulary;
  readonly manifests: Manifests;
  readonly inputs: ReadonlySet<string>;
}

function stepLine(step: Step, { id, ...writing }: StepWriting & { readonly id: boolean }): string {
  const when = step.when === undefined ? '' : `when ${conditionText(step.when)}: `;
  const item = itemName(writing.words);
  const each = step.each === undefined ? '' : `for each ${step.each} as ${item}: `;
  const returns = step.code === undefined ? '' : codeText(step.code).returns;
  const call = callText({ ...step, args: namingItem(step, item) }, writing.words.scope.get(step.id), writing);
  return `${when}${each}${id ? `${step.id} = ` : ''}${call}${returns}`;
}

function itemName({ steps }: Vocabulary): string {
  let name = 'item';
  for (let number = 2; steps.has(name); number += 1) name = `item${number}`;
  return name;
}

/** The arguments with the name of an entry in place of its reference. */
function namingItem({ args, each }: Step, item: string): Step['args'] {
  if (each === undefined) return args;
  const named = (part: ArgValue): ArgValue =>
    isRef(part) && part.ref === itemRef(each) ? { ref: item } : part;
  const values = Object.entries(args).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(named) : named(value),
  ]);
  return Object.fromEntries(values);
}

function callText(
  { tool, args }: Pick<Step, 'tool' | 'args'>,
  manifest: Manifest | undefined,
  writing: StepWriting,
): string {
  const { scope } = writing.words;
  const shape = manifest?.args.shape ?? {};
  const written = Object.entries(args).map(
    ([name, value]) =>
      `${name}=${valueText(value, { schema: own(shape, name), scope, inputs: writing.inputs })}`,
  );
  return [tool, ...written].join(' ');
}

function verifyText({ within, holds, ...read }: Verify, writing: StepWriting): string {
  const time = within % 60 === 0 ? `${within / 60}m` : `${within}s`;
  return `verify: within ${time} ${conditionText(holds)}: ${callText(read, writing.manifests.get(read.tool), writing)}`;
}

function extraLines(step: Step, needs: readonly string[], writing: StepWriting): string[] {
  const { words } = writing;
  return [
    ...(step.code === undefined ? [] : codeText(step.code).lines),
    ...(step.why === defaultWhy(step, words) ? [] : [`why: ${lineText(step.why)}`]),
    ...(needs.length === 0 ? [] : [`after: ${needs.join(', ')}`]),
    ...(step.onError === 'stop' ? [] : [`on error: ${step.onError}`]),
    ...(step.onSkip === 'skip' ? [] : [`on skip: ${step.onSkip}`]),
    ...(step.success?.length === 0 ? ['expect: ""'] : []),
    ...(step.success ?? []).map((one) => `expect: ${criterionText(one)}`),
    ...(step.oneOf === undefined ? [] : [`one of: ${step.oneOf}`]),
    ...(step.verify === undefined ? [] : [verifyText(step.verify, writing)]),
  ];
}

function lineText(text: string): string {
  return isBareLine(text) ? text : `"${escaped(text)}"`;
}
