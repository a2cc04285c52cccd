import type { Manifest } from '../../../core/manifest.ts';
import type { Phrase } from '../words/lexicon.ts';
import { is, isAny, lowAt, once, range, saysIn, spanKey, type Text } from '../words/text.ts';
import {
  continues,
  dropCue,
  dropNegation,
  endsAt,
  explain,
  type Filling,
  type Frame,
  fill,
  fits,
  frameOf,
  indexAt,
  isAllOf,
  startFilling,
  targetOf,
  wordAt,
} from './frame.ts';
import { pointsAt, starts, takeThing } from './slots.ts';
import { takeSpoken, takeTold } from './spoken.ts';
import { argsThatTake, queryTakes } from './takes.ts';

/** Things and phrases that begin here, the longest first: what stands for a slot, then what it means for the tool. */
function takeHeard(so: Filling, at: number): number {
  const { things = [], phrases = [] } = so.text.words[indexAt(so, at)] ?? {};
  for (let length = Math.max(things[0]?.length ?? 0, phrases[0]?.length ?? 0); length >= 1; length -= 1) {
    if (!fits(so, at, length)) continue;
    const here = things.filter((thing) => thing.length === length);
    const phrase = phrases.find((one) => one.length === length);
    const took = takeThing(so, at, here, phrase);
    if (took > 0) return took;
    if (phrase === undefined) continue;
    const indexes = so.span.slice(at, at + length);
    const said = isAny(phrase, so.tool.name)
      ? takePhrase(so, at, phrase, indexes)
      : takeCommon(so, phrase, indexes);
    if (said > 0) return said;
    // "goes back to To Do": a name that another tool knows is no pair of words that say nothing.
    const isName =
      length > 1 && isAny(phrase, 'value') && /^\p{Lu}/u.test(so.text.words[indexes[0] ?? -1]?.raw ?? '');
    if (isName) {
      so.left.push(...indexes);
      return length;
    }
  }
  return 0;
}

/** A phrase of the tool: a value, its verb or noun, a cue. */
function takePhrase(so: Filling, at: number, phrase: Phrase, indexes: readonly number[]): number {
  const { length, senses } = phrase;
  const { name, effect } = so.tool;
  const own = senses.filter(({ of }) => of === name);
  const argsOf = (role: string): string[] =>
    own.filter((one) => one.role === role).map(({ arg = '' }) => arg);
  const [verb, noun] = [own.some(({ role }) => role === 'verb'), own.some(({ role }) => role === 'noun')];
  so.verb ||= verb;
  so.noun ||= noun;
  // Words of a topic call for the tool as its nouns do, and stay in what is looked for.
  const isTopic = (arg: string): boolean => so.takes.get(arg) === 'topic';
  // "current open incidents" says the same twice.
  const isOpen = (arg: string, value = ''): boolean => {
    const before = so.slots.get(targetOf(so, arg));
    return before === undefined || before.includes(value) || continues(so, arg) || isAllOf(so, arg);
  };
  so.noun ||= own.some(({ role, arg = '' }) => role === 'value' && isTopic(arg));
  const [cues, after] = [argsOf('cue'), argsOf('after')];
  const next = (indexes.at(-1) ?? 0) + 1;
  // "open a P2" is no state. "triggered today" says when, "triggered incidents" in which state.
  const isNoState =
    (effect === 'read' && isAny(phrase, 'verb write') && is(so.text, next, 'articles')) ||
    (cues.some((arg) => so.takes.get(arg) === 'time') && is(so.text, next, 'time'));
  const said = own.filter(
    ({ role, arg = '', value }) =>
      role === 'value' && isOpen(arg, value) && !isTopic(arg) && !(isNoState && arg === 'status'),
  );
  for (const { arg = '', value = '' } of said) fill(so, arg, [value], at, length);
  if (said.length > 0) return length;
  const isKnown = verb || noun || own.some(({ role }) => role === 'also');
  if (isKnown) explain(so, indexes, 'word');
  if (cues.length > 0) {
    dropCue(so);
    so.cue = { args: cues, at: verb || noun ? [] : indexes, weak: false };
    return length;
  }
  if (verb) so.cue = { args: [...so.takes.keys()], at: [], weak: true };
  // "on-call checkout": the name may stand behind the word as well, where nothing follows.
  else if (after.length > 0 && effect === 'read' && endsAt(so, at + length + 1))
    so.cue = { args: after.slice(0, 1), at: [], weak: false };
  return isKnown ? length : takeCommon(so, phrase, indexes);
}

/** Words that mean the same for every tool: negations, what joins values, what carries nothing here. */
function takeCommon(so: Filling, phrase: Phrase, indexes: readonly number[]): number {
  const [first = -1] = indexes;
  const write = so.tool.effect === 'write';
  // "neither PAY-3 nor PAY-4" is denied once.
  const goesOn = so.last !== null && isAny(phrase, 'or');
  if ((isAny(phrase, 'negation', 'compare !=') && !goesOn) || leavesOut(so, first)) {
    dropNegation(so);
    dropCue(so);
    so.negation = first;
  } else if (isAny(phrase, 'and', 'or')) {
    so.joined = so.last === null ? null : { at: first, or: isAny(phrase, 'or') };
    if (isAny(phrase, 'or')) so.left.push(...indexes);
  } else if (isAny(phrase, 'grouping', 'always') || (!write && isAny(phrase, 'becoming')))
    so.left.push(...indexes);
  else if (isAny(phrase, 'gather') && (!write || isAny(phrase, 'gather either') || isSeveral(so)))
    explain(so, indexes, 'word');
  else if (write && pointsAt(so, phrase, first)) {
    explain(so, [...indexes, ...(so.cue?.at ?? [])], 'word');
    so.cue = null;
  } else if (!write && isAny(phrase, 'pronoun incident')) {
    // "was the incident on checkout resolved?": one of those that are looked up, or of none that this tool knows.
    const isOwn = is(so.text, indexes.at(-1) ?? -1, `noun ${so.tool.name}`);
    if (isOwn) so.noun = true;
    else so.left.push(...indexes);
  } else if (!saysNothing(so, phrase, first)) return 0;
  return indexes.length;
}

/** A phrase that carries nothing for the tool. */
const saysNothing = ({ tool, text, span, negation }: Filling, phrase: Phrase, first: number): boolean =>
  isAny(phrase, 'nothing', 'time present', 'but') ||
  // "move PAY-3 to Done first; …"
  (isAny(phrase, 'first') &&
    tool.effect === 'write' &&
    !saysIn(text, range(0, span[0] ?? 0), 'verb write')) ||
  (isAny(phrase, 'time pastTense') && !tool.asked?.present) ||
  (isAny(phrase, 'pronoun') && tool.effect === 'read') ||
  (isAny(phrase, 'anyone') && (negation !== null || is(text, first, 'somebody')));

/** "all WEB but bugs", "everything in OPS but P4": behind the whole of something it leaves out. */
const leavesOut = ({ text, span }: Filling, index: number): boolean =>
  lowAt(text, index) === 'but' && span.some((one) => one < index && is(text, one, 'whole of'));

/** "PAY-3 and PAY-4 both go to Done": of what was named already. */
const isSeveral = ({ slots }: Filling): boolean => slots.values().some(({ length }) => length > 1);

/** Marks join values or carry nothing; any other word is not explained. */
function takeRest(so: Filling, at: number): number {
  const index = indexAt(so, at);
  if (is(so.text, index, 'mark')) {
    if (so.cue?.weak) so.cue = null;
    if (/^[,/+]$/u.test(wordAt(so, at))) so.joined = so.last === null ? null : { at: index, or: false };
    return 1;
  }
  const spoken = takeSpoken(so, at);
  if (spoken > 0) return spoken;
  dropCue(so);
  so.joined = null;
  so.left.push(index);
  return 1;
}

/**
 * "how many were closed in OPS and how many came in?": what is asked once more, of nothing that is named. "show PAY-3 and
 * what its SLA is": a tool that is named behind the "and" only is no answer to what stands before it.
 */
function askedAgain({ tool, text, span, filling }: Filling): readonly number[] {
  if (tool.effect === 'write') return [];
  // "look up E123, search the runbooks for it"
  const isMore = (index: number): boolean =>
    lowAt(text, index) === ',' &&
    [span[0] ?? -1, index + 1].every(
      (at) => is(text, at, 'verb read') && !is(text, at, 'asking', 'speaking'),
    );
  const and = span.findLast((index) => lowAt(text, index) === 'and' || isMore(index));
  if (and === undefined) return [];
  const behind = span.filter((index) => index > and);
  if (!behind.some((index) => is(text, index, `verb ${tool.name}`))) return [];
  const named = span.find((index) => is(text, index, `noun ${tool.name}`)) ?? -1;
  if ((is(text, and + 1, 'wanting') || isMore(and)) && named > and) return [and];
  return behind.some((index) => filling.has(index) || is(text, index, 'pointing')) ? [] : behind;
}

/**
 * A vetted query looks for nothing that it has no parameter for. "errors about timeouts": one that has it is meant; "hotline
 * is melting, count failed orders": the words say something else.
 */
function dropTopics(so: Filling): void {
  const { text, tool, slots, spoken } = so;
  const { catalogue } = text;
  const [named] = slots.get('named') ?? [];
  for (const arg of argsThatTake(tool, 'topic')) {
    if (named === undefined || !slots.has(arg) || queryTakes(catalogue, named, arg)) continue;
    const other = catalogue.queries?.some(
      ({ language, parameters }) => language === tool.queries && Object.hasOwn(parameters, arg),
    );
    const isAsked = is(text, Math.min(...spoken) - 1, `cue ${tool.name} ${arg}`);
    if (other && isAsked) slots.delete('named');
    else {
      slots.delete(arg);
      so.left.push(...spoken);
      for (const index of spoken) so.used.delete(index);
    }
  }
}

function read(so: Filling): Frame {
  for (let at = 0; at < so.span.length; ) at += takeTold(so, at) || takeHeard(so, at) || takeRest(so, at);
  dropTopics(so);
  dropCue(so);
  dropNegation(so);
  so.left.push(...askedAgain(so));
  if (starts.some((arg) => so.slots.has(arg)))
    explain(
      so,
      so.left.filter((index) => is(so.text, index, 'recent')),
      'word',
    );
  return frameOf(so);
}

/** Reads the tokens of a span as one tool. */
export const fillFrame = (text: Text, tool: Manifest, span: readonly number[]): Frame =>
  once(text, `${tool.name} ${spanKey(span)}`, () => read(startFilling(text, tool, span)));
