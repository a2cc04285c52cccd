import type { Manifest } from '../../../core/manifest.ts';
import { changesIn, isTail } from '../change/readings.ts';
import { fillFrame } from '../frames/frames.ts';
import { readsOf, worth } from '../frames/reads.ts';
import { argsThatTake } from '../frames/takes.ts';
import { isTold, toldIn } from '../frames/told.ts';
import type { Place } from '../steps/memory.ts';
import {
  is,
  isAll,
  isAlone,
  isBound,
  isEmpty,
  leadOf,
  lowAt,
  phraseIn,
  range,
  type Text,
  wordsOf,
} from '../words/text.ts';
import type { Thing, ThingKind } from '../words/thing.ts';
import { type Clause, clauseCost, type Draft } from './clause.ts';
import { conditionsIn } from './conditions.ts';
import { ordersIn } from './order-readings.ts';

const topical = new Set<ThingKind>(['issue', 'incident', 'service', 'project']);

const topicsAt = ({ words }: Text, index: number): Thing[] =>
  words[index]?.things.filter(({ kind }) => topical.has(kind)) ?? [];

/** "incident 51877 is over, …", "PAY-3: …": what the orders behind it are about. */
function topics(text: Text, span: readonly number[], to: number): Draft[] {
  const at = span.find((index) => topicsAt(text, index).length > 0);
  if (to === text.words.length || at === undefined || !is(text, to - 1, 'topicEnds')) return [];
  const things = topicsAt(text, at);
  const [{ kind, length } = { kind: 'unknown', length: 1 }] = things;
  const before = span.filter((index) => index < at);
  const after = span.filter((index) => index >= at + length);
  const named = (index: number): boolean => is(text, index, 'empty') || isAlone(text, index, 'noun', 'also');
  const bound = (index: number): boolean =>
    is(text, index, 'thing', 'verb write') ||
    isAlone(text, index, 'negation', 'vague', 'compare', 'exists', 'condition');
  const words = after.every(named) ? '' : wordsOf(text, after);
  const known = words === '' ? kind !== 'service' : kind === 'incident' || kind === 'issue';
  if (!before.every((index) => named(index) && !is(text, index, 'verb write'))) return [];
  if (!known || after.some(bound)) return [];
  return [{ kind: 'topic', things, words, left: [], score: before.length - 0.2 * after.length }];
}

function readings(text: Text, span: readonly number[]): Draft[] {
  return readsOf(text, span, 'list')
    .slice(0, 3)
    .map((frame) => ({ kind: 'read', frame, left: frame.left, score: worth(frame) - clauseCost }));
}

const acting = ['verb', 'noun', 'also'];
const acts = ['verb write', 'also write'];
const ruling = [...acting, 'negation', 'anyone', 'pronoun', 'condition', 'result'];

/** "leave 40773 for the next shift", "leave the status as it is": nothing is to be done with it. */
function leaves(text: Text, span: readonly number[], first: number): Draft | null {
  const says = (index: number): boolean =>
    /^[#@]/u.test(text.words[index]?.raw ?? '') ||
    is(text, index, 'quote') ||
    (index > first && is(text, index, 'verb write') && !isAlone(text, index, 'value'));
  if (span.some(says)) return null;
  const things = span.flatMap((index) => topicsAt(text, index));
  // "resolve 30917 and leave it unresolved": nothing at all is done to what is pointed at.
  const points = is(text, first + 1, 'pronoun thing', 'pronoun issue', 'pronoun incident');
  const isHeld = (tool: Manifest): boolean =>
    points ? argsThatTake(tool, 'issue', 'incident').length > 0 : tool.asked?.role === 'move';
  const writes = [...text.lexicon.tools.values()].filter(({ effect }) => effect === 'write');
  const tools = things.length > 0 ? [] : writes.filter(isHeld).map(({ name }) => name);
  return { kind: 'forbid', tools, frame: null, things, left: [], score: span.length - 0.5 };
}

/** "don't page anyone", "no notifications", "page nobody": tools that are ruled out. */
function forbids(text: Text, span: readonly number[]): Draft[] {
  const { tools } = text.lexicon;
  const isWrite = (name: string): boolean => tools.get(name)?.effect === 'write';
  if (isAll(text, span, 'readonly')) {
    const writes = [...tools.keys()].filter(isWrite);
    return [{ kind: 'forbid', tools: writes, frame: null, things: [], left: [], score: span.length }];
  }
  const first = span.find((index) => !is(text, index, 'empty') || is(text, index, 'negation')) ?? -1;
  if (is(text, first, 'leaving')) {
    const spared = leaves(text, span, first);
    if (spared !== null) return [spared];
  }
  const denied = span.find((index) => is(text, index, 'negation')) ?? -9;
  if (denied !== first && !(denied - first === 1 && is(text, denied, 'nobody'))) return [];
  // "if there are none tell #ops": nothing is ruled out.
  const isNone =
    isAlone(text, denied, 'exists none') && !isAlone(text, denied, 'anyone') && lowAt(text, denied) !== 'no';
  const isImperative = is(text, denied + 1, 'verb write') && !/s$|^be$/u.test(lowAt(text, denied + 1));
  if (isNone && isImperative) return [];
  const [odd, named] = [[] as number[], new Set<string>()];
  for (let at = 0; at < span.length; ) {
    const index = span[at] as number;
    const phrase = phraseIn(text, span, at, ...ruling);
    // "no open incident" is looked up; what is ruled out is an act.
    const isFound = phrase?.tags.has('noun read') || phrase?.tags.has('value read');
    // "no paging, just tell #ops …": what is to be done instead. "not acked, page ops": nothing was ruled out before.
    const isInstead =
      is(text, index - 1, 'only', ...(index > first && named.size === 0 ? ['mark'] : [])) &&
      phrase?.tags.has('verb write');
    if (isInstead) return [];
    if (phrase && index - first <= 4 && !isFound)
      for (const { role, of } of phrase.senses) if (acting.includes(role) && isWrite(of)) named.add(of);
    const isNamed = phrase?.senses.some(({ of }) => named.has(of));
    const isKnown = phrase ?? is(text, index, 'empty', 'channel', 'user', 'service', 'issue', 'incident');
    // "no page, and add a comment": what is ordered behind it is not ruled out.
    const isOrder = phrase?.tags.has(is(text, index - 1, 'mark') ? 'verb' : 'verb write');
    if (!isKnown || (isOrder && !isNamed)) odd.push(index);
    at += phrase?.length ?? 1;
  }
  if (named.size === 0) return [];
  const frames = [...named]
    .flatMap((name) => tools.get(name) ?? [])
    .map((tool) => fillFrame(text, tool, span));
  const frame = frames.find(({ verb, filling }) => verb && filling.size > 0) ?? null;
  // "don't page ledger": a name that stands where a target does.
  const left = odd.filter((index) => !(frame?.filling.has(index) && is(text, index, 'unknown')));
  const things = span.flatMap((index) => topicsAt(text, index));
  const score = span.length - 3 * left.length - 0.5;
  return [{ kind: 'forbid', tools: [...named], frame, things, left, score }];
}

/** Where one of these is said, something is asked for, or depends on it. */
const asksFor = ['channel', 'severity', 'quote', 'if', 'unless', 'regardless', 'else', 'so'];

/** What a sentence is about that asks for nothing, and whether it says how that is. */
interface Stated {
  readonly things: readonly Thing[];
  readonly isSaid: boolean;
}

/** "refunds failing again", "customers cannot log in": what is said of the words before it. */
const isSaying = (text: Text, index: number): boolean =>
  is(text, index, 'saying') ||
  (/^[a-z]{3,}(?:ed|ing)$/u.test(lowAt(text, index)) && !is(text, index, 'value', 'noun', 'verb', 'also'));

/** "checkout is slow again. …", "standup in 5. …": words up to the end of a sentence, or of a part of it that says something, that ask for nothing. */
function statedIn(text: Text, span: readonly number[], { from, to }: Place): Stated | null {
  const begin = (range(0, from).findLast((index) => is(text, index, 'sentence ends')) ?? -1) + 1;
  const earlier = range(begin, from).filter((index) => !is(text, index, 'empty'));
  const isOrder = (index: number): boolean =>
    is(text, index, ...acts) &&
    !is(text, index - 1, 'articles') &&
    (index === first || is(text, index - 1, 'mark', 'leading', 'polite'));
  const [first = from, ...rest] = span;
  // "seeing E123, what is it": a code is there to be looked up.
  const isCode = (index: number): boolean => is(text, index, 'code') && !is(text, index, 'issue');
  const asks = (index: number): boolean =>
    is(text, index, ...asksFor) || isBound(text, index) || isCode(index) || isOrder(index);
  if (span.some(asks) || (earlier.length > 0 && statedIn(text, earlier, { from: begin, to: from }) === null))
    return null;
  const verb = is(text, first, 'noticing') ? first : (rest.find((index) => isSaying(text, index)) ?? null);
  const isAsked = is(text, first, 'asking', 'wanting') || (is(text, first, 'verb') && verb !== first + 1);
  if (isAsked && verb !== first) return null;
  const ends = verb === null ? ['sentence ends'] : ['topicEnds', 'sentence ends'];
  if (!is(text, to - 1, ...ends)) return null;
  // "customers cannot pay" is about no project that is called so.
  const named = span.filter((index) => index < (verb ?? to) || is(text, index - 1, 'cue'));
  const about = named.map((index) => topicsAt(text, index)).filter(({ length }) => length > 0);
  return { things: about.length === 1 && verb !== null ? about.flat() : [], isSaid: verb !== null };
}

/** Words that are no order and no look-up may say what it is about: "page ops, checkout is down". */
function remarks(text: Text, span: readonly number[], { from: begun, to }: Place): Draft[] {
  const [first = -1] = span;
  const pasted = is(text, first, 'pasted') ? text.words[first] : undefined;
  const remark = { kind: 'remark', things: [], isSaid: true, isStated: false, left: [] } as const;
  if (pasted && isEmpty(text, span.slice(1))) return [{ ...remark, words: pasted.raw, score: 0 }];
  const stated = statedIn(text, span, { from: begun, to });
  const plain =
    span.length > 1 &&
    (stated !== null || !isAlone(text, first, 'negation', 'vague')) &&
    lowAt(text, to - 1) !== '?';
  const order = stated === null && span.some((index) => is(text, index, 'verb write') && index <= first + 1);
  // "translate PAY-3 and send it to @ben": what leads to an order without saying anything is one itself.
  const leadsOn = is(text, to, 'and', 'then') && !span.some((index) => is(text, index, 'saying'));
  // "close PAY-9, it was a duplicate"
  const speaks = is(text, begun, 'speaking') && is(text, begun + 1, 'saying');
  const isOdd = span.some((index) => is(text, index, 'unknown'));
  if (!plain || order || leadsOn || !(stated !== null || speaks || isOdd)) return [];
  let from = first;
  while (from > begun && is(text, from - 1, 'articles', 'speaking')) from -= 1;
  const words = wordsOf(text, [from, ...span]);
  const isSaid = stated?.isSaid !== false || isOdd;
  if (stated === null) return [{ ...remark, words, score: -0.5 - 0.2 * span.length }];
  return [{ ...remark, words, ...stated, isSaid, isStated: true, score: -0.5 }];
}

/** "the boss wants ops paged": what somebody else wants is no order. */
function reports(text: Text, span: readonly number[]): Draft[] {
  const at = span.slice(0, 5).find((index) => is(text, index, 'reporting')) ?? -1;
  // "@ana wants the list" says who gets it.
  const isOwn = is(text, at - 1, 'whoever asks', 'channel', 'user');
  const orders = span.some((index) => index > at && is(text, index, ...acts));
  const asks = span.some((index) => index > at && is(text, index, 'verb') && is(text, index - 1, 'mark'));
  if (at < 0 || at === span[0] || isOwn || !orders || asks) return [];
  return [{ kind: 'report', left: [], score: -1 }];
}

/** "should we page ops?", "who approved the last page": nothing is ordered. */
function wantsToKnow(text: Text, from: number, to: number): boolean {
  const sentence = range(0, from).findLast((index) => is(text, index, 'question ends')) ?? -1;
  if (range(sentence + 1, to).some((index) => is(text, index, 'pondering'))) return true;
  const begun =
    range(0, from).findLast((index) => is(text, index, 'mark', 'condition', 'compare', 'until')) ?? -1;
  const starts = is(text, begun, 'if', 'unless') ? [from] : [from, begun + 1];
  return starts.some((start) => {
    const first = range(start, to).find((index) => !is(text, index, 'mark')) ?? start;
    return (
      is(text, first, 'asks whether') ||
      (lowAt(text, first) === 'can' && !is(text, first + 1, 'polite', 'empty'))
    );
  });
}

function draftsFor(text: Text, span: readonly number[], asked: boolean, { from, to }: Place): Draft[] {
  if (text.plan !== null) return changesIn(text, span, asked);
  // What is said to somebody is looked up nowhere.
  if (toldIn(text).some((told) => span.includes(told.from))) return ordersIn(text, span);
  const drafts = conditionsIn(text, span, asked);
  if (asked) return drafts;
  drafts.unshift(...forbids(text, span), ...reports(text, span));
  const ponders = wantsToKnow(text, from, to);
  drafts.push(...(ponders ? [] : ordersIn(text, span)), ...readings(text, span), ...topics(text, span, to));
  const said = remarks(text, span, { from, to });
  if (is(text, span[0] ?? from, 'noticing') && said.some((one) => one.kind === 'remark' && one.isStated))
    return said;
  return drafts.every(({ left }) => left.length > 0) ? [...drafts, ...said] : drafts;
}

/** A condition without "if" is one where it is asked or leads on; at the end of a request it decides nothing. */
function fitting(draft: Draft, text: Text, { from, to, lead }: Pick<Clause, 'from' | 'to' | 'lead'>): number {
  const leadsOn = is(text, to - 1, 'leadsTo');
  if (draft.kind === 'read' && isAlone(text, from, 'exists') && leadsOn) return -2;
  if (
    text.plan !== null ||
    draft.kind !== 'condition' ||
    ['if', 'unless', 'regardless'].some((word) => lead.has(word))
  )
    return 0;
  const says = (what: string): boolean => draft.tests.every(({ kind }) => kind === what);
  if (says('versus')) return 0;
  if (is(text, from, 'wanting') && draft.subject !== null) return -3;
  const last = to === text.words.length;
  if (last && text.watched && isBound(text, from)) return 0;
  const isQuestion = lowAt(text, to - 1) === '?';
  if (isQuestion && !last) return 1;
  // Behind an "if" a condition goes on with "and", "or" or "but".
  const goesOn =
    ['and', 'or', 'but'].some((word) => lead.has(word)) &&
    range(0, from).some((index) => is(text, index, 'if', 'unless'));
  // "KYC-61 is finished, …" states something; a state is asked, or leads on with a mark.
  if (draft.subject !== null && says('state') && !leadsOn && !goesOn) return -3;
  if (!last || goesOn || lead.has('and') || lead.has('or')) return 0;
  if (says('exists')) return -3;
  return isQuestion || range(from, from + 4).some((index) => is(text, index, 'asking')) ? -1.5 : -20;
}

/** The readings of the words between two boundaries, each with what it leaves unexplained. */
export function clausesOf(text: Text, from: number, to: number): Clause[] {
  const { lead, start } = leadOf(text, from, to);
  let end = to;
  while (end > start && is(text, end - 1, 'mark') && lowAt(text, end - 1) !== '+' && !isTold(text, end - 1))
    end -= 1;
  // "post it to #ops instead", "page payments too": in a change no words of a text.
  if (text.plan !== null) end = range(start + 1, end).find((at) => isTail(text, at)) ?? end;
  const span = range(start, end);
  const common = { lead, from, to };
  const asked = ['if', 'unless', 'regardless'].some((word) => lead.has(word));
  if (isEmpty(text, span) && !(text.plan && isAll(text, span, 'value'))) {
    const mark = lead.has('so') ? 'so' : lead.has('else') ? 'else' : null;
    return mark === null
      ? [{ kind: 'empty', ...common, left: [], score: asked ? -6 : 0 }]
      : [{ kind: 'mark', mark, ...common, left: [], score: start - from }];
  }
  const drafts = draftsFor(text, span, asked && !(text.plan && lead.has('ifFirst')), common);
  // What cannot be read at all is asked about beside what can.
  const left = span.filter((index) => !is(text, index, 'empty'));
  if (drafts.length === 0) return [{ kind: 'empty', ...common, left, score: -2 - 2 * left.length }];
  return drafts.map((draft) => ({
    ...draft,
    ...common,
    score: draft.score + Math.min(start - from, 1) + fitting(draft, text, common),
  }));
}
