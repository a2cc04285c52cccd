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
} from '../words/text.ts';
import { type Clause, clauseCost, type Draft } from './clause.ts';
import { conditionsIn } from './conditions.ts';
import { goingOn, ordersIn } from './order-readings.ts';
import { remarks, reports, topics, topicsAt } from './statements.ts';

function readings(text: Text, span: readonly number[]): Draft[] {
  return readsOf(text, span, 'list')
    .slice(0, 3)
    .map((frame) => ({ kind: 'read', frame, left: frame.left, score: worth(frame) - clauseCost }));
}

const acting = ['verb', 'noun', 'also'];
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
    // "no need to notify anyone": a ticket may still change.
    const reaches = (tool: Manifest): boolean => argsThatTake(tool, 'channel', 'user', 'service').length > 0;
    const isUntold = isAll(text, span, 'readonly untold');
    const writes = [...tools.values()]
      .filter((tool) => tool.effect === 'write' && (!isUntold || reaches(tool)))
      .map(({ name }) => name);
    return [{ kind: 'forbid', tools: writes, frame: null, things: [], left: [], score: span.length }];
  }
  const isElse = range((span[0] ?? 0) - 2, span[0] ?? 0).some((index) => is(text, index, 'else'));
  if (isElse && span.every((index) => is(text, index, 'empty', 'nobody')))
    return [{ kind: 'forbid', tools: [], frame: null, things: [], left: [], score: span.length }];
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
    const roles = phrase?.tags.has('verb write') ? ['verb'] : acting;
    if (phrase && index - first <= 4 && !isFound)
      for (const { role, of } of phrase.senses) if (roles.includes(role) && isWrite(of)) named.add(of);
    const isNamed = phrase?.senses.some(({ of }) => named.has(of));
    const isKnown = phrase ?? is(text, index, 'empty', 'channel', 'user', 'service', 'issue', 'incident');
    // "no page, and add a comment": what is ordered behind it is not ruled out.
    const isOrder = phrase?.tags.has(is(text, index - 1, 'mark') ? 'verb' : 'verb write');
    if (!isKnown || (isOrder && !isNamed)) odd.push(index);
    at += phrase?.length ?? 1;
  }
  const things = span.flatMap((index) => topicsAt(text, index));
  // "page checkout (not payments)"
  const isBeside =
    things.length > 0 &&
    lowAt(text, first) !== 'no' &&
    range(0, first).some((index) => is(text, index, 'verb write') && !isAlone(text, index, 'value')) &&
    span.every((index) => is(text, index, 'empty', 'negation', 'thing'));
  if (named.size === 0 && !isBeside) return [];
  const frames = [...named]
    .flatMap((name) => tools.get(name) ?? [])
    .map((tool) => fillFrame(text, tool, span));
  const frame = frames.find(({ verb, filling }) => verb && filling.size > 0) ?? null;
  // "don't page ledger": a name that stands where a target does.
  const left = odd.filter((index) => !(frame?.filling.has(index) && is(text, index, 'unknown')));
  const score = span.length - 3 * left.length - 0.5;
  return [{ kind: 'forbid', tools: [...named], frame, things, left, score }];
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
  drafts.push(
    ...(ponders ? [] : [...ordersIn(text, span), ...goingOn(text, span)]),
    ...readings(text, span),
    ...topics(text, span, to),
  );
  const said = remarks(text, span, { from, to });
  // "we had a deploy at 14:10.": what is told asks for nothing.
  const tells =
    is(text, span[0] ?? from, 'noticing') || (is(text, from, 'teller') && is(text, from + 1, 'saying'));
  if (tells && said.some((one) => one.kind === 'remark' && one.isStated)) return said;
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
  // "list the unassigned P1s or older than 4h": what else is listed narrows nothing.
  if (lead.has('or') && !goesOn && says('minutes')) return -20;
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
