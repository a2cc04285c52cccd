import type { Clause, Of } from '../clauses/clause.ts';
import { textArgOf } from '../frames/takes.ts';
import { is, lowAt, range, type Text, wordsOf } from '../words/text.ts';
import type { Thing } from '../words/thing.ts';
import { sayIn } from './content.ts';
import { isRead, isWrite } from './draft.ts';
import { type Memory, type Remark, saysAt } from './memory.ts';

/** Clauses that ask for nothing: what they say stands in the text of an order, on the answer, or is asked about. */

/** "…, and | if it is over 20 page ops": a clause of nothing but what joins belongs to the one behind it, and what is said in a row is one remark. */
export function joined(text: Text, clauses: readonly Clause[]): Clause[] {
  const all: Clause[] = [];
  for (const [index, clause] of clauses.entries()) {
    const last = clauses[index - 1];
    const [said] = all.slice(-1);
    const isEmpty = (one?: Clause): boolean => one?.kind === 'empty' && one.left.length === 0;
    if (isEmpty(clause) && index < clauses.length - 1) continue;
    if (said?.kind === 'remark' && clause.kind === 'remark' && said.isStated && clause.isStated)
      all.splice(-1, 1, {
        ...said,
        to: clause.to,
        words: wordsOf(text, range(said.from, clause.to)),
        things: [...said.things, ...clause.things],
        isSaid: said.isSaid && clause.isSaid,
      });
    else
      all.push({ ...clause, lead: new Set([...(isEmpty(last) ? (last?.lead ?? []) : []), ...clause.lead]) });
  }
  return all;
}

/** "page ops, checkout is down": the text of the order before it. */
export function takeRemark(memory: Memory, clause: Of<'remark'>): void {
  const [next] = clause.isReported ? [] : memory.waiting;
  // "… tell #ops if it is over 40, I'm in meetings": where something is found, that is told.
  const first = next?.when && is(memory.text, clause.from, 'of oneself') ? undefined : next;
  if (first) sayIn(memory, first, clause.words);
  else memory.remarks.push({ ...clause, isFirst: memory.steps.length === 0 });
}

/** "checkout is down, page ops": what was said first is the text of what has none, where nothing is looked up. */
export function placeRemarks(memory: Memory): void {
  const { remarks, waiting, steps, left, text } = memory;
  const [first, ...others] = remarks.filter(({ isReported }) => !isReported);
  const isAlone = steps.filter(isWrite).length === 1;
  const isPlain = first && steps.every(isWrite) && !saysAt(memory, first, 'quote', 'severity');
  const isFree = [...waiting].every((step) => step.when === null && !step.isVerbless);
  // "since we are about to demo, page ops “db down” and let #ops know": what is said already is said to both.
  const isText =
    first !== undefined &&
    is(text, first.from, 'reasoning') &&
    steps.some(({ tool, args }) => typeof args.get(textArgOf(tool) ?? '') === 'string');
  const isOne = waiting.size > 0 && isFree && !isText && others.length === 0 && (isAlone || isPlain);
  const said = first?.isSaid && isOne ? first : undefined;
  if (said) for (const step of waiting) sayIn(memory, step, said.words);
  for (const remark of remarks.filter((one) => one !== said))
    if (isBackground(memory, remark)) leaveOut(memory, remark);
    else left.push(...range(remark.from, remark.to));
}

/** Whatever has a name or a number may be meant for a step. */
const meaningful = [
  'thing',
  'number',
  'duration',
  'time',
  'negation',
  'condition',
  'verb write',
  'compare',
  'exists',
];

const named = ['service', 'project', 'issue', 'incident', 'channel'];

/**
 * "support has 12 reports of slow pages, is anything open for web": what states something first is no part of what is
 * looked up. "Close PAY-9, it was a duplicate": where something is done, it says why.
 */
function isBackground(memory: Memory, remark: Remark): boolean {
  const { text, steps } = memory;
  if (remark.isReported) return steps.every(isRead);
  // "OPS ticket: the sensor is dead": what a colon leads to is meant.
  if (lowAt(text, remark.from - 1) === ':') return false;
  const isSaying = saysAt(memory, remark, 'saying', 'reporting', 'pasted');
  if (
    !(isSaying || remark.isStated) ||
    saysAt(memory, remark, 'quote', 'code') ||
    is(text, remark.from, 'asking')
  )
    return false;
  // "…, what is it": what somebody spoke of is asked for.
  const points = range(remark.to, text.words.length).some(
    (at) => is(text, at, 'one of them') && !is(text, at, 'time') && !is(text, at + 1, 'saying'),
  );
  // "…; a short summary is enough" asks for something.
  const wants = !remark.isFirst && saysAt(memory, remark, 'noun', 'result');
  if (wants && remark.isStated) return false;
  if ((remark.isFirst || remark.isStated) && steps.every(isRead))
    return !points || (remark.things.length > 0 && !saysAt(memory, remark, 'pasted'));
  const isWordless = steps.every(({ tool }) => textArgOf(tool) === null);
  // "VPN is down: …, page ops": what is the matter belongs in what somebody is woken with.
  const isToSay = steps.some(
    ({ tool, args, when }) =>
      when === null &&
      ['page', 'create'].includes(tool.asked?.role ?? '') &&
      typeof args.get(textArgOf(tool) ?? '') !== 'string',
  );
  // "…, I'm stuck in meetings": how whoever asks is.
  const isReason = remark.isFirst ? !isToSay : isWordless || is(text, remark.from, 'of oneself');
  // "since legal wants it in writing, …": why something is done orders nothing.
  const orders = is(text, remark.from, 'reasoning') ? [] : ['verb write'];
  // "…, the disk was replaced yesterday": when something happened is no time for an order.
  const isPast =
    !remark.isFirst &&
    range(remark.from, remark.to).some((at) => is(text, at, 'past') || lowAt(text, at) === 'been');
  const unstated = meaningful.filter((tag) => !(isPast && ['time', 'duration'].includes(tag)));
  const weighty = remark.isStated ? [...orders, ...named] : unstated;
  // "ben says the acquirer is back": what is said, what something is, and what a monitor wrote is no order.
  const isNothing = (at: number): boolean =>
    isCarried(memory, at) ||
    is(text, at, 'pasted') ||
    !is(text, at, ...weighty) ||
    is(text, at, 'reporting') ||
    (is(text, at - 1, 'saying') && !is(text, at, ...named));
  return isReason && remark.isSaid && range(remark.from, remark.to).every(isNothing);
}

/** A step is about it. */
const isUsed = ({ steps }: Memory, { value }: Thing): boolean =>
  steps.some(({ args }) => args.values().some((one) => one === value));

const isCarried = (memory: Memory, at: number): boolean =>
  memory.text.words[at]?.things.some((one) => isUsed(memory, one)) ?? false;

/** What no step carries stands on the card; what was taken from it as well. */
function leaveOut(memory: Memory, { from, to, things }: Remark): void {
  const words = wordsOf(memory.text, range(from, to));
  const taken = things.find((one) => isUsed(memory, one))?.value;
  memory.assumptions.add(
    taken === undefined ? `Not used: “${words}”.` : `From “${words}”, only ${taken} is used.`,
  );
}

/** "PAY-7 done, WEB-4 in progress": a reason for nothing may be an order. */
export function placeReasons(memory: Memory, clauses: readonly Clause[]): void {
  const { steps, left } = memory;
  // "ack it, #1182, …": an incident or a ticket that was named, and that nothing is done with.
  const isNamed = ({ kind }: Thing): boolean => kind === 'issue' || kind === 'incident';
  for (const clause of clauses)
    if (
      clause.kind === 'topic' &&
      clause.things.some(isNamed) &&
      !clause.things.some((one) => isUsed(memory, one))
    )
      left.push(...range(clause.from, clause.to));
  const reasons = clauses.filter((clause) => clause.kind === 'topic' && clause.words !== '');
  if (steps.every(isRead)) left.push(...reasons.flatMap(({ from, to }) => range(from, to)));
}
