import type { TrainCase, TrainStep, TrainWhen } from './cases.ts';
import { pick, type Random } from './random.ts';

/** Makes more examples from existing ones: typos, courtesies, two requests in one, and an order that depends on a look-up. */

const before = [
  'please ',
  'hey, ',
  'can you ',
  'could you please ',
  'hi, ',
  'pls ',
  'ok, ',
  'quick one: ',
  'hey bot, ',
  'I need to know: ',
  'so, ',
  'morning. ',
];
const after = [
  ' please',
  ' pls',
  ' thanks',
  ', thanks',
  ' asap',
  '?',
  ' for me',
  ' thx',
  ' now',
  '.',
  '!',
  '. cheers',
];
const joins = [' and ', ', then ', '; ', '. ', ' and then ', ', also ', '. Then ', ' + ', ', and ', '\n'];
const bounds: readonly (readonly [string, string, 'n' | 0])[] = [
  ...(['more than {n}', 'over {n}', 'above {n}'].map((words) => [words, '>', 'n']) as [
    string,
    string,
    'n',
  ][]),
  ...(['at least {n}', '{n} or more', '{n}+'].map((words) => [words, '>=', 'n']) as [string, string, 'n'][]),
  ...(['fewer than {n}', 'less than {n}', 'below {n}'].map((words) => [words, '<', 'n']) as [
    string,
    string,
    'n',
  ][]),
  ...[
    ['at most {n}', '<=', 'n'] as const,
    ['exactly {n}', '==', 'n'] as const,
    ['any', '>', 0] as const,
    ['none', '==', 0] as const,
  ],
];
const shells = [
  '{look}; if {bound}, {order}',
  '{look}. If there are {bound}, {order}',
  '{look}? {bound}: {order}',
  '{look} and {order} if {bound}',
  '{look}? if {bound} then {order}',
  '{order} if there are {bound}: {look}',
  '{look}. {order}, but only if there are {bound}',
  '{look}, should there be {bound}, {order}',
  '{look} -> {bound} -> {order}',
];

const bare = (text: string): string =>
  text.replace(/[\s.?!,]+$/u, '').replace(/^(?:please|pls|hey|hi|ok|can you|could you)[, ]+/iu, '');
const lower = (text: string): string =>
  /^[A-Z][a-z]+\b/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;

/** Mostly unchanged cases, some reworded ones, and new ones made of two. */
export function augmented(cases: readonly TrainCase[], random: Random, share: number): TrainCase[] {
  const plain = cases.filter(isPlain);
  const looks = plain.filter(isCount);
  const orders = plain.filter(({ steps }) => steps.length === 1 && steps[0]?.write === true);
  const varied = cases.map((entry) =>
    random() < share ? { ...entry, text: variant(entry.text, random) } : entry,
  );
  const count = plain.length === 0 ? 0 : Math.round(cases.length * share * 0.5);
  const mixed = Array.from({ length: count }, (_, at) =>
    random() < 0.45
      ? joined(pick(plain, random), pick(plain, random), at, random)
      : conditional(looks, orders, at, random),
  );
  return [...varied, ...mixed.flatMap((entry) => entry ?? [])];
}

const isPlain = ({ class: kind, lang, text, steps, watch, was, answers }: TrainCase): boolean =>
  kind === 'plan' &&
  lang === 'en' &&
  text.length < 120 &&
  steps.length <= 2 &&
  !watch &&
  !was &&
  !answers &&
  steps.every(({ when }) => when === undefined);

const isCount = ({ text, steps: [step, ...others] }: TrainCase): boolean =>
  step !== undefined &&
  others.length === 0 &&
  /^(?:jira\.count|pagerduty\.incidents|logs|sql)/u.test(step.tool) &&
  step.args.limit === undefined &&
  !/\b(?:don't|not|no|only|just)\b/u.test(text);

function variant(text: string, random: Random): string {
  const kind = random();
  let said = kind < 0.35 ? mistyped(text, random) : text;
  if (kind > 0.3 && kind < 0.5) said = pick(before, random) + lower(said);
  if (kind > 0.45 && kind < 0.6) said = said.replace(/[.!?]$/u, '') + pick(after, random);
  return kind > 0.6 && kind < 0.7 ? lower(said).replace(/[?.]$/u, '') : said;
}

/** One word with two letters swapped, one left out or one doubled. */
function mistyped(text: string, random: Random): string {
  const words = text.split(' ');
  const at = Math.floor(random() * words.length);
  const word = words[at] ?? '';
  if (!/^[a-z]{4,}$/u.test(word)) return text;
  const place = 1 + Math.floor(random() * (word.length - 2));
  const [head, here, next, tail] = [
    word.slice(0, place),
    word[place] ?? '',
    word[place + 1] ?? '',
    word.slice(place + 2),
  ];
  const kind = random();
  words[at] =
    kind < 0.4
      ? head + next + here + tail
      : kind < 0.7
        ? head + next + tail
        : head + here + here + next + tail;
  return words.join(' ');
}

/** Steps appended after others. */
const shifted = (steps: readonly TrainStep[], by: number): TrainStep[] =>
  JSON.parse(
    JSON.stringify(steps).replaceAll(
      /"(\$?)s(\d+)"/gu,
      (_all, dollar: string, nth: string) => `"${dollar}s${Number(nth) + by}"`,
    ),
  );

function joined(one: TrainCase, other: TrainCase, at: number, random: Random): TrainCase | null {
  if (one.steps.length + other.steps.length > 4) return null;
  const join = pick(joins, random);
  const after = one.steps.at(-1);
  const later = shifted(other.steps, one.steps.length).map((step) =>
    /then/iu.test(join) && after !== undefined && (step.needs ?? []).length === 0
      ? { ...step, needs: [after.id] }
      : step,
  );
  return {
    ...one,
    id: `joined-${at}`,
    text: bare(one.text) + join + lower(bare(other.text)),
    steps: [...one.steps, ...later],
  };
}

function conditional(
  looks: readonly TrainCase[],
  orders: readonly TrainCase[],
  at: number,
  random: Random,
): TrainCase | null {
  if (looks.length === 0 || orders.length === 0) return null;
  const look = pick(looks, random);
  const [words, op, right] = pick(bounds, random);
  const number = 2 + Math.floor(random() * 60);
  const chosen = random() < 0.75 ? [pick(orders, random)] : [pick(orders, random), pick(orders, random)];
  const when: TrainWhen = { left: 's1', op, right: right === 'n' ? number : right };
  const text = pick(shells, random)
    .replace('{look}', () => bare(look.text))
    .replace('{bound}', () => words.replace('{n}', String(number)))
    .replace('{order}', () => chosen.map((one) => lower(bare(one.text))).join(' and '));
  const steps = chosen.flatMap(({ steps: [step] }, nth) =>
    step ? [{ ...step, id: `s${nth + 2}`, needs: ['s1'], when }] : [],
  );
  return { ...look, id: `conditional-${at}`, text, steps: [...look.steps, ...steps] };
}
