import type { Manifest } from '../../../core/manifest.ts';
import type { Phrase } from '../words/lexicon.ts';
import { is, isAny, lowAt, once, spanKey, type Text } from '../words/text.ts';
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

/** Things and phrases that begin here, the longest first: what stands for a slot, then what it means for the tool. */
function takeHeard(so: Filling, at: number): number {
  const { things = [], phrases = [] } = so.text.words[indexAt(so, at)] ?? {};
  for (let length = Math.max(things[0]?.length ?? 0, phrases[0]?.length ?? 0); length >= 1; length -= 1) {
    if (!fits(so, at, length)) continue;
    const here = things.filter((thing) => thing.length === length);
    const phrase = phrases.find((one) => one.length === length);
    const took = takeThing(so, at, here, phrase) || (phrase ? takePhrase(so, at, phrase) : 0);
    if (took > 0) return took;
  }
  return 0;
}

/** A phrase of the tool: a value, its verb or noun, a cue. */
function takePhrase(so: Filling, at: number, phrase: Phrase): number {
  const { length, senses } = phrase;
  const { name, effect } = so.tool;
  const indexes = so.span.slice(at, at + length);
  const own = senses.filter(({ of }) => of === name);
  const argsOf = (role: string): string[] =>
    own.filter((one) => one.role === role).map(({ arg = '' }) => arg);
  const [verb, noun] = [own.some(({ role }) => role === 'verb'), own.some(({ role }) => role === 'noun')];
  so.verb ||= verb;
  so.noun ||= noun;
  // Words of a topic call for the tool as its nouns do, and stay in what is looked for.
  const isTopic = (arg: string): boolean => so.takes.get(arg) === 'topic';
  const isOpen = (arg: string): boolean =>
    !so.slots.has(targetOf(so, arg)) || continues(so, arg) || isAllOf(so, arg);
  so.noun ||= own.some(({ role, arg = '' }) => role === 'value' && isTopic(arg));
  // "open a P2" is no state.
  const isOrder =
    effect === 'read' && isAny(phrase, 'verb write') && is(so.text, (indexes.at(-1) ?? 0) + 1, 'articles');
  // "triggered today" says when, "triggered incidents" in which state.
  const isWhen =
    argsOf('cue').some((arg) => so.takes.get(arg) === 'time') &&
    is(so.text, (indexes.at(-1) ?? 0) + 1, 'time');
  const said = own.filter(
    ({ role, arg = '' }) =>
      role === 'value' && isOpen(arg) && !isTopic(arg) && !((isOrder || isWhen) && arg === 'status'),
  );
  for (const { arg = '', value = '' } of said) fill(so, arg, [value], at, length);
  if (said.length > 0) return length;
  const isKnown = verb || noun || own.some(({ role }) => role === 'also');
  if (isKnown) explain(so, indexes, 'word');
  const [cues, after] = [argsOf('cue'), argsOf('after')];
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
  const plays = (...tags: readonly string[]): boolean => isAny(phrase, ...tags);
  const [first = -1] = indexes;
  const write = so.tool.effect === 'write';
  const isEmpty =
    plays('nothing', 'time present', 'but') ||
    (plays('time pastTense') && !so.tool.asked?.present) ||
    (plays('pronoun') && !write) ||
    (plays('anyone') && (so.negation !== null || is(so.text, first, 'somebody')));
  // "all WEB but bugs", "everything in OPS but P4": behind the whole of something it leaves out.
  const leavesOut =
    lowAt(so.text, first) === 'but' &&
    !is(so.text, first + 1, 'only', 'negation') &&
    so.span.some((index) => index < first && is(so.text, index, 'whole of'));
  // "neither PAY-3 nor PAY-4" is denied once.
  const goesOn = plays('or') && so.last !== null;
  if (leavesOut || (plays('negation', 'compare !=') && !goesOn)) {
    dropNegation(so);
    dropCue(so);
    so.negation = first;
  } else if (plays('and', 'or')) {
    so.joined = so.last === null ? null : { at: first, or: plays('or') };
    if (plays('or')) so.left.push(...indexes);
  } else if (plays('grouping', 'always') || (plays('gather') && isEveryOne(so, indexes)))
    so.left.push(...indexes);
  else if (plays('gather') && (!write || plays('gather either') || isSeveral(so)))
    explain(so, indexes, 'word');
  else if (write && pointsAt(so, phrase)) {
    explain(so, [...indexes, ...(so.cue?.at ?? [])], 'word');
    so.cue = null;
  } else if (!isEmpty) return 0;
  return indexes.length;
}

/** "PAY-3 and PAY-4 both go to Done": of what was named already. */
const isSeveral = ({ slots }: Filling): boolean => slots.values().some(({ length }) => length > 1);

/** "every project": not the one that is usually meant where none is named. */
const isEveryOne = ({ text, takes }: Filling, indexes: readonly number[]): boolean =>
  takes.has('project') && /^projects?$/u.test(lowAt(text, (indexes.at(-1) ?? -1) + 1));

/** Marks join values or carry nothing; any other word is not explained. */
function takeRest(so: Filling, at: number): number {
  const index = indexAt(so, at);
  if (is(so.text, index, 'mark')) {
    if (so.cue?.weak) so.cue = null;
    if (/^[,/+]$/u.test(wordAt(so, at)) && !so.joined?.mends)
      so.joined = so.last === null ? null : { at: index, or: false };
    return 1;
  }
  const spoken = takeSpoken(so, at);
  if (spoken > 0) return spoken;
  dropCue(so);
  so.joined = null;
  so.left.push(index);
  return 1;
}

/** "on PAY-4, sorry, PAY-5": the value that stands behind it is meant. */
function takeMend(so: Filling, at: number): number {
  const isNo = wordAt(so, at) === 'no';
  const length = isNo && !is(so.text, indexAt(so, at + 1), 'mark') ? 2 : 1;
  const index = indexAt(so, at + length - 1);
  const next = so.span.find((one) => one > index && !is(so.text, one, 'mark')) ?? -1;
  // "page ops, actually is payments on call" puts nothing right.
  const mends = is(so.text, index, 'mends') || (isNo && length === 1);
  if (so.last === null || !mends || !is(so.text, next, 'thing', 'number')) return 0;
  so.joined = { at: index, or: false, mends: true };
  return length;
}

function read(so: Filling): Frame {
  for (let at = 0; at < so.span.length; )
    at += takeTold(so, at) || takeMend(so, at) || takeHeard(so, at) || takeRest(so, at);
  dropCue(so);
  dropNegation(so);
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
