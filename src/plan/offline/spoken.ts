import type { Manifest } from '../../core/manifest.ts';
import type { EntityKind } from './entity.ts';
import { endsAt, explain, type Filling, fill, fits, free, indexAt, wordAt } from './filling.ts';
import type { Text } from './frame.ts';
import {
  asks,
  carriesNothing,
  isA,
  isMark,
  isOneOf,
  isThing,
  joins,
  lowAt,
  means,
  orders,
  plays,
  range,
  tells,
  wordsOf,
} from './heard.ts';
import type { Sense } from './sense.ts';
import { type Takes, takesOf } from './takes.ts';

/** Words that are passed on as they were said: the text of a message, the topic of a search. */

const stops = new Set<Sense['role']>(['condition', 'compare', 'compareAfter', 'exists', 'negation']);
/** They go on over several words. */
const runs = new Set<Takes>(['topic', 'phrase']);

/** Behind "that", "saying" or a colon everything is the text, whatever its words mean elsewhere. */
export function takeTold(so: Filling, at: number): number {
  const { cue, text } = so;
  const word = cue?.at.at(-1) ?? -1;
  // "ask @ana to check PAY-3": behind whom it is for, "to" begins what is said.
  const aimed = so.tool.exactlyOne.flat().some((arg) => so.slots.has(arg));
  const told =
    isOneOf(text, word, 'telling') ||
    (aimed &&
      lowAt(text, word) === 'to' &&
      !isA(text, word + 1, 'channel', 'user') &&
      !isOneOf(text, word + 1, 'learning'));
  if (cue === null || cue.weak || !told) return 0;
  const arg = free(so, 'message').find((one) => cue.args.includes(one));
  return arg === undefined || isA(text, indexAt(so, at), 'quote') ? 0 : takeWords(so, arg, at, 'all');
}

/** Words that a cue asked for, or the topic of a tool that is asked for by its topic. */
export function takeSpoken(so: Filling, at: number): number {
  const { args = [], weak = true } = so.cue ?? {};
  const wanted = weak
    ? undefined
    : free(so, 'message', 'topic', 'phrase', 'word', 'person').find((arg) => args.includes(arg));
  const bare = free(so, 'topic').find((arg) => so.tool.asked?.args?.[arg]?.bare);
  for (const arg of [wanted, bare]) {
    const taken = arg === undefined ? 0 : takeWords(so, arg, at);
    if (taken > 0) return taken;
  }
  return 0;
}

function takeWords(so: Filling, arg: string, at: number, whole?: 'all'): number {
  const takes = so.takes.get(arg) ?? 'enum';
  const single = takes === 'word' || takes === 'person';
  const length = takes === 'message' ? textLength(so, at, whole) : single ? 1 : topicLength(so, at, takes);
  const indexes = so.span.slice(at, at + length);
  const value = wordsOf(so.text, indexes).replace(/[!?]+$/u, '');
  const someone = (index: number): boolean =>
    isThing(so.text, index) || plays(so.text, index, 'pronoun', 'anyone');
  if (takes === 'phrase' && indexes.some(someone)) return 0;
  if (value === '' || !fits(so, at, length) || (takes === 'message' && isNoText(so, indexes))) return 0;
  fill(so, arg, [value], at, length);
  if (takes !== 'word') explain(so, indexes, 'text');
  return length;
}

/** A text goes on to the end, but for whom it is for: "post the number of open P1s to #ops". */
function textLength(so: Filling, at: number, whole?: 'all'): number {
  const { exactlyOne } = so.tool;
  const aimed = exactlyOne.flat().some((arg) => so.slots.has(arg));
  const last = so.span.length - 1;
  const target =
    last > at + 1 &&
    isA(so.text, indexAt(so, last), 'channel', 'user') &&
    isOneOf(so.text, indexAt(so, last - 1), 'into');
  if (target && !aimed && exactlyOne.length > 0) return last - 1 - at;
  const isEnd = (index: number): boolean => whole === undefined && lowAt(so.text, index) === ',';
  const end = so.span.findIndex((index, place) => place > at && isEnd(index));
  return (end < 0 ? so.span.length : end) - at;
}

/** "… but nobody is to be paged" rules something out, "and page ops" orders something, a lone channel is where it goes: none is a text. */
function isNoText({ text, tool }: Filling, indexes: readonly number[]): boolean {
  const first = indexes[0] ?? -1;
  // "ask @ana to check PAY-3": what somebody is to do is said to them.
  const isTask =
    lowAt(text, first - 1) === 'to' && asks(text, first) && indexes.some((index) => isThing(text, index));
  const empty =
    !isTask &&
    indexes.every(
      (index) =>
        carriesNothing(text, index) ||
        plays(text, index, 'pronoun', 'anyone') ||
        isOneOf(text, index, 'writeOne') ||
        asks(text, index) ||
        isA(text, index, 'channel', 'user', 'issue', 'incident', 'number', 'duration') ||
        means(text, index, ({ role, of }) => role === 'noun' && of === tool.name),
    );
  const compares = (index: number): boolean => means(text, index, ({ role }) => role === 'compare');
  // "page ops over 90": a number behind a comparison is a bound.
  const isBound = compares(first - 1) && isA(text, first, 'number', 'duration');
  const isCompared = isBound || compares(first) || joins(text, first, 'if', 'unless');
  const isPointing = plays(text, first, 'pronoun') && isMark(text, first + 1);
  if (empty || isCompared || isPointing || indexes.some((index) => ordersMore(text, index))) return true;
  if (goesToSomebody(text, tool, indexes)) return true;
  return indexes.some(
    (index) =>
      means(text, index, ({ role }) => role === 'negation') &&
      indexes.some((other) => other > index && other <= index + 6 && tells(text, other)),
  );
}

/** "…, and @ines gets the key": what somebody else gets is no text of a ticket. */
function goesToSomebody(text: Text, tool: Manifest, indexes: readonly number[]): boolean {
  const comma = indexes.find((index) => lowAt(text, index) === ',') ?? Number.POSITIVE_INFINITY;
  const receives = Object.keys(tool.args.shape).some((arg) =>
    ['channel', 'user'].includes(takesOf(tool, arg)),
  );
  return !receives && indexes.some((index) => index > comma && isA(text, index, 'channel', 'user'));
}

/** "…, and page ops": another order with its target, which no text swallows. */
const ordersMore = (text: Text, index: number): boolean =>
  orders(text, index) &&
  (joins(text, index - 1, 'and', 'then') || lowAt(text, index - 1) === ',') &&
  range(index + 1, index + 7).some((other) =>
    isA(text, other, 'channel', 'user', 'issue', 'service', 'incident'),
  );

/** Words from here on that may be one topic: up to a mark, a thing that has its own slot, or a word of the tool. */
function topicLength(so: Filling, at: number, takes: Takes): number {
  let solid = at;
  for (let end = at; fits(so, at, end - at + 1) && !endsTopic(so, at, end); end += 1) {
    const senses = sensesAt(so, end);
    const named = takes === 'phrase' && /^\p{Lu}/u.test(so.text.tokens[indexAt(so, end)]?.raw ?? '');
    const weak = ({ role, of }: Sense): boolean =>
      ['nothing', 'cue', 'versus'].includes(role) || of === 'and' || (role === 'verb' && of !== so.tool.name);
    const empty = senses.some(({ role, of }) => role === 'nothing' || of === 'and') && senses.every(weak);
    if (!empty || named) solid = end + 1;
  }
  return solid - at;
}

const sensesAt = (so: Filling, at: number): readonly Sense[] =>
  so.text.phrases[indexAt(so, at)]?.find(({ length }) => fits(so, at, length))?.senses ?? [];

function endsTopic(so: Filling, at: number, end: number): boolean {
  const { text, tool, takes } = so;
  const index = indexAt(so, end);
  if (index < 0) return true;
  const senses = sensesAt(so, end);
  if (isMark(text, index)) return !/^[-–&%/]$/u.test(wordAt(so, end));
  // "orders without a shipment" is one topic; "without paging anyone" is none.
  const lacking = end > at && isOneOf(text, index, 'without') && !tells(text, index + 1);
  if (senses.some(({ role }) => stops.has(role)) && !senses.some(({ of }) => of === 'and') && !lacking)
    return true;
  if (isVague(so, index) || isA(text, index, 'channel')) return true;
  if (end > at && (hasPlace(so, index) || leadsOn(so, end, senses))) return true;
  // Where a query can be given, the nouns of the tool may be what it is about.
  const noun = senses.some(({ of, role }) => of === tool.name && role === 'noun');
  return noun && (![...takes.values()].includes('query') || isOneOf(text, index - 1, 'system'));
}

/** "too many errors": a bound that nobody can check is no part of what to look for. */
const isVague = ({ text }: Filling, index: number): boolean =>
  means(
    text,
    index,
    ({ role }, length) => role === 'vague' && (length > 1 || isOneOf(text, index, 'tooMuch')),
  );

/** A thing with a slot of its own in this tool. */
const hasPlace = (so: Filling, index: number): boolean =>
  so.text.entities[index]?.some(
    ({ kind }) => !['unknown', 'number', 'quote'].includes(kind) && free(so, kind).length > 0,
  ) ?? false;

/** A word that asks for another argument, with a value for it right behind. */
function leadsOn(so: Filling, at: number, senses: readonly Sense[]): boolean {
  let next = at + 1;
  while (isOneOf(so.text, indexAt(so, next), 'beforeTime')) next += 1;
  const last = endsAt(so, next + 1);
  return senses.some(({ role, of, arg = '' }) => {
    const takes = so.takes.get(arg);
    if (role !== 'cue' || of !== so.tool.name || takes === undefined || so.slots.has(arg) || runs.has(takes))
      return false;
    const index = indexAt(so, next);
    return (
      isA(so.text, index, takes as EntityKind) ||
      (takes === 'service' && last && isA(so.text, index, 'unknown'))
    );
  });
}
