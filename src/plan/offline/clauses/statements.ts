import type { Place } from '../steps/memory.ts';
import {
  is,
  isAlone,
  isBound,
  isEmpty,
  lowAt,
  namedIn,
  range,
  saysIn,
  type Text,
  wordsOf,
} from '../words/text.ts';
import type { Thing, ThingKind } from '../words/thing.ts';
import type { Draft } from './clause.ts';

/** Clauses that ask for nothing: what is spoken of, how it is, and what others say. */

const topical = new Set<ThingKind>(['issue', 'incident', 'service', 'project']);

export const topicsAt = ({ words }: Text, index: number): Thing[] =>
  words[index]?.things.filter(({ kind }) => topical.has(kind)) ?? [];

/** "incident 51877 is over, …", "PAY-3: …": what the orders behind it are about. */
export function topics(text: Text, span: readonly number[], to: number): Draft[] {
  const at = span.find((index) => topicsAt(text, index).length > 0);
  if (to === text.words.length || at === undefined || !is(text, to - 1, 'topicEnds')) return [];
  const things = topicsAt(text, at);
  const [{ kind, length } = { kind: 'unknown', length: 1 }] = things;
  const before = span.filter((index) => index < at);
  const after = span.filter((index) => index >= at + length);
  const named = (index: number): boolean => is(text, index, 'empty') || isAlone(text, index, 'noun', 'also');
  // "1182 is over" compares nothing.
  const bound = (index: number): boolean =>
    is(text, index, 'thing', 'verb write') ||
    isAlone(text, index, 'negation', 'vague', 'exists', 'condition') ||
    (isAlone(text, index, 'compare') && index !== after.at(-1));
  const words = after.every(named) ? '' : wordsOf(text, after);
  const known = words === '' ? kind !== 'service' : kind === 'incident' || kind === 'issue';
  if (!before.every((index) => named(index) && !is(text, index, 'verb write'))) return [];
  if (!known || after.some(bound)) return [];
  return [{ kind: 'topic', things, words, left: [], score: before.length - 0.2 * after.length }];
}

const acts = ['verb write', 'also write'];

/** Where one of these is said, something is asked for, or depends on it. */
const asksFor = ['channel', 'severity', 'quote', 'if', 'unless', 'regardless', 'else', 'so'];

/** What a sentence is about that asks for nothing, and whether it says how that is. */
interface Stated {
  readonly things: readonly Thing[];
  readonly isSaid: boolean;
}

/** "rolled back payments at 02:51": a sentence that begins so says what was done. */
export const isDone = (text: Text, index: number): boolean =>
  /^[a-z]{3,}ed$/u.test(lowAt(text, index)) && !is(text, index, 'value', 'noun', 'verb');

/** "refunds failing again", "customers cannot log in": what is said of the words before it. */
const isSaying = (text: Text, index: number): boolean =>
  // "4 am" is a time.
  (is(text, index, 'saying') && !is(text, index - 1, 'number')) ||
  (/^[a-z]{3,}(?:ed|ing)$/u.test(lowAt(text, index)) && !is(text, index, 'value', 'noun', 'verb', 'also'));

/** "I am new here": how whoever speaks is. */
const isOfSpeaker = (text: Text, index: number): boolean =>
  is(text, index - 1, 'saying') && is(text, index - 2, 'speaking');

/** A sentence ends before a word: with its mark, or with its line. */
const endsAt = (text: Text, at: number): boolean =>
  is(text, at - 1, 'sentence ends', 'question ends') ||
  text.goal.slice(text.words[at - 1]?.end, text.words[at]?.start).includes('\n');

/** "seeing …", "rolled back …", "we're down", "I have a meeting …": whoever speaks says what happened. */
function begins(text: Text, from: number, first: number): boolean {
  const isSaid = (at: number): boolean => is(text, at, 'saying') && is(text, at - 1, 'speaking');
  return (
    is(text, first, 'noticing') ||
    isDone(text, first) ||
    is(text, first - 1, 'teller') ||
    saysIn(text, range(from, first), 'nothing unsure') ||
    saysIn(text, range(from, first), 'contracted') ||
    (!is(text, from, 'asking') && range(from, first + 1).some(isSaid))
  );
}

/** "for the postmortem I need …", "before standup, …": words that nothing here goes by. */
const isPurpose = (text: Text, from: number, span: readonly number[]): boolean =>
  is(text, from, 'purpose') &&
  span.length > 0 &&
  span.length < 6 &&
  !saysIn(
    text,
    span,
    'thing',
    'noun',
    'value',
    'verb write',
    'negation',
    'compare',
    'exists',
    'time',
    'number',
  );

/** "since the deploy, how many …" says when; with a verb it says why. */
const isBecause = (text: Text, from: number, span: readonly number[]): boolean =>
  is(text, from, 'reasoning') &&
  !saysIn(text, span, 'time', 'duration') &&
  (lowAt(text, from) !== 'since' || saysIn(text, span, 'saying', 'wanted', 'contracted'));

/**
 * "checkout is slow again. …", "standup in 5. …": a sentence that asks for nothing, or a part of one that says something
 * and asks for nothing; null for every other.
 */
function statedIn(text: Text, span: readonly number[], { from, to }: Place): Stated | null {
  const begin = range(1, from + 1).findLast((at) => endsAt(text, at)) ?? 0;
  const [first = from, ...rest] = span;
  // "the phones started ringing" orders nothing, "ops needs paging" does.
  const isOrder = (index: number): boolean =>
    (is(text, index, 'verb write') || (is(text, index, 'also write') && is(text, index - 1, 'wanted'))) &&
    !is(text, index - 1, 'articles') &&
    !isOfSpeaker(text, index) &&
    (index === first || is(text, index - 1, 'mark', 'leading', 'polite', 'wanted'));
  // "seeing E123, what is it": a code is there to be looked up.
  const isCode = (index: number): boolean => is(text, index, 'code') && !is(text, index, 'issue');
  const asks = (index: number): boolean =>
    is(text, index, ...asksFor) || isBound(text, index) || isCode(index) || isOrder(index);
  // "ack 1182 im in the car"
  const isApart =
    is(text, from, 'of oneself') || range(begin, from).every((index) => is(text, index, 'empty'));
  if (span.some(asks) || !isApart) return null;
  if (isPurpose(text, from, span) && (is(text, to - 1, 'topicEnds') || is(text, to, 'whoever asks')))
    return { things: [], isSaid: true };
  const tells = begins(text, from, first);
  const says = (index: number): boolean => isSaying(text, index) || is(text, index, 'contracted');
  const verb = tells ? first : (rest.find(says) ?? null);
  const isAsked =
    is(text, first, 'asking', 'wanting') ||
    (is(text, first, 'verb') && verb !== first + 1 && !isOfSpeaker(text, first));
  if (isAsked && verb !== first) return null;
  // "nothing on weekends please", "only the unassigned ones": a limit, and no news.
  const isLimit = (index: number): boolean => is(text, index, 'negation', 'only', 'exists');
  if (verb === null && range(from, first + 1).some(isLimit)) return null;
  const isTurned =
    is(text, to - 1, 'topicEnds') || is(text, to, 'but', 'so_that') || to === text.words.length;
  // "finance complains again, so please …", "since legal wants it in writing, …": whatever it says is the reason.
  const isReason =
    (is(text, to, 'so_that') && is(text, to + 1, 'polite', 'verb write')) ||
    (is(text, to - 1, 'sets apart') && isBecause(text, from, span));
  if (!endsAt(text, to) && !isReason && (verb === null || !isTurned)) return null;
  // "customers cannot pay" is about no project that is called so, "rolled back payments" is.
  const named = span.filter(
    (index) => index < (verb ?? to) || isDone(text, first) || is(text, index - 1, 'cue'),
  );
  const users = span.flatMap(
    (index) => text.words[index]?.things.filter(({ kind }) => kind === 'user') ?? [],
  );
  return {
    things: [...named.flatMap((index) => topicsAt(text, index)), ...users],
    isSaid: verb !== null || isReason,
  };
}

const flags = { isSaid: true, isStated: false, isReported: false };
const remark = { kind: 'remark', words: '', things: [], left: [], ...flags } as const;

/** What was pasted, and what it names; a quotation is only passed on. */
function quoted(text: Text, index: number): { words: string; things: readonly Thing[] } {
  const words = text.words[index]?.raw ?? '';
  const isAlert = is(text, index, 'pasted') && !text.catalogue.open;
  return { words, things: isAlert ? namedIn(text, words) : [] };
}

/** Words that are no order and no look-up may say what it is about: "page ops, checkout is down". */
export function remarks(text: Text, span: readonly number[], place: Place): Draft[] {
  const [first = -1] = span;
  const { from: begun, to } = place;
  // "post to #ops if P1s are open: “…”"
  const isText = is(text, first, 'quote') && lowAt(text, first - 1) === ':';
  if ((isText || is(text, first, 'pasted')) && isEmpty(text, span.slice(1)))
    return [{ ...remark, ...quoted(text, first), score: isText ? 0.5 : 0 }];
  // "cancel the page of 4 am": an order, though no tool does it.
  if (lowAt(text, to - 1) === '?' || is(text, first, 'ending')) return [];
  let from = first;
  const isPart = (at: number): boolean =>
    is(text, at, 'articles', 'speaking') || (is(text, at, 'saying') && is(text, at - 1, 'speaking'));
  while (from > begun && isPart(from - 1)) from -= 1;
  const words = wordsOf(text, [from, ...span]);
  const isOdd = saysIn(text, span, 'unknown');
  const stated = statedIn(text, span, place);
  if (span.length < 2 && !stated?.isSaid) return [];
  if (stated !== null)
    return [{ ...remark, ...stated, words, isSaid: stated.isSaid || isOdd, isStated: true, score: -0.5 }];
  const order =
    span.some((index) => is(text, index, 'verb write') && index <= first + 1) ||
    (is(text, first, 'verb read') && !span.some((index) => isSaying(text, index)));
  // "translate PAY-3 and send it to @ben": what leads to an order without saying anything is one itself.
  const leadsOn = is(text, to, 'and', 'then') && !span.some((index) => isSaying(text, index));
  // "close PAY-9, it was a duplicate"
  const speaks = is(text, begun, 'speaking') && is(text, begun + 1, 'saying');
  // "carts again, if there are more than 100 can you page checkout": a condition is no news.
  const isMore =
    saysIn(text, span, 'if', 'unless', 'else') ||
    is(text, begun, 'only') ||
    isAlone(text, first, 'negation', 'vague', 'only') ||
    order ||
    leadsOn;
  return isMore || !(speaks || isOdd) ? [] : [{ ...remark, words, score: -0.7 - 0.2 * span.length }];
}

/** "the boss wants ops paged": what somebody else wants is no order. */
export function reports(text: Text, span: readonly number[]): Draft[] {
  const at = span.slice(0, 5).find((index) => is(text, index, 'reporting')) ?? -1;
  // "@ana wants the list" says who gets it.
  const isOwn = is(text, at - 1, 'whoever asks', 'channel', 'user');
  const orders = span.some((index) => index > at && is(text, index, ...acts));
  return at < 0 || isOwn || !orders ? [] : [{ ...remark, isReported: true, score: -1 }];
}
