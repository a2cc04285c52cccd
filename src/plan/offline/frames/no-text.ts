import { is, isAlone, lowAt, range, saysIn } from '../words/text.ts';
import { isOwn, ordersMore, telling } from './ends.ts';
import type { Filling } from './frame.ts';
import { argsThatTake } from './takes.ts';

/** Words that a cue asked for as a text, by their indexes; `whole`: everything behind it is the text. */
export interface Said extends Pick<Filling, 'text' | 'tool'> {
  readonly indexes: readonly number[];
  readonly whole: 'all' | undefined;
}

const named = ['channel', 'user', 'issue', 'incident', 'project', 'number', 'duration', 'time'];

const firstOf = ({ text, indexes }: Said): number => indexes.find((index) => !is(text, index, 'mark')) ?? -1;

/** A lone channel or name is where it goes, or what it is about. */
function isEmpty(said: Said): boolean {
  const { text, tool, indexes } = said;
  const isBare = indexes.every(
    (index) =>
      is(
        text,
        index,
        'empty',
        'writeOne',
        'verb read',
        'condition',
        'negation',
        ...named,
        `noun ${tool.name}`,
      ) || isAlone(text, index, 'pronoun', 'anyone'),
  );
  return isBare && !isStatement(said);
}

/** "that we are on it", ": on it", "saying OPS-3 still open": said, however little it says. */
function isStatement(said: Said): boolean {
  const { text, indexes, whole } = said;
  const isQuoted = is(text, firstOf(said) - 1, 'quoting');
  const isCut = (index: number): boolean =>
    is(text, index, 'contracted') || (isQuoted && is(text, index, 'issue', 'incident'));
  return whole === 'all' && (saysIn(text, indexes, 'saying') || indexes.slice(0, -1).some(isCut));
}

/** "page ops over 90": a number behind a comparison is a bound. */
function isBound(said: Said): boolean {
  const first = firstOf(said);
  return is(said.text, first - 1, 'compare') && is(said.text, first, 'number', 'duration');
}

/** "30 minutes before OPS-3 breaches" says when. */
function isMoment(said: Said): boolean {
  const { text } = said;
  const first = firstOf(said);
  const length = text.words[first]?.things[0]?.length ?? 1;
  return is(text, first, 'duration') && is(text, first + length, 'before', 'then');
}

/** "that more than 50 users are affected" says something. */
const isCondition = (said: Said): boolean =>
  is(said.text, firstOf(said), 'if', 'unless') ||
  (is(said.text, firstOf(said), 'compare') && !isStatement(said));

/** "saying how many are open" has to be looked up; "open P2s in RX: how many?" creates nothing. */
function isQuestion(said: Said): boolean {
  const { text, tool } = said;
  const first = firstOf(said);
  const isAsked = tool.asked?.role === 'create' && text.goal.trimEnd().endsWith('?');
  return is(text, first, 'asks whether') && (isAsked || is(text, first - 1, 'quoting'));
}

/** "file that as a P2 bug" says what kind of ticket. */
const isKind = ({ text, tool, indexes, indexes: [first = -1] }: Said): boolean =>
  range(first - 2, first + 1).some((index) => lowAt(text, index) === 'as') && isOwn(text, tool, indexes);

/** "… but nobody is to be paged" rules something out. */
const isDenial = ({ text, indexes }: Said): boolean =>
  indexes.some(
    (index) =>
      is(text, index, 'negation') &&
      range(index + 1, index + 7).some((other) => indexes.includes(other) && is(text, other, ...telling)),
  );

/** "and page ops" orders something; "…, unless one is open" and "…, hmm, P2 is fairer" say more of the order. */
const isMore = ({ text, indexes }: Said): boolean =>
  indexes.some(
    (index) =>
      ordersMore(text, index) ||
      is(text, index, 'silent') ||
      (lowAt(text, index - 1) === ',' && is(text, index, 'unless', 'else')),
  );

/** "…, and @ines gets the key": what somebody else gets is no text of a ticket. */
function goesToSomebody({ text, tool, indexes }: Said): boolean {
  const comma = indexes.find((index) => lowAt(text, index) === ',') ?? Number.POSITIVE_INFINITY;
  const receives = argsThatTake(tool, 'channel', 'user').length > 0;
  return !receives && indexes.some((index) => index > comma && is(text, index, 'channel', 'user'));
}

const reasons: readonly ((said: Said) => boolean)[] = [
  isEmpty,
  isBound,
  isMoment,
  isCondition,
  isQuestion,
  isKind,
  isDenial,
  isMore,
  goesToSomebody,
];

/** Whether words are no text after all, although one is asked for where they stand. */
export const isNoText = (said: Said): boolean => reasons.some((isOne) => isOne(said));
