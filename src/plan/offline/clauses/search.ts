import type { AskedRole } from '../../../core/asked.ts';
import { droppingAt, isTail, movesTo } from '../change/readings.ts';
import { fillFrame } from '../frames/frames.ts';
import { requiredOf } from '../frames/takes.ts';
import { isTold, toldIn } from '../frames/told.ts';
import {
  is,
  isAny,
  isBound,
  isDescribed,
  isWithin,
  joinsThings,
  lowAt,
  once,
  phraseIn,
  range,
  type Text,
} from '../words/text.ts';
import type { Clause } from './clause.ts';
import { clausesOf } from './clauses.ts';

/** Clauses that together cover a request. */
export interface Reading {
  readonly clauses: readonly Clause[];
  readonly score: number;
}

/** What it costs to end a clause at a place, and to read on across it. */
interface Cost {
  readonly split: number;
  readonly across: number;
}

/** Readings kept at every boundary. */
const width = 5;
/** Boundaries that a clause may reach across. */
const reach = 7;

const marks: readonly (readonly [RegExp, Cost])[] = [
  [/^(?:[.;?!]|[:;]-?[)(D])$/u, { split: 0, across: 3 }],
  [/^(?:->|-->|→|=>|⇒|—>|>>)$/u, { split: 0, across: 0.6 }],
  [/^[:()–—-]$/u, { split: 0.1, across: 0.1 }],
  [/^(?:,|\p{Extended_Pictographic})$/u, { split: 0.1, across: 0.3 }],
];

/** "page ops should PAY have more than 5": a condition that begins with its verb. */
const isInverted = (text: Text, index: number): boolean =>
  lowAt(text, index) === 'should' &&
  !is(text, index - 1, 'channel', 'user') &&
  is(text, index + 1, 'thing', 'inverted');

function wordCost(text: Text, index: number): Cost | null {
  if (isInverted(text, index)) return { split: 0, across: 4 };
  // "at the moment" is no "the moment that …".
  const isPart = isWithin(
    text,
    index,
    (one) =>
      isAny(one, 'unless', 'regardless', 'so', 'else', 'nothing unsure') ||
      (isAny(one, 'nothing', 'noun') && one.length > 2),
  );
  if (is(text, index, 'if', 'unless', 'regardless', 'undo', 'else', 'so') && !isPart)
    return is(text, index, 'soft if') ? { split: 0.3, across: 0.5 } : { split: 0, across: 4 };
  if (text.plan !== null && droppingAt(text, index) === 0 && isTail(text, index)) return null;
  if (text.plan !== null && (is(text, index, 'but') || droppingAt(text, index) > 0 || movesTo(text, index)))
    return { split: 0.1, across: 0.5 };

  // "we have an audit next week so I need …"
  const turns = is(text, index, 'so_that') || lowAt(text, index) === 'but';
  if (turns && is(text, index + 1, 'speaking', 'polite', 'verb')) return { split: 0.3, across: 0.5 };
  // "for the postmortem I need …", "ack 1182 im in the car": somebody says something of their own.
  const isSaid = isTold(text, index) || is(text, index - 1, 'learning', 'telling');
  const isOwn = is(text, index, 'of oneself') && !isSaid;
  if (isOwn || (is(text, index, 'whoever asks') && is(text, index + 1, 'wanted')))
    return { split: 0.5, across: 0.5 };
  if (is(text, index, 'and', 'or'))
    // What joins two things of one kind hardly ever ends a clause.
    return joinsThings(text, index) ? { split: 2, across: 0 } : { split: 0.3, across: 0.5 };
  // "page ops over 20": in a watch a bound alone says when to speak.
  if (text.watched && isBound(text, index)) return { split: 0.5, across: 0.5 };
  // "… @ana gets the list": who receives something stands before the verb.
  if (is(text, index, 'channel', 'user') && is(text, index + 1, 'receiving'))
    return { split: 0.3, across: 0 };
  // "a task to write one": what something is for is no order; nor is "on call".
  const isNamed =
    phraseIn(text, [index - 1, index], 0, 'noun read')?.length === 2 || isDescribed(text, index);
  // "…, so don't | post it" would order what is ruled out.
  const isDenied =
    /^(?:dont|never|not)$/u.test(lowAt(text, index - 1)) &&
    !isWithin(text, index - 1, (one) => isAny(one, 'else', 'unless', 'exists'));
  if (is(text, index, 'verb write') && !is(text, index - 1, 'no order') && !isNamed && !isDenied)
    return { split: is(text, index - 1, 'mark') ? 0.9 : 1.5, across: 0 };
  if (is(text, index, 'readonly nothing')) return { split: 0.1, across: 0.5 };
  return is(text, index, 'negation') ? { split: 1.2, across: 0 } : null;
}

/** "… in OPS? and in PAY?": behind the mark nothing is said but one more of what was named. */
function isOnlyNamed(text: Text, at: number): boolean {
  const end = range(at, text.words.length).find((index) => is(text, index, 'mark')) ?? text.words.length;
  const isAsked = is(text, at - 1, 'question ends') && is(text, at, 'and');
  return isAsked && range(at + 1, end).every((index) => is(text, index, 'thing', 'empty'));
}

function boundariesIn(text: Text): (Cost & { readonly at: number })[] {
  const { words, goal } = text;
  const told = toldIn(text);
  const inner = range(1, words.length).flatMap((at) => {
    if (told.some(({ from, end }) => at >= from && at < end)) return [];

    const [before, here] = [words[at - 1], words[at]];
    const mark = before?.kind === 'mark' ? marks.find(([form]) => form.test(before.raw))?.[1] : undefined;
    const cost = goal.slice(before?.end, here?.start).includes('\n')
      ? { split: 0, across: 2 }
      : mark === undefined || isOnlyNamed(text, at)
        ? wordCost(text, at)
        : mark;
    return cost ? [{ at, ...cost }] : [];
  });
  return [{ at: 0, split: 0, across: 0 }, ...inner, { at: words.length, split: 0, across: 0 }];
}

/** Goes on with readings, the best first, and keeps what is among the best. */
function goOn(kept: Reading[], before: readonly Reading[], clause: Clause, { split, across }: Cost): void {
  for (const { clauses, score: so } of before.slice(0, 4)) {
    const score = so + clause.score - across - split;
    if (kept.length === width && (kept.at(-1)?.score ?? 0) >= score) return;
    const at = kept.findIndex((other) => other.score < score);
    kept.splice(at < 0 ? kept.length : at, 0, { clauses: [...clauses, clause], score });
    if (kept.length > width) kept.length = width;
  }
}

/** The readings of a request, the best first: one search over where its clauses begin and end. */
export const readingsOf = (text: Text): readonly Reading[] => once(text, 'readings', () => search(text));

const nearest: readonly AskedRole[] = ['show', 'alarms', 'person', 'list', 'clock'];

/** What may be looked up of the things and times that are named, where no words say what is wanted. */
export function nearestTo(text: Text): Reading[] {
  const span = range(0, text.words.length);
  return nearest
    .flatMap((role) => text.lexicon.byRole.get(role) ?? [])
    .map((tool) => fillFrame(text, tool, span))
    .filter(({ tool, slots, filling }) => {
      const isNamed = [...filling].some((index) => is(text, index, 'thing', 'time', 'duration'));
      return isNamed && requiredOf(tool).every((arg) => slots.has(arg));
    })
    .map((frame) => ({
      clauses: [
        { kind: 'read', frame, left: frame.left, lead: new Set(), from: 0, to: span.length, score: 0 },
      ],
      score: 2 * frame.filling.size - frame.left.length,
    }));
}

function search(text: Text): Reading[] {
  const boundaries = boundariesIn(text);
  const best: Reading[][] = boundaries.map((_one, at) => (at === 0 ? [{ clauses: [], score: 0 }] : []));
  for (const [end, to] of boundaries.entries()) {
    let crossed = 0;
    for (let start = end - 1; start >= Math.max(0, end - reach); start -= 1) {
      const from = boundaries[start] as (typeof boundaries)[number];
      const before = best[start] ?? [];
      if (before.length > 0 && crossed < 2)
        for (const clause of clausesOf(text, from.at, to.at))
          goOn(best[end] ?? [], before, clause, { split: from.split, across: crossed });
      crossed += from.across;
    }
  }
  return best.at(-1) ?? [];
}
