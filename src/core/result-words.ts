import type { Json, JsonObject } from './json.ts';
import { type Results, splitRef } from './refs.ts';
import type { StepResult } from './run.ts';
import { argWords, nounFor, stepSentence, type Vocabulary, withoutText } from './step-words.ts';
import type { ResolvedTarget } from './tool.ts';

/** A plan with the words for its steps and the people behind its writes' targets. */
export interface Spoken {
  readonly words: Vocabulary;
  readonly targets: readonly ResolvedTarget[];
}

/** The outcome of a step in plain words, without a full stop. */
export function stepOutcome({ words, targets }: Spoken, result: StepResult): string {
  const step = words.steps.get(result.stepId);
  const manifest = words.scope.get(result.stepId);
  if (!step || !manifest) return `${result.tool} ${result.status}`;
  const args = argWords(step, words);
  const sentence = withoutText(stepSentence(step, words));
  if (result.status === 'skipped') return manifest.notDone?.(args) ?? `not done: ${sentence}`;
  if (result.status !== 'succeeded' || !result.result) return sentence;
  const labels = targets.filter((target) => target.step === step.id).map(({ label }) => label);
  if (manifest.outcome) return manifest.outcome(result.result, args, labels);
  const main = manifest.main === undefined ? undefined : result.result[manifest.main];
  const filled = { ...args, ...literalResult(result.result) };
  const noun = manifest.main === undefined ? undefined : manifest.nouns[manifest.main]?.(filled);
  return main === undefined || noun === undefined
    ? stepSentence(step, words)
    : `${noun}: ${shownValue(main)}`;
}

/** An empty result in plain words, for texts: "0 open P1 tickets in OPS"; nothing where there are none for it. */
export function noneWords(ref: string, words: Vocabulary, results: Results): string {
  const { step: id } = splitRef(ref);
  const [step, manifest, result] = [words.steps.get(id), words.scope.get(id), results.get(id)];
  const isAll = manifest?.main !== undefined && result?.[manifest.main] === 0;
  if (step && manifest?.outcome && result && isAll)
    return manifest.outcome(result, argWords(step, words), []);
  const noun = nounFor(ref, words);
  return noun === ref ? '' : `none (${noun})`;
}

function literalResult(result: JsonObject): Record<string, string> {
  return Object.fromEntries(Object.entries(result).map(([name, value]) => [name, shownValue(value)]));
}

/** A result value formatted for people. */
export function shownValue(value: Json): string {
  if (Array.isArray(value)) return value.map(shownValue).join(', ');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
