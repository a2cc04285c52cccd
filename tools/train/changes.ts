import type { TrainCase } from './cases.ts';
import type { Editable } from './change.ts';
import { copied, extended, rerouted, shortened } from './change-steps.ts';
import { rebound, renamed, retold, urgent } from './change-values.ts';
import type { Names } from './names.ts';
import { pick, type Random } from './random.ts';
import { timesIn } from './watches.ts';

/** Changes of a plan in words, generated from existing plans: another name, bound or text, one step more or less. */
export function changed(
  cases: readonly TrainCase[],
  names: Names,
  random: Random,
  count: number,
): TrainCase[] {
  const plans = cases.filter(isChangeable);
  const made: TrainCase[] = [];
  const kinds = [
    ...[renamed, renamed, rebound, retold, extended],
    ...[shortened, rerouted, rerouted, copied, urgent],
  ];
  while (made.length < count) {
    const before = pick(plans, random);
    const steps = structuredClone(before.steps) as Editable[];
    const text = pick(kinds, random)(steps, names, random);
    if (text === null) continue;
    const words =
      pick(
        ['', '', '', '', '', 'no, ', 'please ', 'hmm, ', 'wait, ', 'ok but ', 'actually ', 'pls '],
        random,
      ) + text;
    const watch = isConditional(before) && random() < 0.3 ? { watch: timesIn(random).watch } : {};
    made.push({
      ...{ id: `change-${made.length}`, lang: 'en', class: 'plan', text: words, steps, ...watch },
      was: { steps: before.steps, ...watch },
    });
  }
  return made;
}

const isConditional = ({ steps }: TrainCase): boolean => steps.some(({ when }) => when !== undefined);

const isChangeable = ({ class: kind, lang, steps, was, answers, watch }: TrainCase): boolean =>
  kind === 'plan' &&
  lang === 'en' &&
  !was &&
  !answers &&
  !watch &&
  steps.length <= 4 &&
  steps.every(({ args }) => !('text_has' in args));
