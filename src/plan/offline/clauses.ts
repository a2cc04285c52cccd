import type { Manifest } from '../../core/manifest.ts';
import { carriedBy, makersIn, worthOf } from './carried.ts';
import type { Clause, Draft } from './clause.ts';
import { conditionsIn } from './conditions.ts';
import type { Entity, EntityKind } from './entity.ts';
import type { Frame, Text } from './frame.ts';
import { fillFrame } from './frames.ts';
import {
  asks,
  carriesNothing,
  isA,
  isAll,
  isEmpty,
  isMark,
  isOneOf,
  isRole,
  isThing,
  leadOf,
  lowAt,
  means,
  orders,
  plays,
  range,
  wordsOf,
} from './heard.ts';
import { makesOfResults, readsOf, toolsIn, worth } from './reads.ts';
import { takesOf } from './takes.ts';

/** Each clause has to earn its place: a request is not cut into more orders than it has. */
const clauseCost = 1;

/** Every write that the words may order, each with what it sends. */
function ordersIn(text: Text, span: readonly number[]): Draft[] {
  const verbs = toolsIn(text, span, 'write', 'verb');
  const bare = verbs.length === 0;
  const tools = [...(bare ? headless(text, span) : verbs), ...makersIn(text, span)];
  return tools.flatMap((tool): Draft[] => {
    const frame = fillFrame(text, tool, span);
    if (frame.filling.size === 0 && !frame.verb && !makesOfResults(tool)) return [];
    const { carries, left, cost } = carriedBy(text, frame, span);
    if ((bare && carries.kind === 'said' && frame.spoken.size > 0) || isDenied(text, tool, span)) return [];
    const text_ = carries.kind === 'text' ? span.length - frame.used.size : 0;
    const aimless = frame.filling.size === 0 && !points(text, frame) && carries.kind !== 'result' ? -1.5 : 0;
    const verb = frame.verb ? 0.5 + aimless : makesOfResults(tool) || bare ? -1 : -3;
    const score =
      worth({ ...frame, left }) +
      worthOf(carries) +
      text_ +
      verb +
      lateVerb(text, frame, span, bare) -
      cost -
      clauseCost;
    return [{ kind: 'order', frame, carries, left, score }];
  });
}

/** "ack it", "close the ticket": a verb alone orders nothing. */
const points = (text: Text, { used, noun }: Frame): boolean =>
  noun || [...used].some((index) => plays(text, index, 'pronoun'));

/** "create nothing", "page nobody". */
function isDenied(text: Text, { name }: Manifest, span: readonly number[]): boolean {
  return span.some(
    (index) =>
      /^(?:nothing|nobody|none|no)$/u.test(lowAt(text, index + 1)) &&
      means(text, index, ({ role, of }, length) => length === 1 && role === 'verb' && of === name),
  );
}

/** "open P1s" lists, "open a P1" creates: a verb that is also a state needs an article behind it. */
function isAdjective(text: Text, index: number, frame: Frame): boolean {
  const state =
    lowAt(text, index) === 'new' ||
    means(
      text,
      index,
      ({ role, of }, length) => length === 1 && role === 'value' && isRole(text, of, 'count'),
    );
  if (!state || frame.tool.asked?.role !== 'create') return false;
  const one =
    (frame.slots.has('summary') || lowAt(text, index) === 'new') &&
    /^(?:p[1-5]|sev\S*|bug|task|story|ticket|issue)$/u.test(lowAt(text, index + 1));
  return !one && !/^(?:an?|another|new)$/u.test(lowAt(text, index + 1));
}

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
  if (!before.every(named) || !known || after.some(bound)) return [];
  const things = text.entities[at]?.filter(({ kind }) => topical.has(kind)) ?? [];
  return [
    {
      kind: 'topic',
      things,
      words,
      left: [],
      score: before.length - 0.2 * after.length,
    },
  ];
}

/** "PAY-3 → Done", "list to #ops": a thing and where it goes, without a verb. */
function headless(text: Text, span: readonly number[]): Manifest[] {
  const posts = span.some((index) => isA(text, index, 'channel', 'user'));
  const moves =
    span.some((index) => isA(text, index, 'issue')) &&
    span.some((index) => /^(?:to|->|→|=>)$/u.test(lowAt(text, index)));
  const first = span.find((index) => !carriesNothing(text, index)) ?? -1;
  const creates =
    span.some((index) => isA(text, index, 'project')) &&
    (isA(text, first, 'severity') ||
      means(text, first, ({ role, of }) => isRole(text, of, 'create') && role !== 'cue')) &&
    (isOneOf(text, first - 1, 'single') || span.some((index) => isOneOf(text, index, 'making')));
  const roles = [posts ? 'message' : null, moves ? 'move' : null, creates ? 'create' : null] as const;
  return roles.flatMap((role) => (role && text.lexicon.byRole.get(role)) ?? []);
}

const targets = new Set<string>(['channel', 'user', 'issue', 'incident', 'service']);

/** An order says its verb early; what stands before it is its target or what it sends. */
function lateVerb(
  text: Text,
  { tool, slots, filling, ...frame }: Frame,
  span: readonly number[],
  bare: boolean,
): number {
  const first = span.find((index) => !carriesNothing(text, index));
  if (first === undefined) return 0;
  // "pager ack 1234": the name of the system may stand first.
  const named = means(text, first, ({ role, of }) => of === tool.name && role === 'also');
  const starts = means(
    text,
    named && !isThing(text, first + 1) ? first + 1 : first,
    ({ role, of }) => of === tool.name && (role === 'verb' || (role === 'noun' && makesOfResults(tool))),
  );
  if (starts) return isAdjective(text, first, { tool, slots, filling, ...frame }) ? -20 : 0.5;
  const passesOn =
    (bare && tool.asked?.role === 'create') ||
    plays(text, first, 'result', 'pronoun') ||
    means(text, first, ({ role, of }) => role === 'also' && of === tool.name) ||
    asks(text, first);
  if (!frame.verb && passesOn) return 0;
  const aimed = [...slots.keys()].some((arg) => targets.has(takesOf(tool, arg)));
  return filling.has(first) && aimed && !isA(text, first, 'service', 'unknown') ? 0 : -20;
}

function readings(text: Text, span: readonly number[]): Draft[] {
  return readsOf(text, span, 'list')
    .slice(0, 3)
    .map((frame) => ({ kind: 'read', frame, left: frame.left, score: worth(frame) - clauseCost }));
}

/** "don't page anyone", "no notifications", "page nobody": tools that are ruled out. */
function forbids(text: Text, span: readonly number[]): Draft[] {
  const writes = [...text.lexicon.tools.values()].flatMap(({ effect, name }) =>
    effect === 'write' ? [name] : [],
  );
  if (isAll(text, span, 'readonly'))
    return [{ kind: 'forbid', tools: writes, frame: null, left: [], score: span.length }];
  const first = span.find((index) => !carriesNothing(text, index)) ?? -1;
  const denied = span.find((index) => means(text, index, ({ role }) => role === 'negation')) ?? -9;
  const nobody = denied - first === 1 && /^(?:nobody|noone|none|no|nothing)$/u.test(lowAt(text, denied));
  if (denied !== first && !nobody) return [];
  const tools = new Set<string>();
  const near = span.filter((index) => index - first <= 4);
  for (const index of near)
    for (const { senses } of text.phrases[index] ?? [])
      for (const { role, of } of senses)
        if (['verb', 'noun', 'also'].includes(role) && writes.includes(of)) tools.add(of);
  if (tools.size === 0) return [];
  const acts = (index: number): boolean =>
    near.includes(index) &&
    means(text, index, ({ role, of }) => ['verb', 'noun', 'also'].includes(role) && writes.includes(of));
  const known = (index: number): boolean =>
    acts(index) ||
    carriesNothing(text, index) ||
    plays(text, index, 'negation', 'anyone', 'pronoun', 'condition', 'result') ||
    isA(text, index, 'channel', 'user', 'service');
  const left = span.filter((index) => !known(index));
  const frames = [...tools]
    .flatMap((name) => text.lexicon.tools.get(name) ?? [])
    .map((tool) => fillFrame(text, tool, span));
  const frame = frames.find(({ verb, filling }) => verb && filling.size > 0) ?? null;
  return [{ kind: 'forbid', tools: [...tools], frame, left, score: span.length - 3 * left.length - 0.5 }];
}

/** Words that are no order and no look-up may say what it is about: "page ops, checkout is down". */
function remarks(text: Text, span: readonly number[], to: number): Draft[] {
  const plain =
    span.length > 1 && !plays(text, span[0] as number, 'negation', 'vague') && lowAt(text, to - 1) !== '?';
  const order = span.some((index) => orders(text, index) && index <= (span[0] ?? 0) + 1);
  if (!plain || order || !span.some((index) => isA(text, index, 'unknown'))) return [];
  return [{ kind: 'remark', words: wordsOf(text, span), left: [], score: -0.5 - 0.2 * span.length }];
}

function draftsFor(text: Text, span: readonly number[], asked: boolean, to: number): Draft[] {
  const drafts = [...forbids(text, span), ...conditionsIn(text, span, asked)];
  if (asked) return drafts;
  drafts.push(...ordersIn(text, span), ...readings(text, span), ...topics(text, span, to));
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
  return draftsFor(text, span, asked, to).map((draft) => ({
    ...draft,
    ...common,
    score: draft.score + Math.min(start - from, 1) + fitting(draft, text, common),
  }));
}
