import type { TrainCase } from './cases.ts';
import type { Editable } from './change.ts';
import { copied, rerouted } from './change-recipients.ts';
import { conditioned, doubled, extended, followed, shortened, swapped } from './change-steps.ts';
import { rebound, renamed, retold, urgent, windowed } from './change-values.ts';
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
    ...[renamed, rebound, shortened, conditioned, windowed, doubled, swapped, followed],
  ];
  while (made.length < count) {
    const old = pick(plans, random);
    const steps = structuredClone(old.steps) as Editable[];
    const kind = pick(kinds, random);
    const first = kind(steps, names, random);
    if (first === null) continue;
    const others = [renamed, rebound, windowed, urgent].filter((other) => other !== kind);
    const second = random() < 0.2 ? pick(others, random)(steps, names, random) : null;
    const text =
      second === null ? first : `${first}${pick([', ', ' and ', ' n ', '. ', ' & '], random)}${second}`;
    const words = pick(before, random) + text + pick(after, random);
    const watch = isConditional(old) && random() < 0.3 ? { watch: timesIn(random).watch } : {};
    made.push({
      ...{ id: `change-${made.length}`, lang: 'en', class: 'plan', text: words, steps, ...watch },
      was: { steps: old.steps, ...watch },
    });
  }
  return made;
}

const before = [
  ...[
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    'no, ',
    'please ',
    'hmm, ',
    'wait, ',
    'ok but ',
    'actually ',
    'pls ',
  ],
  ...[
    'sry ',
    'sorry, ',
    'oops ',
    'typo, ',
    'nah ',
    'better ',
    'hm ',
    'uh ',
    'no no, ',
    'ah sorry, ',
    'my bad, ',
  ],
];
const after = [
  ...[
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    ' pls',
    ' please',
    ' sry',
    ', sorry',
    ' thx',
    ' tho',
    '!',
    '!!',
  ],
  ...[', its late', ', my bad', ' i think', ', thats better', ', less noise', ', copy paste error', ' bitte'],
];

const isConditional = ({ steps }: TrainCase): boolean => steps.some(({ when }) => when !== undefined);

const isChangeable = ({ class: kind, lang, steps, was, answers, watch }: TrainCase): boolean =>
  kind === 'plan' &&
  lang === 'en' &&
  !was &&
  !answers &&
  !watch &&
  steps.length <= 4 &&
  steps.every(({ args }) => !('text_has' in args));
