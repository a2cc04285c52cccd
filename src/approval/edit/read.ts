import { z } from 'zod';
import { clean } from '../../blocks/escape.ts';
import type { FormValues } from '../../blocks/form-values.ts';
import { stepsReadBy } from '../../core/condition.ts';
import { isOptional, unwrap } from '../../core/fields.ts';
import type { Finding } from '../../core/finding.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { ArgValue, Plan, PlanDraft, PlanInput, Step } from '../../core/plan.ts';
import { refsOf, splitRef } from '../../core/refs.ts';
import type { Revision } from '../../core/revision.ts';
import { type Vocabulary, vocabularyOf } from '../../core/step-words.ts';
import { withChecksOf } from '../../core/verify.ts';
import type { Manifests } from '../card/step-view.ts';
import { argBlockId, argField, fromTokens } from './arguments.ts';
import { conditionBlocks, readCondition } from './condition.ts';
import { dropBlockId, maxWords, wordsBlock } from './modal.ts';
import { addedArgs } from './more.ts';
import { readPlanText, textBlock } from './text.ts';

/** Field errors by block id, as Slack shows them. */
export type FieldErrors = Record<string, string>;

export type ReadEdit =
  | {
      readonly ok: true;
      /** The plan with the submitted fields, not yet reviewed. */
      readonly draft: PlanDraft;
      /** How the plan itself was changed; null for a change in words only. */
      readonly changed: 'fields' | 'text' | null;
      /** A change in words, for the planner, on top of the draft. */
      readonly words: string | null;
    }
  | { readonly ok: false; readonly errors: FieldErrors };

/** Reads the edit form back. Fields that the form did not show keep their values. */
export function readEdit(values: FormValues, revision: Revision, manifests: Manifests): ReadEdit {
  const { plan } = revision.sealed;
  const words = vocabularyOf(plan.steps, manifests);
  const dropped = new Set(
    plan.steps.map((step) => step.id).filter((id) => isTicked(values.get(dropBlockId(id)))),
  );
  const errors: FieldErrors = {};
  const kept = plan.steps
    .filter((step) => !dropped.has(step.id))
    .map((step) => readStep(step, values, words, errors));
  checkDropped(plan, kept, dropped, words, errors);
  const typed = values.get(wordsBlock);
  const inWords = typeof typed === 'string' && typed.trim() !== '' ? clean(typed).trim() : null;
  if (inWords !== null && inWords.length > maxWords) errors[wordsBlock] = 'Please shorten this.';
  const text = readPlanText(values, plan, manifests);
  if (text.kind === 'wrong') errors[textBlock] = text.message;
  if (Object.keys(errors).length > 0) return { ok: false, errors };
  const pruned = kept.map((step) => withoutNeeds(step, dropped, words));
  const inFields = JSON.stringify(pruned) !== JSON.stringify(plan.steps);
  if (text.kind === 'changed') {
    if (inFields) return { ok: false, errors: { [textBlock]: 'Change the fields or the text, not both.' } };
    const inputs = text.plan.inputs.map((input) => answered(input, plan.steps, text.plan.steps));
    return { ok: true, draft: { ...text.plan, inputs }, changed: 'text', words: inWords };
  }
  if (inFields)
    return { ok: true, draft: edited(plan, pruned, dropped, words), changed: 'fields', words: inWords };
  if (inWords === null) return { ok: false, errors: { [wordsBlock]: 'You haven’t changed anything.' } };
  return { ok: true, draft: plan, changed: null, words: inWords };
}

/** Review findings on an edited plan, at the fields where they can be fixed. */
export function findingErrors(
  findings: readonly Finding[],
  values: FormValues,
  changed: 'fields' | 'text' = 'fields',
): FieldErrors {
  const errors: FieldErrors = {};
  const elsewhere = changed === 'text' ? textBlock : wordsBlock;
  for (const finding of findings) {
    const [part, name] = (finding.field ?? '').split('.');
    const step = finding.step ?? '';
    const places =
      part === 'args'
        ? [argBlockId(step, name ?? '')]
        : part === 'when'
          ? [conditionBlocks.right(step), conditionBlocks.source(step)]
          : [];
    const block = changed === 'text' ? elsewhere : (places.find((place) => values.has(place)) ?? elsewhere);
    const where = block === elsewhere && step !== '' ? `Step ${step}: ` : '';
    errors[block] = [errors[block], `${where}${finding.message}`].filter(Boolean).join(' ');
  }
  return errors;
}

function isTicked(value: ReturnType<FormValues['get']>): boolean {
  return Array.isArray(value) && value.includes('drop');
}

function readStep(step: Step, values: FormValues, words: Vocabulary, errors: FieldErrors): Step {
  const manifest = words.scope.get(step.id);
  if (!manifest) return step;
  const args: Record<string, ArgValue> = {};
  for (const name of [...Object.keys(step.args), ...addedArgs(step, manifest, values.keys())]) {
    const value = step.args[name];
    const block = argBlockId(step.id, name);
    const given = values.get(block);
    if (given === undefined || argField({ step, name, manifest }) === 'kept') {
      if (value !== undefined) args[name] = value;
      continue;
    }
    const read = readArg(typeof given === 'string' ? given : '', { step, name, manifest }, words);
    if (read.kind === 'wrong') errors[block] = read.message;
    else if (read.kind === 'value') args[name] = read.value;
  }
  return withCondition({ ...step, args }, values, words, errors);
}

function withCondition(step: Step, values: FormValues, words: Vocabulary, errors: FieldErrors): Step {
  if (step.when === undefined) return step;
  const read = readCondition(step.id, step.when, values, words);
  if (!read.ok) {
    errors[read.block] = read.message;
    return step;
  }
  const { when: _before, ...rest } = step;
  if (read.when === undefined) return rest;
  const needs = read.when === step.when ? step.needs : [...new Set([...step.needs, ...read.steps])];
  return { ...step, when: read.when, needs };
}

type ReadArg =
  | { readonly kind: 'value'; readonly value: ArgValue }
  | { readonly kind: 'gone' }
  | { readonly kind: 'wrong'; readonly message: string };

function readArg(
  given: string,
  place: { step: Step; name: string; manifest: Manifest },
  words: Vocabulary,
): ReadArg {
  const schema = place.manifest.args.shape[place.name];
  const field = argField(place);
  const text = field === 'text' ? clean(given) : clean(given).trim();
  if (schema === undefined) return { kind: 'wrong', message: 'This tool has no such argument.' };
  if (text.trim() === '')
    return isOptional(schema) ? { kind: 'gone' } : { kind: 'wrong', message: 'This is required.' };
  if (field === 'text') {
    const read = fromTokens(text, words);
    if (!read.ok) return { kind: 'wrong', message: read.message };
    return Array.isArray(read.value) ? { kind: 'value', value: read.value } : checkedArg(schema, read.value);
  }
  if (field === 'list') {
    return checkedArg(
      schema,
      text
        .split('\n')
        .map((row) => row.trim())
        .filter(Boolean),
    );
  }
  if (field === 'number') return checkedArg(schema, Number(text));
  return checkedArg(schema, unwrap(schema) instanceof z.ZodBoolean ? text === 'true' : text);
}

function checkedArg(schema: z.core.$ZodType, value: ArgValue): ReadArg {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return { kind: 'value', value };
  return { kind: 'wrong', message: parsed.error.issues[0]?.message ?? 'This value is not valid here.' };
}

/** A step whose result is used cannot be removed alone. */
function checkDropped(
  plan: Plan,
  kept: readonly Step[],
  dropped: ReadonlySet<string>,
  words: Vocabulary,
  errors: FieldErrors,
): void {
  const last = plan.steps.at(-1);
  if (kept.length === 0 && last)
    errors[dropBlockId(last.id)] = 'At least one step has to stay. Reject the plan instead.';
  for (const id of dropped) {
    const users = kept
      .filter((step) => uses(step, id, words))
      .map((step) => plan.steps.findIndex((s) => s.id === step.id) + 1);
    if (users.length > 0) {
      errors[dropBlockId(id)] =
        `Step ${users.join(', ')} uses its result. Leave that out, too, or keep this one.`;
    }
  }
}

function uses(step: Step, id: string, words: Vocabulary): boolean {
  if (refsOf(step).some(({ ref }) => splitRef(ref).step === id)) return true;
  return step.when !== undefined && stepsReadBy(step.when, words.scope).includes(id);
}

function readsAny(criterion: string, ids: ReadonlySet<string>, words: Vocabulary): boolean {
  return stepsReadBy(criterion, words.scope).some((id) => ids.has(id));
}

function withoutNeeds(step: Step, dropped: ReadonlySet<string>, words: Vocabulary): Step {
  if (dropped.size === 0) return step;
  const success = step.success?.filter((criterion) => !readsAny(criterion, dropped, words));
  return {
    ...step,
    needs: step.needs.filter((need) => !dropped.has(need)),
    ...(success === undefined ? {} : { success }),
  };
}

/**
 * The plan around the changed steps: drops criteria of dropped steps, and the causes, which the operator's reads settle
 * and no others; edited guesses no longer count as guesses.
 */
function edited(
  { situation: _settled, ...plan }: Plan,
  steps: Step[],
  dropped: ReadonlySet<string>,
  words: Vocabulary,
): Plan {
  const success = plan.success.filter((criterion) => !readsAny(criterion, dropped, words));
  const inputs = plan.inputs.map((input) => answered(input, plan.steps, steps));
  return withChecksOf(plan, { ...plan, steps, success, inputs });
}

function answered(input: PlanInput, before: readonly Step[], after: readonly Step[]): PlanInput {
  for (const step of after) {
    const old = before.find((one) => one.id === step.id)?.args[input.name];
    const now = step.args[input.name];
    const literal = typeof now === 'string' || typeof now === 'number' || typeof now === 'boolean';
    if (literal && old !== now && String(old) === input.value) {
      return { ...input, value: String(now), source: 'asked' };
    }
  }
  return input;
}
