import { is, isAlone, isBound, lowAt, range, saysIn } from '../words/text.ts';
import { isOwn, ordersMore, telling } from './edges.ts';
import type { Filling } from './frame.ts';
import { argsThatTake } from './takes.ts';

/** Words that a cue asked for as a text, by their indexes; `whole`: everything behind it is the text. */
interface Said extends Pick<Filling, 'text' | 'tool'> {
  readonly indexes: readonly number[];
  readonly whole: 'all' | undefined;
}

const named = ['channel', 'user', 'issue', 'incident', 'project', 'number', 'duration', 'time'];

const firstOf = ({ text, indexes }: Said): number => indexes.find((index) => !is(text, index, 'mark')) ?? -1;

/** "that we are on it", ": on it", "saying OPS-3 still open": said, however little it says. */
function isStatement(said: Said): boolean {
  const { text, indexes, whole } = said;
  const isQuoted = is(text, firstOf(said) - 1, 'quoting');
  const isCut = (index: number): boolean =>
    is(text, index, 'contracted') || (isQuoted && is(text, index, 'issue', 'incident'));
  return whole === 'all' && (saysIn(text, indexes, 'saying') || indexes.slice(0, -1).some(isCut));
}

/** A lone channel or name is where it goes, or what it is about. */
function isEmpty(said: Said): boolean {
  const { text, tool, indexes } = said;
  const bare = ['empty', 'writeOne', 'verb read', 'condition', 'negation', ...named, `noun ${tool.name}`];
  const isBare = (index: number): boolean =>
    is(text, index, ...bare) || isAlone(text, index, 'pronoun', 'anyone');
  return indexes.every(isBare) && !isStatement(said);
}

/** A bound, a moment, a condition, a question or a kind of ticket, by the words that it begins with. */
function isOther(said: Said): boolean {
  const { text, tool, indexes } = said;
  const first = firstOf(said);
  // "page ops over 90"
  const isBound = is(text, first - 1, 'compare') && is(text, first, 'number', 'duration');
  // "30 minutes before OPS-3 breaches" says when.
  const length = text.words[first]?.things[0]?.length ?? 1;
  const isMoment = is(text, first, 'duration') && is(text, first + length, 'before', 'then');
  // "saying how many are open" has to be looked up; "open P2s in RX: how many?" creates nothing.
  const isAsked = tool.asked?.role === 'create' && text.goal.trimEnd().endsWith('?');
  const isQuestion = is(text, first, 'asks whether') && (isAsked || is(text, first - 1, 'quoting'));
  // "file that as a P2 bug" says what kind of ticket.
  const isKind =
    range(first - 2, first + 1).some((index) => lowAt(text, index) === 'as') && isOwn(text, tool, indexes);
  // "that more than 50 users are affected" says something.
  const isCondition = is(text, first, 'if', 'unless') || (is(text, first, 'compare') && !isStatement(said));
  return isBound || isMoment || isQuestion || isKind || isCondition;
}

/** What is ruled out or ordered, or goes to somebody else, from one of the words on. */
function isMore({ text, tool, indexes }: Said): boolean {
  const comma = indexes.find((index) => lowAt(text, index) === ',') ?? Number.POSITIVE_INFINITY;
  const receives = argsThatTake(tool, 'channel', 'user').length > 0;
  return indexes.some(
    (index) =>
      // "and page ops" orders something; "…, unless one is open" and "…, hmm, P2 is fairer" say more of the order.
      ordersMore(text, index) ||
      is(text, index, 'silent') ||
      (lowAt(text, index - 1) === ',' && (is(text, index, 'unless', 'else') || isBound(text, index))) ||
      // "… but nobody is to be paged" rules something out.
      (is(text, index, 'negation') &&
        range(index + 1, index + 7).some(
          (other) => indexes.includes(other) && is(text, other, ...telling),
        )) ||
      // "…, and @ines gets the key": what somebody else gets is no text of a ticket.
      (!receives && index > comma && is(text, index, 'channel', 'user')),
  );
}

/** Whether words are no text after all, although one is asked for where they stand. */
export const isNoText = (said: Said): boolean => isEmpty(said) || isOther(said) || isMore(said);
