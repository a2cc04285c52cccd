import { is, isAlone, lowAt, saysIn, wordsOf } from '../words/text.ts';
import { isOwn, ownTail } from './edges.ts';
import { mayBeName } from './fitting.ts';
import { explain, type Filling, fill, fits, free, indexAt } from './frame.ts';
import { isNoText } from './no-text.ts';
import { queryTakes } from './takes.ts';
import { asksFor, toldFrom } from './told.ts';
import { topicLength } from './topic.ts';

/** Words that are passed on as they were said: the text of a message, the topic of a search. */

/** Behind "that", "saying" or a colon everything is the text, whatever its words mean elsewhere. */
export function takeTold(so: Filling, at: number): number {
  const { cue, text } = so;
  const index = indexAt(so, at);
  const said = toldFrom(text, index);
  const isOwn = said?.tool === so.tool;
  // "#ops should know the vpn is down": what they are to know stands behind the verb.
  const isKnown = lowAt(text, index - 1) === 'know' && !is(text, index, 'telling', 'asks whether');
  const isWeak = cue?.weak && !isKnown;
  if (!isOwn && (cue === null || isWeak || !asksForText(so, index))) return 0;
  const arg = isEarly(so) ? undefined : free(so, 'message').find((one) => isOwn || cue?.args.includes(one));
  if (arg === undefined) return 0;
  if (said === undefined) return takeWords(so, arg, at, 'all');
  const length = said.to - said.from;
  const indexes = so.span.slice(at, at + length);
  const words = wordsOf(text, indexes);
  fill(so, arg, [asksFor(text, said.from) ? `asking ${words}` : words], at, length);
  explain(so, indexes, 'text');
  return length;
}

/** Whether the cue in front of a word begins a text that nothing ends; "comment that on PAY-3" points to what was said. */
function asksForText({ text, cue }: Filling, index: number): boolean {
  const points =
    lowAt(text, index) === 'as' || (is(text, index, 'onto') && is(text, index + 1, 'issue', 'incident'));
  return !is(text, index, 'quote') && !points && is(text, cue?.at.at(-1) ?? index - 1, 'telling', 'learning');
}

/** "PAY-3: comment that …": behind such a colon the order itself is still to come. */
const isEarly = ({ text, cue, verb, tool }: Filling): boolean =>
  tool.effect === 'write' &&
  tool.asked?.role !== 'create' &&
  !verb &&
  lowAt(text, cue?.at.at(-1) ?? -1) === ':';

/** Words that a cue asked for, or the topic of a tool that is asked for by its topic. */
export function takeSpoken(so: Filling, at: number): number {
  const { cue } = so;
  const wanted =
    cue === null || cue.weak || isEarly(so)
      ? undefined
      : free(so, 'message', 'topic', 'phrase', 'word', 'person').find((arg) => cue.args.includes(arg));
  const [named] = so.slots.get('named') ?? [];
  const index = indexAt(so, at);
  // "the last 50 errors": a number is a bound, unless it is a code.
  const isBound = is(so.text, index, 'number') && !is(so.text, index, 'code');
  // "check the logs, the failed orders and …": what another tool is asked for by name.
  const isOther = so.text.words[index]?.phrases.some(({ senses }) =>
    senses.some(({ role, of, arg }) => role === 'value' && arg === 'named' && of !== so.tool.name),
  );
  const bare = free(so, 'topic').find(
    (arg) =>
      !isBound && !isOther && so.tool.asked?.args?.[arg]?.bare && queryTakes(so.text.catalogue, named, arg),
  );
  return (wanted && takeWords(so, wanted, at)) || (bare && takeWords(so, bare, at)) || takeTitle(so, at);
}

/** "file the login issue as a bug in WEB": what becomes a ticket stands in front of what kind of ticket. */
function takeTitle(so: Filling, at: number): number {
  const { text, tool, span, verb } = so;
  const [arg] = tool.asked?.role === 'create' && verb ? free(so, 'message') : [];
  const end = span.findIndex((index, place) => place > at && lowAt(text, index) === 'as');
  const isNamed = isAlone(text, indexAt(so, at), 'pronoun') || !isOwn(text, tool, span.slice(end + 1));
  if (arg === undefined || end < 0 || isNamed) return 0;
  fill(so, arg, [wordsOf(text, span.slice(at, end))], at, end - at);
  explain(so, span.slice(at, end + 1), 'text');
  return end - at;
}

function takeWords(so: Filling, arg: string, at: number, whole?: 'all'): number {
  const takes = so.takes.get(arg) ?? 'enum';
  const single = takes === 'word' || takes === 'person';
  const length = takes === 'message' ? textLength(so, at, whole) : single ? 1 : topicLength(so, at, takes);
  const indexes = so.span.slice(at, at + length);
  const [first = -1] = indexes;

  if (takes === 'person' && !mayBeName(so, takes, so.text.words[first]?.raw ?? '', at + 1)) return 0;
  // "the database is down" says something of it; nothing is looked for.
  const isSaidOf = is(so.text, first - 1, 'saying') && is(so.text, first - 2, `noun ${so.tool.name}`);
  // "explain it": what is asked of something that was spoken of is no topic.
  const isAskedOf = is(so.text, first, 'verb read') && isAlone(so.text, first + 1, 'pronoun thing');
  // "checkout is slow, get me its logs": how something is, and nothing to look for.
  const isVague = length === 1 && is(so.text, first, 'vague', 'recent') && (so.cue?.weak ?? true);
  // "for the postmortem: …" is what it is for.
  const isAhead = lowAt(so.text, (indexes.at(-1) ?? 0) + 1) === ':';
  if (takes === 'topic' && (isSaidOf || isAskedOf || isVague || isAhead)) return 0;
  // "let #ops know the disk is full": what is said begins with its article.
  const isLearned = is(so.text, first - 2, 'learning') && is(so.text, first - 1, 'articles');
  // "tell them to check db-7": what is to be done begins with its verb.
  const isTask = lowAt(so.text, first - 2) === 'to' && is(so.text, first - 1, 'verb read');
  const article = takes === 'message' && (isLearned || isTask) ? [first - 1] : [];
  const value = wordsOf(so.text, [...article, ...indexes]).replace(/[!?]+$/u, '');
  const someone = (index: number): boolean =>
    is(so.text, index, 'channel', 'user', 'issue', 'incident', 'duration', 'time') ||
    isAlone(so.text, index, 'pronoun', 'anyone');
  if (takes === 'phrase' && indexes.some(someone)) return 0;
  // "send @ana its runbook": whoever gets something is not what is looked for.
  if (takes === 'topic' && saysIn(so.text, indexes, 'user')) return 0;
  if (value === '' || !fits(so, at, length) || (takes === 'message' && isNoText({ ...so, indexes, whole })))
    return 0;
  fill(so, arg, [value], at, length);
  if (takes !== 'word') explain(so, indexes, 'text');
  return length;
}

/** A text goes on to the end or to a comma; `whole`: to what says more of the order. */
function textLength(so: Filling, at: number, whole?: 'all'): number {
  const own = ownTail(so.text, so.tool, indexAt(so, at), (so.span.at(-1) ?? 0) + 1);
  const isComma = (index: number, place: number): boolean => place > at && lowAt(so.text, index) === ',';
  const end = so.span.findIndex((index, place) => index >= own || (!whole && isComma(index, place)));
  return (end < 0 ? so.span.length : end) - at;
}
