import { omissionNotes } from '../blocks/plan-notes.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Plan } from '../core/plan.ts';
import { argText, nounFor, vocabularyOf } from '../core/step-words.ts';

const maxText = 250;

/** The texts, assumptions and omissions of a plan, which its title does not say. */
export function aboutPlan(plan: Plan, manifests: ReadonlyMap<string, Manifest>): string[] {
  const words = vocabularyOf(plan.steps, manifests);
  const texts = plan.steps.flatMap(({ tool, args }) => {
    const isWrite = manifests.get(tool)?.effect === 'write';
    const text = isWrite ? (args.text ?? args.summary) : undefined;
    return text === undefined
      ? []
      : [cut(oneLine(argText(text, (ref) => `{${nounFor(ref, words)}}`)), maxText)];
  });
  return [
    ...[...new Set(texts)].map((text) => `Text: “${text}”`),
    ...plan.assumptions.map((assumption) => `Assumption: ${assumption}`),
    ...omissionNotes(plan),
  ];
}
