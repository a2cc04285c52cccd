import { sentenceOf } from '../../core/condition.ts';
import { sayCondition } from '../../core/condition-words.ts';
import { dependenciesOf } from '../../core/graph.ts';
import type { ArgWords, Effect, Manifest } from '../../core/manifest.ts';
import type { Plan, Step } from '../../core/plan.ts';
import { writtenText } from '../../core/queries/written.ts';
import type { Purpose, Reached } from '../../core/reach.ts';
import { maxTextOf } from '../../core/refs.ts';
import type { Revision } from '../../core/revision.ts';
import { argWords, stepSentence, type Vocabulary, vocabularyOf } from '../../core/step-words.ts';
import type { ResolvedTarget } from '../../core/tool.ts';
import { checkStep, checkWords, withinWords } from '../../core/verify.ts';

export type Manifests = ReadonlyMap<string, Manifest>;

/** A complete step in words: nothing it does is missing. */
export interface StepView {
  /** Position in the plan, from 1. */
  readonly number: number;
  readonly step: Step;
  /** Anything undeclared is a write. */
  readonly effect: Effect;
  readonly sentence: string;
  /** The query that a model wrote; null for any other step. */
  readonly written: string | null;
  /** Arguments whose value the sentence does not contain: "limit: 20". */
  readonly extras: readonly string[];
  /** Its arguments in words, references named by their nouns. */
  readonly argWords: ArgWords;
  /** Why, with names in place of the vendor's ids. */
  readonly why: string;
  /** The texts it sends, references named by their nouns. */
  readonly texts: readonly { readonly arg: string; readonly text: string }[];
  readonly condition: string | null;
  readonly targets: readonly ResolvedTarget[];
  /** Numbers of the steps it waits for. */
  readonly after: readonly number[];
  /** Anything unusual: carries on after a failure, runs after a skip, criteria. */
  readonly flags: readonly string[];
  readonly undo: string | null;
  readonly purpose: Purpose;
  /** Whom it reaches beside the thread. */
  readonly reaches: Reached | null;
  /** The look afterwards that shows whether it took effect, or why there is none; null for reads. */
  readonly success: string | null;
}

/** The steps of a revision in the order of the plan. */
export function stepViews({ sealed }: Revision, manifests: Manifests): StepView[] {
  return planViews(sealed.plan, manifests, sealed);
}

export function planViews(
  plan: Plan,
  manifests: Manifests,
  { targets, problems = [] }: Pick<Revision['sealed'], 'targets' | 'problems'> = { targets: [] },
): StepView[] {
  const words = vocabularyOf(plan.steps, manifests, targets);
  const numbers = new Map(plan.steps.map((step, index) => [step.id, index + 1]));
  return plan.steps.map((step, index) => {
    const manifest = words.scope.get(step.id);
    const sentence = stepSentence(step, words);
    return {
      number: index + 1,
      step,
      effect: manifest?.effect ?? 'write',
      sentence,
      written: writtenText(step, manifest),
      extras: extrasOf(step, sentence, words),
      argWords: argWords(step, words),
      why: [...(words.called ?? [])].reduce((why, [id, name]) => why.replaceAll(id, name), step.why),
      texts: manifest?.effect === 'read' ? [] : textsOf(step, manifest, words),
      condition: step.when === undefined ? null : sayCondition(step.when, words),
      targets: targets.filter((target) => target.step === step.id),
      after: dependenciesOf(step)
        .map((id) => numbers.get(id) ?? 0)
        .sort((a, b) => a - b),
      flags: [
        ...flagsOf(step, words),
        ...checkFlag(step, plan.steps, manifests),
        ...problems.flatMap((problem) => (problem.step === step.id ? [problem.words] : [])),
      ],
      undo: manifest?.undo ?? null,
      purpose: manifest?.purpose ?? (manifest?.effect === 'read' ? 'look up' : 'act'),
      reaches:
        manifest?.reaches?.(
          argWords(step, words),
          targets.filter((target) => target.step === step.id),
        ) ?? null,
      success: successOf(step, words),
    };
  });
}

/** Only bodies: a short text, such as a label, is an argument like any other. */
const minBody = 200;

function textsOf(step: Step, manifest: Manifest | undefined, words: Vocabulary): StepView['texts'] {
  const said = argWords(step, words);
  return Object.entries(said)
    .filter(([arg]) => manifest === undefined || (maxTextOf(manifest, arg) ?? 0) > minBody)
    .map(([arg, text]) => ({ arg, text }));
}

/** An argument counts as mentioned only where the sentence uses it and then contains its value as a word. */
function extrasOf(step: Step, sentence: string, words: Vocabulary): string[] {
  const args = argWords(step, words);
  const asked = new Set<string>();
  const watched = new Proxy(args, {
    get(target, name) {
      asked.add(String(name));
      return Reflect.get(target, name);
    },
  });
  const manifest = words.scope.get(step.id);
  manifest?.sentence(watched);
  return Object.entries(args)
    .filter(([name, value]) => name !== manifest?.written && !(asked.has(name) && saysWord(sentence, value)))
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${value}`);
}

const units: Readonly<Record<string, string>> = { W: 'week', D: 'day', H: 'hour', M: 'minute', S: 'second' };

/** True when the sentence contains the value as a separate word. */
export function saysWord(sentence: string, value: string): boolean {
  // Sentences spell durations out: PT45M is "45 minutes", PT1H "the last hour".
  if (/^P(?!$)(\d+[WD])*(T(\d+[HMS])+)?$/.test(value)) {
    return [...value.matchAll(/(?<!\d)(\d+)([WDHMS])/g)].every(
      ([, count = '', unit = '']) =>
        saysWord(sentence, count) || (count === '1' && saysWord(sentence, units[unit] ?? '')),
    );
  }
  const text = ` ${sentence.toLowerCase()} `;
  const word = value.toLowerCase();
  const isPart = (character: string | undefined) => /[\p{L}\p{N}]/u.test(character ?? '');
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isPart(text[at - 1]) && !isPart(text[at + word.length])) return true;
  }
  return false;
}

/** "then looked up: OPS-3 is in Done". */
function successOf(step: Step, words: Vocabulary): string | null {
  const success = words.scope.get(step.id)?.success;
  if (success === undefined) return null;
  return 'unread' in success
    ? `not looked up afterwards: ${success.unread}`
    : `then looked up: ${success.words(argWords(step, words))}`;
}

/** "checked for 10 minutes: search Splunk for errors of checkout in the last 10 minutes; helped if …". */
function checkFlag(step: Step, steps: readonly Step[], manifests: Manifests): string[] {
  const check = checkStep(step, steps);
  if (check === null || step.verify === undefined) return [];
  const words = checkWords(check, steps, manifests);
  const sentence = stepSentence(check, words);
  const extras = extrasOf(check, sentence, words).map((extra) => `, ${extra}`);
  const { within, holds } = step.verify;
  return [
    `checked for up to ${withinWords(within)}: ${sentence}${extras.join('')}; helped if ${sayCondition(holds, words)}`,
  ];
}

function flagsOf(step: Step, words: Vocabulary): string[] {
  return [
    step.onError === 'continue' ? 'if it fails, the rest goes on' : '',
    step.onSkip === 'run' ? 'runs even if a step before it was skipped' : '',
    ...(step.success ?? []).map((criterion) => criterionFlag(criterion, words)),
  ].filter(Boolean);
}

/** Code cannot decide a sentence. */
function criterionFlag(criterion: string, words: Vocabulary): string {
  const sentence = sentenceOf(criterion);
  return sentence === null
    ? `must hold afterwards: ${sayCondition(criterion, words)}`
    : `for people to check afterwards: “${sentence}”`;
}
