import { cut, oneLine } from './clean-text.ts';
import { effectOf } from './code-step.ts';
import { sayCondition, sayOpposite, soleResult } from './condition-words.ts';
import { collapsed } from './for-each.ts';
import type { Manifest } from './manifest.ts';
import { type Plan, planLimits, type Step } from './plan.ts';
import {
  argWords,
  type Called,
  capital,
  stepSentence,
  type Vocabulary,
  vocabularyOf,
  withoutText,
} from './step-words.ts';

/**
 * A plan's title from its steps in order: its writes with their conditions and the reads that stand alone and matter, or
 * its reads if it writes nothing.
 */
export function planTitle(
  all: readonly Step[],
  manifests: ReadonlyMap<string, Manifest>,
  targets: readonly Called[] = [],
): string {
  const { steps } = collapsed({ steps: [...all] });
  const words = vocabularyOf(steps, manifests, targets);
  const isWrite = ({ tool }: Step): boolean => effectOf(tool, manifests) !== 'read';
  const needed = new Set(steps.flatMap(({ needs }) => needs));
  const isAside = (step: Step): boolean => needed.has(step.id) || step.onError === 'continue';
  const told = steps.filter((step) => isWrite(step) || !steps.some(isWrite) || !isAside(step));
  const parts = told.map((step, index) => {
    const sentence = sentenceFor(step, words);
    const said = index === 0 ? capital(sentence) : sentence.charAt(0).toLowerCase() + sentence.slice(1);
    const shared = step.when === told[index + 1]?.when;
    return step.when === undefined || shared ? said : `${said} if ${sayCondition(step.when, words)}`;
  });
  return cut(oneLine(parts.join(', ')), planLimits.summary);
}

/** The state a watch looks for, in words: its writes' conditions, or a broken criterion. Empty where it has neither. */
export function watchedState({ steps, success }: Plan, manifests: ReadonlyMap<string, Manifest>): string {
  const words = vocabularyOf(steps, manifests);
  const conditions = steps.flatMap(({ when }) => (when === undefined ? [] : [sayCondition(when, words)]));
  const writes = steps.some(({ tool }) => effectOf(tool, manifests) !== 'read');
  const broken = success
    .filter((one) => !one.startsWith('words:'))
    .map((criterion) => sayOpposite(criterion, words));
  return oneLine([...new Set(writes ? conditions : broken)].join(', or '));
}

/** A condition usually names what is sent, too. */
function sentenceFor(step: Step, words: Vocabulary): string {
  const sends = words.scope.get(step.id)?.sends;
  const sent = sends && step.when === undefined ? soleResult(step.args[sends.arg], words) : null;
  return sends && sent !== null
    ? sends.title(argWords(step, words), sent)
    : withoutText(stepSentence(step, words));
}
