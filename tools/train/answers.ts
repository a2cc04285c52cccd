import type { TrainCase } from './cases.ts';
import type { Names } from './names.ts';
import { pick, type Random } from './random.ts';

/** A request whose project, service or channel nobody knows, and the answer to "which one do you mean?". */
export function answered(
  cases: readonly TrainCase[],
  names: Names,
  random: Random,
  count: number,
): TrainCase[] {
  const lacking = cases.flatMap((entry) => lackOf(entry) ?? []);
  return Array.from({ length: count }, (_, at) => {
    const { entry, arg, value } = pick(lacking, random);
    const other = pick(names[arg], random);
    const said = arg === 'channel' && random() < 0.3 ? value.replace(/^#/u, '') : value;
    const answer = pick(answers, random).replace('{name}', () => said);
    return {
      ...entry,
      id: `answered-${at}`,
      text: entry.text.replace(value, () => other),
      answers: [{ slot: arg, answer }],
    };
  });
}

interface Lack {
  readonly entry: TrainCase;
  readonly arg: 'project' | 'service' | 'channel';
  readonly value: string;
}

/** The one name that a short request says once. */
function lackOf(entry: TrainCase): Lack | null {
  const { class: kind, lang, steps, text } = entry;
  if (kind !== 'plan' || lang !== 'en' || steps.length > 3 || text.length > 120) return null;
  for (const arg of ['project', 'service', 'channel'] as const) {
    const found = new Set(
      steps.flatMap(({ args }) => (typeof args[arg] === 'string' ? [String(args[arg])] : [])),
    );
    const [value = '', second] = found;
    if (value.length < 2 || second !== undefined) continue;
    if (text.split(value).length === 2 && text.toLowerCase().split(value.toLowerCase()).length === 2)
      return { entry, arg, value };
  }
  return null;
}

const answers = [
  ...[
    '{name}',
    '{name}',
    '{name}',
    '{name}, I think',
    '{name} I guess',
    "it's {name}",
    'it is {name}',
    'I meant {name}',
  ],
  ...[
    '{name} please',
    'sorry, {name}',
    'in {name}',
    'take {name}',
    'use {name}',
    'for {name}',
    'oh, {name}',
    '{name}!',
  ],
  ...[
    ...[
      'uh {name}',
      '{name} prob',
      '{name} obvs',
      'the {name} one',
      '{name} i think',
      '{name} tho',
      'hm {name}',
    ],
    ...[
      '{name}, why?',
      '{name} of course',
      '{name} lol',
      'das ist {name}',
      'c’est {name}',
      'o {name}',
      'es {name}',
    ],
    '{name}, sorry',
    'should be {name}',
    'should have been {name}',
    'the one called {name}',
    'that would be {name}',
  ],
];
