import type { Manifest } from '../../core/manifest.ts';
import {
  continues,
  dropCue,
  dropNegation,
  endsAt,
  explain,
  type Filling,
  fill,
  fits,
  indexAt,
  type Matcher,
  startFilling,
  targetOf,
  wordAt,
} from './filling.ts';
import type { Frame, Text } from './frame.ts';
import { isMark, isOneOf, spanKey } from './heard.ts';
import type { Phrase, Sense } from './sense.ts';
import { pointsAt, takeThing } from './slots.ts';
import { takeSpoken, takeTold } from './spoken.ts';

/** Things and phrases that begin here, the longest first: what stands for a slot, then what it means for the tool. */
function takeHeard(so: Filling, at: number): number {
  const index = indexAt(so, at);
  const things = (so.text.entities[index] ?? []).filter(({ length }) => fits(so, at, length));
  const phrases = (so.text.phrases[index] ?? []).filter(({ length }) => fits(so, at, length));
  for (let length = Math.max(things[0]?.length ?? 0, phrases[0]?.length ?? 0); length >= 1; length -= 1) {
    const here = things.filter((thing) => thing.length === length);
    const phrase = phrases.find((one) => one.length === length);
    const own = phrase?.senses.filter(({ of }) => of === so.tool.name) ?? [];
    const took = takeThing(so, at, here, own) || (phrase ? takePhrase(so, at, phrase, own) : 0);
    if (took > 0) return took;
  }
  return 0;
}

/** A phrase of the tool: a value, its verb or noun, a cue. */
function takePhrase(so: Filling, at: number, { length, senses }: Phrase, own: readonly Sense[]): number {
  const indexes = so.span.slice(at, at + length);
  const arg = (one: Sense): string => one.arg ?? '';
  const value = own.find(
    (one) => one.role === 'value' && (!so.slots.has(targetOf(so, arg(one))) || continues(so, arg(one))),
  );
  const roles = new Set(own.map(({ role }) => role));
  for (const head of ['verb', 'noun'] as const) if (roles.has(head)) so.heads.add(head);
  if (value) {
    fill(so, arg(value), [value.value ?? ''], at, length);
    return length;
  }
  const after = own.find(({ role }) => role === 'after');
  const head = roles.has('verb') || roles.has('noun');
  const known = head || roles.has('also');
  if (known) explain(so, indexes, 'word');
  const cues = own.filter(({ role }) => role === 'cue').map(arg);
  if (cues.length > 0) {
    dropCue(so);
    so.cue = { args: cues, at: head ? [] : indexes, weak: false };
    return length;
  }
  if (roles.has('verb')) so.cue = { args: [...so.takes.keys()], at: [], weak: true };
  // "on-call checkout": the name may stand behind the word as well, where nothing follows.
  else if (after !== undefined && so.tool.effect === 'read' && endsAt(so, at + length + 1))
    so.cue = { args: [arg(after)], at: [], weak: false };
  return known ? length : takeCommon(so, senses, indexes);
}

/** Words that mean the same for every tool: negations, what joins values, what carries nothing here. */
function takeCommon(so: Filling, senses: readonly Sense[], indexes: readonly number[]): number {
  const { length } = indexes;
  const first = indexes[0] ?? -1;
  const plays = (role: Sense['role'], ...of: readonly string[]): boolean =>
    senses.some((sense) => sense.role === role && (of.length === 0 || of.includes(sense.of)));
  const write = so.tool.effect === 'write';
  if (plays('negation')) {
    dropNegation(so);
    dropCue(so);
    so.negation = first;
    return length;
  }
  if (plays('condition', 'and', 'or')) {
    const or = plays('condition', 'or');
    so.joined = so.last === null ? null : { at: first, or };
    if (or) so.left.push(...indexes);
    return length;
  }
  if (plays('gather') && (!write || plays('gather', 'either'))) {
    explain(so, indexes, 'word');
    return length;
  }
  if (plays('pronoun') && write && pointsAt(so, senses)) {
    explain(so, [...indexes, ...(so.cue?.at ?? [])], 'word');
    so.cue = null;
    return length;
  }
  const empty =
    plays('nothing') ||
    plays('time', 'present') ||
    plays('condition', 'but') ||
    (plays('time', 'pastTense') && !so.tool.asked?.present) ||
    (plays('pronoun') && !write) ||
    (plays('anyone') && (so.negation !== null || isOneOf(so.text, first, 'somebody')));
  return empty ? length : 0;
}

/** Marks join values or carry nothing; any other word is not explained. */
function takeRest(so: Filling, at: number): number {
  const index = indexAt(so, at);
  if (isMark(so.text, index)) {
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

const matchers: readonly Matcher[] = [takeTold, takeHeard, takeRest];

function read(so: Filling): Frame {
  for (let at = 0; at < so.span.length; )
    for (const take of matchers) {
      const taken = take(so, at);
      at += taken;
      if (taken > 0) break;
    }
  dropCue(so);
  dropNegation(so);
  const { tool, slots, strange, either, explained, heads } = so;
  const [filling, spoken] = [new Set<number>(), new Set<number>()];
  for (const [index, how] of explained) {
    if (how !== 'word') filling.add(index);
    if (how === 'text') spoken.add(index);
  }
  return {
    ...{ tool, slots, strange, either, filling, spoken },
    ...{ verb: heads.has('verb'), noun: heads.has('noun'), used: new Set(explained.keys()) },
    left: so.left.filter((index) => !explained.has(index)),
  };
}

/** Reads the tokens of a span as one tool. */
export function fillFrame(text: Text, tool: Manifest, span: readonly number[]): Frame {
  const key = `${tool.name} ${spanKey(span)}`;
  const frame = text.frames.get(key) ?? read(startFilling(text, tool, span));
  text.frames.set(key, frame);
  return frame;
}
