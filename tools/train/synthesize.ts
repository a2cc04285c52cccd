import { comparesOf, type TrainCase, type TrainStep } from './cases.ts';
import { bounded } from './made/bounded.ts';
import { lookedUp } from './made/looked-up.ts';
import { type Bare, type Kind, Parts } from './made/parts.ts';
import { ruledOut } from './made/ruled-out.ts';
import type { Names } from './names.ts';
import { pick, type Random } from './random.ts';

const kinds: readonly Kind[] = [...bounded, ...lookedUp, ...ruledOut];

/**
 * Requests generated from parts, so that the plan is known: for forms that few people write out and that must not fail.
 * "Unless", "otherwise", sums, tiers, states, corrections, and orders that are ruled out.
 */
export function synthesized(names: Names, random: Random, count: number): TrainCase[] {
  const parts = new Parts(names, random);
  return Array.from({ length: count }, (_, at) => {
    const [text, ...steps] = pick(kinds, random)(parts);
    return {
      id: `made-${at}`,
      lang: 'en',
      class: 'plan',
      text: text.replaceAll(/\s+/gu, ' ').trim(),
      steps: steps.map(withNeeds),
    };
  });
}

function withNeeds(step: Bare, at: number): TrainStep {
  const compares = step.when === undefined ? [] : comparesOf(step.when);
  const ids = compares.flatMap(({ left, right }) => [
    ...[left].flat(),
    ...(/^s\d+$/u.test(String(right)) ? [String(right)] : []),
  ]);
  return { id: `s${at + 1}`, ...step, needs: step.needs ?? [...new Set(ids)] };
}
