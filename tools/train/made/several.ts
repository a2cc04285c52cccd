import { type Operator, opposites } from '../../../src/plan/everyday/draft.ts';
import { comparesOf, type TrainCompare, type TrainWhen } from '../cases.ts';
import { type Bare, on, type Parts } from './parts.ts';
import { Phrases } from './phrases.ts';
import type { Tongue } from './tongue.ts';

/** Requests of several parts in a language: conditions, the other case, and something to look up besides. */

export interface Several {
  readonly text: string;
  readonly steps: readonly Bare[];
  readonly watch?: Readonly<Record<string, string>>;
}
type Shape = (phrases: Phrases, parts: Parts) => readonly [string, ...Bare[]];

export function several(tongue: Tongue, parts: Parts): Several {
  parts.begin();
  const [said, ...steps] = parts.pick(shapes)(new Phrases(tongue, parts), parts);
  const text = `${parts.pick(tongue.greeting)}${said}`;
  const isConditional = steps.some(({ when }) => when !== undefined);
  return isConditional && parts.chance(0.15) ? repeated({ text, steps }, tongue, parts) : { text, steps };
}

function repeated({ text, steps }: Several, tongue: Tongue, parts: Parts): Several {
  const [often, every] = parts.pick(tongue.every);
  const [ends, until] = parts.pick(tongue.until);
  const isEnding = parts.chance(0.6);
  const times = isEnding ? parts.pick([`${often} ${ends}`, `${ends} ${often}`, `${often}, ${ends}`]) : often;
  return {
    steps,
    watch: { every, ...(isEnding ? { until } : {}) },
    text: parts.pick([`${times} ${text}`, `${times}: ${text}`, `${text}, ${times}`]),
  };
}

/** The condition of the other case. */
function otherCase(when: TrainWhen): TrainWhen {
  const turned = comparesOf(when).map((one): TrainCompare => ({ ...one, op: opposed(one) }));
  const [first] = turned;
  if (turned.length === 1 && first !== undefined) return first;
  return 'all' in when ? { any: turned } : { all: turned };
}

const opposed = ({ op, right }: TrainCompare): string =>
  right === 0
    ? op === '=='
      ? '>'
      : '=='
    : op === 'is'
      ? '!='
      : op === '!='
        ? 'is'
        : opposites[op as Operator];

const ends = ['; ', ', ', '. '];
const next = [', ', '; ', '. ', ' + '];

/** A condition and its look-ups. */
interface Condition {
  readonly said: string;
  /** Such a condition stands before its order. */
  readonly isQuestion: boolean;
  readonly looks: Bare[];
  readonly when: TrainWhen;
}

function conditionIn(phrases: Phrases, parts: Parts): Condition {
  const kind = parts.number(1, 10);
  const { tongue } = phrases;
  if (kind <= 3) {
    const state = phrases.state('s1');
    const isQuestion = state.if.includes('?');
    return { said: state.if, isQuestion, looks: [state.step], when: state.compare };
  }
  const one = phrases.bounded('s1');
  const isQuestion = one.if.includes('?');
  if (kind <= 7) return { said: one.if, isQuestion, looks: [one.count.step], when: one.compare };
  const other = kind === 8 ? phrases.countable() : phrases.bounded('s2').count;
  const { op, right, text } = phrases.bound();
  if (kind === 8) {
    const both = `${one.count.text}${phrases.say(tongue.and)}${other.text}`;
    const said = phrases.say(tongue.ifs, { c: phrases.say(tongue.together, { c: `${text} ${both}` }) });
    const looks = [one.count.step, other.step];
    return { said, isQuestion: said.includes('?'), looks, when: { left: ['s1', 's2'], op, right } };
  }
  const isAll = parts.chance(0.6);
  const compares = [one.compare, { left: 's2', op, right }];
  return {
    said: `${one.if.replace(/\s*\?.*$/u, '')}${phrases.say(isAll ? tongue.and : tongue.or)}${text} ${other.text}`,
    isQuestion,
    looks: [one.count.step, other.step],
    when: isAll ? { all: compares } : { any: compares },
  };
}

/** A condition before or after its order. */
function conditional(phrases: Phrases, parts: Parts): { said: string; steps: Bare[]; when: TrainWhen } {
  const { said, isQuestion, looks, when } = conditionIn(phrases, parts);
  const { tongue } = phrases;
  const order = phrases.order(true);
  const isAfter = !isQuestion && parts.chance(0.25);
  const second = !isAfter && parts.chance(0.35) ? phrases.order(true) : null;
  const orders = second === null ? order.text : `${order.text}${phrases.say(tongue.and)}${second.text}`;
  return {
    said: isAfter
      ? phrases.say(tongue.only, { order: order.text, if: said })
      : `${said}${phrases.say(tongue.gap)}${orders}`,
    steps: [...looks, on(order, when), ...(second === null ? [] : [on(second, when)])],
    when,
  };
}

const shapes: readonly Shape[] = [
  (phrases, parts) => {
    const { said, steps } = conditional(phrases, parts);
    return [said, ...steps];
  },
  // The other case, and something to look up as well.
  ...[0.15, 0.6].map(
    (share): Shape =>
      (phrases, parts) => {
        const { said, steps, when } = conditional(phrases, parts);
        const other = phrases.order(true);
        const read = parts.chance(share) ? phrases.read() : null;
        const otherwise = `${parts.pick(ends)}${phrases.say(phrases.tongue.otherwise)} ${other.text}`;
        const tail = read === null ? '' : `${phrases.say(phrases.tongue.also)}${read.text}`;
        return [
          `${said}${otherwise}${tail}`,
          ...steps,
          on(other, otherCase(when)),
          ...(read === null ? [] : [read.step]),
        ];
      },
  ),
  // The other case is nothing.
  (phrases, parts) => {
    const { said, steps } = conditional(phrases, parts);
    return [`${said}${parts.pick(ends)}${phrases.say(phrases.tongue.nothing)}`, ...steps];
  },
  // A condition, and something that does not depend on it.
  (phrases, parts) => {
    const { said, steps } = conditional(phrases, parts);
    const read = parts.chance(0.6) ? phrases.read() : phrases.order(false);
    return [`${said}${phrases.say(phrases.tongue.also)}${read.text}`, ...steps, read.step];
  },
  // Several orders or look-ups in a row.
  ...[orderAlone, lookUpOrOrder].map(
    (one): Shape =>
      (phrases, parts) => {
        const list = Array.from({ length: parts.number(2, 3) }, () => one(phrases, parts));
        const isChain = parts.chance(0.3);
        const joins = isChain ? phrases.tongue.later : [...next, ...phrases.tongue.and];
        const text = list.reduce(
          (said, { text }) => (said === '' ? text : `${said}${phrases.say(joins)}${text}`),
          '',
        );
        return [
          text,
          ...list.map(({ step }, at) => (isChain && at > 0 ? { ...step, needs: [`s${at}`] } : step)),
        ];
      },
  ),
  // Results that are passed on.
  (phrases, parts) => {
    const [one, two] = [phrases.read(), phrases.read()];
    const isBoth = parts.chance(0.5);
    const isSummary = isBoth && parts.chance(0.5);
    const { to, args } = phrases.receiver();
    const reads = isBoth ? `${one.text}${phrases.say(phrases.tongue.and)}${two.text}` : one.text;
    const found = isBoth ? ['$s1', '$s2'] : '$s1';
    const looks = isBoth ? [one.step, two.step] : [one.step];
    const needs = looks.map((_, at) => `s${at + 1}`);
    if (!isSummary)
      return [
        phrases.say(phrases.tongue.postIt, { reads, to }),
        ...looks,
        { tool: 'slack.post', args: { ...args, text: found }, needs },
      ];
    return [
      phrases.say(phrases.tongue.summarizeTo, { reads, to }),
      ...looks,
      { tool: 'llm.summarize', args: { input: found }, needs },
      { tool: 'slack.post', args: { ...args, text: '$s3' }, needs: ['s3'] },
    ];
  },
];

function orderAlone(phrases: Phrases): ReturnType<Phrases['order']> {
  return phrases.order(false);
}

function lookUpOrOrder(phrases: Phrases, parts: Parts): ReturnType<Phrases['read']> {
  return parts.chance(0.75) ? phrases.read() : phrases.order(false);
}
