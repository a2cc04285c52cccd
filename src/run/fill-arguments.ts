import { canonicalJson } from '../core/canonical.ts';
import { namesOf } from '../core/catalogue.ts';
import { fieldInfo } from '../core/fields.ts';
import type { JsonObject } from '../core/json.ts';
import type { Manifest } from '../core/manifest.ts';
import { thousands } from '../core/numbers.ts';
import type { Step } from '../core/plan.ts';
import { fillArgs, fittedText, MissingValue, maxTextOf, type Results, refsOf } from '../core/refs.ts';
import { noneWords } from '../core/result-words.ts';
import { capital, nounFor } from '../core/step-words.ts';
import { type ActiveRun, resultsFor, toolOf } from './active-run.ts';
import { onlyDescribed } from './may-start.ts';
import { failed, type StepOutcome } from './step-outcome.ts';
import { seenResults } from './what-changed.ts';

export type Filled =
  | { readonly ok: true; readonly args: Record<string, unknown>; readonly notes: readonly string[] }
  | { readonly ok: false; readonly outcome: StepOutcome };

/** Replaces references by values, then parses with the manifest: a tool only ever sees arguments it declared. */
export function filledArgs(run: ActiveRun, step: Step): Filled {
  const { manifest } = toolOf(run, step).tool;
  let filled: { args: JsonObject; notes: readonly string[] };
  try {
    filled = asShown(run, step, manifest);
  } catch (error) {
    if (!(error instanceof MissingValue)) throw error;
    const described = onlyDescribed(run, JSON.stringify(step.args));
    return { ok: false, outcome: described ?? failed(error.code, missingWords(run, manifest, error)) };
  }
  const { args, notes } = fitted(manifest, step, filled.args);
  const parsed = manifest.args.safeParse(args);
  if (parsed.success) return { ok: true, args: parsed.data, notes: [...filled.notes, ...notes] };
  const issue = parsed.error.issues[0];
  const message = `The argument ${issue?.path.join('.') || 'list'} does not fit: ${issue?.message ?? 'unknown'}.`;
  return { ok: false, outcome: failed('bad_argument', message) };
}

/** The arguments with the text of the card, even if values in it have changed since: only that text was approved. */
function asShown(run: ActiveRun, step: Step, manifest: Manifest): { args: JsonObject; notes: string[] } {
  const fill = (results: Results) =>
    fillArgs(manifest, step.args, results, (ref) => noneWords(ref, run.vocabulary, results));
  const results = resultsFor(run, step.id);
  const now = fill(results);
  const seen = manifest.effect === 'read' || run.mode !== 'run' ? null : seenResults(run);
  if (seen === null) return { args: now, notes: [] };
  const args = fill(new Map([...results, ...seen]));
  const isSame = canonicalJson(args) === canonicalJson(now);
  return { args, notes: isSame ? [] : ['sent as the card showed it; what was read has changed since'] };
}

/** The unknown value, and the allowed ones where the operator lists them. */
function missingWords(
  { deps, vocabulary }: ActiveRun,
  manifest: Manifest,
  { arg, ref, lacks }: MissingValue,
): string {
  const schema = manifest.args.shape[arg];
  const kind = schema && fieldInfo(schema).target;
  const listed = kind === undefined ? [] : namesOf(deps.catalogue, kind);
  const known = listed.length === 0 ? '' : `; countersign.yml lists ${listed.slice(0, 12).join(', ')}`;
  const noun = capital(nounFor(ref, vocabulary));
  return lacks === 'value'
    ? `${noun} is not known${known}.`
    : `${noun}: only an estimate is known, and that is not enough here.`;
}

/**
 * Visibly truncates a text that results made too long, with a note: the more tickets there are, the less a page may
 * fail because their list is long. Text that a person wrote was checked before and is never cut here.
 */
function fitted(
  manifest: Manifest,
  step: Step,
  filled: JsonObject,
): { args: JsonObject; notes: readonly string[] } {
  const args = { ...filled };
  const notes: string[] = [];
  for (const name of new Set(refsOf(step).map(({ arg }) => arg))) {
    const text = args[name];
    const max = maxTextOf(manifest, name);
    if (typeof text !== 'string' || max === null || text.length <= max) continue;
    args[name] = fittedText(manifest, name, text);
    const bound = thousands(max);
    notes.push(
      `its ${name.replaceAll('_', ' ')} was longer than ${bound} characters, so the end was cut off`,
    );
  }
  return { args, notes };
}
