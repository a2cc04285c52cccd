import type { Phrase } from '../words/lexicon.ts';
import { is, isAny, saysIn, type Text } from '../words/text.ts';
import { ordersMore, telling } from './edges.ts';
import { endsAt, type Filling, fits, free, indexAt, wordAt } from './frame.ts';
import { argsThatTake, type Takes } from './takes.ts';

/** How far the words of a topic go: what a search looks for. */

/** They go on over several words. */
const runs = new Set<Takes>(['topic', 'phrase']);

/** Words from here on that may be one topic: up to a mark, a thing that has its own slot, or a word of the tool. */
export function topicLength(so: Filling, at: number, takes: Takes): number {
  let solid = at;
  for (let end = at; fits(so, at, end - at + 1) && !endsTopic(so, at, end); end += 1) {
    const phrase = phraseHere(so, end);
    const named = takes === 'phrase' && /^\p{Lu}/u.test(so.text.words[indexAt(so, end)]?.raw ?? '');
    const isEmpty =
      phrase !== undefined &&
      isAny(phrase, 'nothing', 'and', 'time pastTense') &&
      phrase.senses.every(
        ({ role, of }) =>
          ['nothing', 'cue', 'versus', 'time', 'compare'].includes(role) ||
          of === 'and' ||
          (role === 'verb' && of !== so.tool.name),
      );
    if (!isEmpty || named) solid = end + 1;
  }
  return solid - at;
}

const phraseHere = (so: Filling, at: number): Phrase | undefined =>
  so.text.words[indexAt(so, at)]?.phrases.find(({ length }) => fits(so, at, length));

function endsTopic(so: Filling, at: number, end: number): boolean {
  const { text, tool, takes } = so;
  const index = indexAt(so, end);
  const phrase = phraseHere(so, end);
  const says = (...tags: readonly string[]): boolean => phrase !== undefined && isAny(phrase, ...tags);
  // What a monitor wrote may be searched for in runbooks, and stands in no log as it is.
  const takesQuery = [...takes.values()].includes('query');
  if (saysIn(text, end > at || takesQuery ? [index, indexAt(so, end - 1)] : [], 'pasted')) return true;
  // "db-7" and "I am new - where is …": a dash that stands apart ends a topic.
  const [before, here, next] = [text.words[index - 1], text.words[index], text.words[index + 1]];
  const isApart = here?.start !== before?.end && here?.end !== next?.start;
  if (is(text, index, 'mark')) return isApart || !/^[-–&%/]$/u.test(wordAt(so, end));
  // "orders without a shipment" is one topic; "without paging anyone" is none.
  const lacking = end > at && is(text, index, 'without') && !is(text, index + 1, ...telling);
  const stops = says('condition', 'compare', 'compareAfter', 'exists', 'negation');
  // "fail over redis": no bound follows.
  const isName = is(text, index + (phrase?.length ?? 1), 'unknown', 'noun read');
  const isPlain = end > at && says('compare') && isName;
  if (stops && !says('and') && !lacking && !isPlain) return true;
  // "too many errors", "errors are high": a bound that nobody can check is no part of what to look for.
  const isVague = text.words[index]?.phrases.some(
    (one) => one.tags.has('vague') && (one.length > 1 || is(text, index, 'tooMuch') || endsAt(so, end + 1)),
  );
  // "… about deadlocks do we have"; "… and send it to #ops": another order.
  if (end > at && (says('nothing of a topic') || ordersMore(text, index + 1) || asksMore(text, index)))
    return true;
  // "runbook for search, we're about to demo": what somebody says of themselves is no topic.
  if (is(text, index, 'contracted', 'of oneself')) return true;
  if (isVague || is(text, index, 'channel') || (end > at && is(text, index, 'begins time'))) return true;
  // "summarize the logs": what is made of results is an order.
  const isMade = phrase?.senses.some(({ role, of }) => {
    const made = text.lexicon.tools.get(of);
    return role === 'verb' && made !== undefined && argsThatTake(made, 'results').length > 0;
  });
  if ((index === indexAt(so, 0) || is(text, index - 1, 'and', 'then', 'mark')) && isMade) return true;
  // "about login nobody is assigned to"
  const isValue = says(`value ${tool.name}`) && (phrase?.length ?? 0) > 2;
  if (end > at && (isValue || hasPlace(so, index) || leadsOn(so, end, phrase))) return true;
  // Where a query can be given, nouns may be what it is about; behind "in" and "from" they name the system.
  // "splunk and azure logs for timeouts": another system is nothing to look for.
  const isJoined = [index - 1, index + 1].some((at) => is(text, at, 'and', 'or'));
  if (takesQuery && isJoined && namesOther(so, index)) return true;
  if (takesQuery && is(text, index - 1, 'system')) return says('noun read');
  return says(`noun ${tool.name}`) && !takesQuery;
}

/** The name of another tool that queries can be given to, and no name of this one. */
function namesOther({ text, tool }: Filling, index: number): boolean {
  const nouns = text.words[index]?.phrases.flatMap(({ senses }) =>
    senses.filter(({ role }) => role === 'noun'),
  );
  const named = new Set(nouns?.map(({ of }) => text.lexicon.tools.get(of)));
  return (
    named.size === 1 &&
    [...named].every((one) => one && one !== tool && argsThatTake(one, 'query').length > 0)
  );
}

/** "…, and find the runbook": another look-up. */
const asksMore = (text: Text, index: number): boolean =>
  is(text, index, 'and') &&
  (text.words[index + 1]?.phrases.some(
    (phrase) => isAny(phrase, 'verb read') && is(text, index + 1 + phrase.length, 'articles'),
  ) ??
    false);

/** A thing with a slot of its own in this tool. */
const hasPlace = (so: Filling, index: number): boolean =>
  so.text.words[index]?.things.some(
    ({ kind }) => !['unknown', 'number', 'quote'].includes(kind) && free(so, kind).length > 0,
  ) ?? false;

/** A word that asks for another argument, with a value for it right behind. */
function leadsOn(so: Filling, at: number, phrase: Phrase | undefined): boolean {
  let next = at + (phrase?.length ?? 1);
  while (is(so.text, indexAt(so, next), 'beforeTime')) next += 1;
  const index = indexAt(so, next);
  const isLastName = endsAt(so, next + 1) && is(so.text, index, 'unknown');
  return (
    phrase?.senses.some(({ role, of, arg = '' }) => {
      const takes = so.takes.get(arg);
      const isOpen = role === 'cue' && of === so.tool.name && takes !== undefined && !so.slots.has(arg);
      // "… with label legacy", unlike a preposition, asks for any word.
      const isWord = takes === 'word' && index >= 0 && !isAny(phrase, 'nothing');
      const isName = takes === 'service' && isLastName;
      return isOpen && !runs.has(takes) && (is(so.text, index, takes) || isWord || isName);
    }) ?? false
  );
}
