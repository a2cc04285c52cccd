import { type Clause, clauseCost, type Draft } from './clause.ts';
import { conditionsIn } from './conditions.ts';
import type { Entity, EntityKind } from './entity.ts';
import type { Text } from './frame.ts';
import { fillFrame } from './frames.ts';
import {
  carriesNothing,
  isA,
  isAll,
  isEmpty,
  isMark,
  isOneOf,
  isThing,
  leadOf,
  lowAt,
  means,
  orders,
  phraseIn,
  plays,
  range,
  wordsOf,
} from './heard.ts';
import type { Place } from './memory.ts';
import { ordersIn } from './order-readings.ts';
import { readsOf, worth } from './reads.ts';
import type { Phrase, Sense } from './sense.ts';

const topical = new Set<EntityKind>(['issue', 'incident', 'service', 'project']);

/** "incident 51877 is over, …", "PAY-3: …": what the orders behind it are about. */
function topics(text: Text, span: readonly number[], to: number): Draft[] {
  const thing = (index: number): Entity | undefined =>
    text.entities[index]?.find(({ kind }) => topical.has(kind));
  const at = span.find((index) => thing(index) !== undefined);
  if (to === text.tokens.length || at === undefined || !isOneOf(text, to - 1, 'topicEnds')) return [];
  const entity = thing(at) as Entity;
  const [before, after] = [
    span.filter((index) => index < at),
    span.filter((index) => index >= at + entity.length),
  ];
  const named = (index: number): boolean => carriesNothing(text, index) || plays(text, index, 'noun', 'also');
  const bound = (index: number): boolean =>
    isThing(text, index) ||
    orders(text, index) ||
    plays(text, index, 'negation', 'vague', 'compare', 'exists', 'condition');
  const words = after.every(named) ? '' : wordsOf(text, after);
  const known =
    words === '' ? entity.kind !== 'service' : entity.kind === 'incident' || entity.kind === 'issue';
  if (!before.every((index) => named(index) && !orders(text, index)) || !known || after.some(bound))
    return [];
  const things = text.entities[at]?.filter(({ kind }) => topical.has(kind)) ?? [];
  return [{ kind: 'topic', things, words, left: [], score: before.length - 0.2 * after.length }];
}

function readings(text: Text, span: readonly number[]): Draft[] {
  return readsOf(text, span, 'list')
    .slice(0, 3)
    .map((frame) => ({ kind: 'read', frame, left: frame.left, score: worth(frame) - clauseCost }));
}

const acting = new Set<Sense['role']>(['verb', 'noun', 'also']);
const ruling = new Set<Sense['role']>([
  ...[...acting, ...(['negation', 'anyone', 'pronoun', 'condition', 'result'] as const)],
]);

/** Names something that can be looked up: "incident", "open". */
const isFound = ({ lexicon }: Text, { senses }: Phrase): boolean =>
  senses.some(
    ({ role, of }) => (role === 'noun' || role === 'value') && lexicon.tools.get(of)?.effect === 'read',
  );

/** "don't page anyone", "no notifications", "page nobody": tools that are ruled out. */
function forbids(text: Text, span: readonly number[]): Draft[] {
  const writes = [...text.lexicon.tools.values()].flatMap(({ effect, name }) =>
    effect === 'write' ? [name] : [],
  );
  if (isAll(text, span, 'readonly'))
    return [{ kind: 'forbid', tools: writes, frame: null, things: [], left: [], score: span.length }];
  const first = span.find((index) => !carriesNothing(text, index)) ?? -1;
  const denied = span.find((index) => means(text, index, ({ role }) => role === 'negation')) ?? -9;
  const nobody = denied - first === 1 && isOneOf(text, denied, 'nobody');
  if (denied !== first && !nobody) return [];
  const [left, tools] = [[] as number[], new Set<string>()];
  for (let at = 0; at < span.length; ) {
    const index = span[at] as number;
    const phrase = phraseIn(text, span, at, ({ role }) => ruling.has(role));
    // "no open incident" is looked up; what is ruled out is an act.
    if (phrase && index - first <= 4 && !isFound(text, phrase))
      for (const { role, of } of phrase.senses) if (acting.has(role) && writes.includes(of)) tools.add(of);
    if (
      !phrase &&
      !carriesNothing(text, index) &&
      !isA(text, index, 'channel', 'user', 'service', 'issue', 'incident')
    )
      left.push(index);
    at += phrase?.length ?? 1;
  }
  if (tools.size === 0) return [];
  const frames = [...tools]
    .flatMap((name) => text.lexicon.tools.get(name) ?? [])
    .map((tool) => fillFrame(text, tool, span));
  const frame = frames.find(({ verb, filling }) => verb && filling.size > 0) ?? null;
  const things = span.flatMap((index) => text.entities[index] ?? []).filter(({ kind }) => topical.has(kind));
  return [
    { kind: 'forbid', tools: [...tools], frame, things, left, score: span.length - 3 * left.length - 0.5 },
  ];
}

/** Words that are no order and no look-up may say what it is about: "page ops, checkout is down". */
function remarks(text: Text, span: readonly number[], to: number): Draft[] {
  const plain =
    span.length > 1 && !plays(text, span[0] as number, 'negation', 'vague') && lowAt(text, to - 1) !== '?';
  const order = span.some((index) => orders(text, index) && index <= (span[0] ?? 0) + 1);
  if (!plain || order || !span.some((index) => isA(text, index, 'unknown'))) return [];
  return [{ kind: 'remark', words: wordsOf(text, span), left: [], score: -0.5 - 0.2 * span.length }];
}

function draftsFor(text: Text, span: readonly number[], asked: boolean, { from, to }: Place): Draft[] {
  const drafts = [...forbids(text, span), ...conditionsIn(text, span, asked)];
  if (asked) return drafts;
  // "should we page ops?" wants to know; nothing is ordered.
  const sentence = range(0, from).findLast((index) => isOneOf(text, index, 'question ends')) ?? -1;
  const first = range(from, to).find((index) => !isMark(text, index)) ?? from;
  const ponders =
    isOneOf(text, first, 'asks whether') ||
    range(sentence + 1, to).some((index) => means(text, index, ({ role }) => role === 'pondering'));
  drafts.push(...(ponders ? [] : ordersIn(text, span)), ...readings(text, span), ...topics(text, span, to));
  return drafts.every(({ left }) => left.length > 0) ? [...drafts, ...remarks(text, span, to)] : drafts;
}

/** A condition without "if" is one where it is asked or leads on; at the end of a request it decides nothing. */
function fitting(draft: Draft, text: Text, { from, to, lead }: Pick<Clause, 'from' | 'to' | 'lead'>): number {
  if (draft.kind === 'read' && plays(text, from, 'exists') && isOneOf(text, to - 1, 'leadsTo')) return -2;
  if (draft.kind !== 'condition' || lead.has('if') || lead.has('unless')) return 0;
  const says = (...kinds: readonly string[]): boolean =>
    draft.tests.every(({ kind }) => kinds.includes(kind));
  if (says('versus')) return 0;
  if (isOneOf(text, from, 'wanting') && draft.subject !== null) return -3;
  const last = to === text.tokens.length;
  if (lowAt(text, to - 1) === '?' && !last) return 1;
  // "KYC-61 is finished, …" states something; a state is asked, or leads on with a mark.
  if (draft.subject !== null && says('state') && !isOneOf(text, to - 1, 'leadsTo')) return -3;
  if (!last || ['and', 'but', 'or'].some((one) => lead.has(one))) return 0;
  if (says('exists')) return -3;
  const asks = range(from, from + 4).some((index) => isOneOf(text, index, 'asking'));
  return asks || lowAt(text, to - 1) === '?' ? -1.5 : -20;
}

/** The readings of the words between two boundaries, each with what it leaves unexplained. */
export function clausesOf(text: Text, from: number, to: number): Clause[] {
  const { lead, start } = leadOf(text, from, to);
  let end = to;
  while (end > start && isMark(text, end - 1) && lowAt(text, end - 1) !== '+') end -= 1;
  const span = range(start, end);
  const common = { lead, from, to };
  const asked = lead.has('if') || lead.has('unless');
  if (isEmpty(text, span)) {
    const mark = lead.has('so') ? 'so' : lead.has('else') ? 'else' : null;
    return [
      mark === null
        ? { kind: 'empty', ...common, left: [], score: asked ? -6 : 0 }
        : { kind: 'mark', mark, ...common, left: [], score: start - from },
    ];
  }
  return draftsFor(text, span, asked, common).map((draft) => ({
    ...draft,
    ...common,
    score: draft.score + Math.min(start - from, 1) + fitting(draft, text, common),
  }));
}
