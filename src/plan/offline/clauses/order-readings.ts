import type { Manifest } from '../../../core/manifest.ts';
import { deniedBehind } from '../frames/edges.ts';
import type { Frame } from '../frames/frame.ts';
import { fillFrame } from '../frames/frames.ts';
import { makesOfResults, toolsIn, worth } from '../frames/reads.ts';
import { argsThatTake, textArgOf } from '../frames/takes.ts';
import { isTold } from '../frames/told.ts';
import { is, isAlone, lowAt, range, saysIn, type Text } from '../words/text.ts';
import { clauseCost, type Draft } from './clause.ts';
import { isForPerson, onFound, sentToPerson } from './receivers.ts';
import { makersIn, sending } from './sending.ts';

/** Every write that the words may order, each with what it sends. */
export function ordersIn(text: Text, span: readonly number[]): Draft[] {
  // "the page failed" speaks of one; "with the comment “done”" orders it.
  const isSaid = saysIn(text, span, 'quote');
  // "tell me if PAY-3 gets a comment" orders none either.
  const isHeard = (): boolean => saysIn(text, [...range(0, span[0] ?? 0), ...span], 'inquiry');
  // "the number of open P1" opens none.
  const isSpokenOf = (index: number): boolean =>
    is(text, index, 'definite') || lowAt(text, index) === 'of' || (is(text, index, 'articles') && isHeard());
  // "… about the slow cart page? label it …": what a question ends with is no order either.
  const isLast = (index: number): boolean => lowAt(text, index + 1) === '?' && index + 2 < text.words.length;
  const orders = span.filter(
    (index) => is(text, index, 'verb write') && (isSaid || !(isSpokenOf(index - 1) || isLast(index))),
  );
  const writesIn = (words: readonly number[]): Manifest[] =>
    toolsIn(text, words, 'verb').filter(({ effect }) => effect === 'write');
  const [verbs, bare] = [writesIn(orders), !span.some((index) => is(text, index, 'verb write'))];
  // "before I page ops, show me …": what somebody is going to do is no order.
  const isDoing = (index: number): boolean =>
    lowAt(text, index - 1) === 'i' && /^(?:before|after|while|until|once)$/.test(lowAt(text, index - 2));
  const doing = new Set(writesIn(span.filter(isDoing)));
  return [...(bare ? headless(text, span) : verbs), ...makersIn(text, span)].flatMap((tool): Draft[] => {
    if (doing.has(tool) || isForPerson(text, tool, span)) return [];
    const said = fillFrame(text, tool, span);

    const whole = sentToPerson(text, said, span) ?? onFound(text, said, span) ?? sending(text, said, span);
    const frame = bare ? guessed(whole) : whole;
    if (isDenied(text, tool, span)) return [];
    // "that" may only lead on: "tell someone that …".
    const isPointing = (index: number): boolean =>
      isAlone(text, index, 'pronoun') && !is(text, index, 'telling');
    const points = frame.noun || [...frame.used].some(isPointing);
    // "ack it", "close the ticket": a verb alone orders nothing.
    const isAimless = frame.filling.size === 0 && !points && frame.carries !== 'result';
    // "tell someone that …" is a message rather than a comment on nothing in particular.
    const aims = argsThatTake(tool, 'issue', 'incident');
    const isOn = points || aims.length === 0 || aims.some((arg) => frame.slots.has(arg));
    const isOther = !isOn && saysIn(text, span, 'verb message');
    const verb = frame.verb ? 0.5 - (isAimless ? 1.5 : 0) - (isOther ? 0.5 : 0) : bare ? -1 : -3;
    const late = frame === whole ? lateVerb(text, frame, span) : 0;
    const score = worth(frame) + verb + late - clauseCost;
    return [{ kind: 'order', frame, left: frame.left, score }];
  });
}

/** "page ops if …, and payments if …": an order whose verb is not said again, for whoever else it is. */
export function goingOn(text: Text, span: readonly number[]): Draft[] {
  const [first = 0] = span;
  const verb = range(0, first).findLast((at) => is(text, at, 'verb write') && !isTold(text, at));
  if (verb === undefined || !is(text, first - 1, 'and')) return [];
  return toolsIn(text, [verb], 'verb').flatMap((tool): Draft[] => {
    const frame = fillFrame(text, tool, [verb, ...span]);
    const aims = argsThatTake(tool, 'channel', 'user', 'service', 'issue', 'incident');
    const isAim = frame.slots.size > 0 && [...frame.slots.keys()].every((arg) => aims.includes(arg));
    const isOrder = tool.effect === 'write' && isAim && frame.left.length === 0 && frame.strange.length === 0;
    return isOrder ? [{ kind: 'order', frame, left: [], score: worth(frame) - 1 - clauseCost }] : [];
  });
}

/** "create nothing", "tell ben nothing". */
const isDenied = (text: Text, { name }: Manifest, span: readonly number[]): boolean =>
  span.some(
    (index) => deniedBehind(text, index) > 0 && isAlone(text, index, `verb ${name}`) && !isTold(text, index),
  );

/** "open P1s" and "report on P1" list, "open a P1" creates: a verb needs an article behind it, a title, or what to make. */
function isAdjective(text: Text, index: number, { tool, slots, noun }: Frame): boolean {
  if (tool.asked?.role !== 'create' || is(text, index + 1, 'articles')) return false;
  const isOne = is(text, index + 1, 'severity', `noun ${tool.name}`, `value ${tool.name}`);
  const isMany = isOne && lowAt(text, index + 1).endsWith('s');
  const isState = lowAt(text, index) === 'new' || isAlone(text, index, 'value');
  const isUntitled = !slots.has('summary');
  return (isUntitled && !noun && !slots.has('type')) || (isState && (!isOne || isMany || isUntitled));
}

/** "OPS ticket: vpn drops": what would be created is offered, and nobody ordered it. */
function guessed(frame: Frame): Frame {
  const { tool, slots, spoken } = frame;
  const arg = textArgOf(tool) ?? '';
  const [title] = slots.get(arg) ?? [];
  if (tool.asked?.role !== 'create' || title === undefined) return frame;
  const others = new Map([...slots].filter(([name]) => name !== arg));
  return { ...frame, slots: others, carries: { text: title, words: spoken.size, isGuess: true } };
}

/** "PAY-3 → Done", "list to #ops", "OPS ticket: …": a thing and where it goes, without a verb. */
function headless(text: Text, span: readonly number[]): Manifest[] {
  // "any tickets about redis in ops": only what is written as a channel receives something without a verb.
  const receives = span.some((index) => /^[#@]/u.test(text.words[index]?.raw ?? ''));
  const moves = saysIn(text, span, 'issue') && saysIn(text, span, 'moving');
  const colon = span.find((index) => lowAt(text, index) === ':') ?? -1;
  const creates = span.some((index) => index < colon && is(text, index, 'noun create', 'value create type'));
  const roles = [receives ? 'message' : null, moves ? 'move' : null, creates ? 'create' : null] as const;
  return roles.flatMap((role) => (role && text.lexicon.byRole.get(role)) ?? []);
}

/** An order says its verb early; what stands before it is its target or what it sends. */
function lateVerb(text: Text, frame: Frame, span: readonly number[]): number {
  const { tool, slots, filling } = frame;
  const first = span.find((index) => !is(text, index, 'empty'));
  if (first === undefined || frame.target?.tool.asked?.role === 'person') return 0;
  // "pager ack 1234": the name of the system may stand first.
  const named = is(text, first, `also ${tool.name}`);
  const heads = [`verb ${tool.name}`, ...(makesOfResults(tool) ? [`noun ${tool.name}`] : [])];
  if (is(text, named ? first + 1 : first, ...heads)) return isAdjective(text, first, frame) ? -20 : 0.5;
  if (!frame.verb && (isAlone(text, first, 'result', 'pronoun') || is(text, first, 'verb read'))) return 0;
  const targets = argsThatTake(tool, 'channel', 'user', 'issue', 'incident', 'service');
  const aimed = targets.some((arg) => slots.has(arg));
  return filling.has(first) && aimed && !is(text, first, 'service', 'unknown') ? 0 : -20;
}
