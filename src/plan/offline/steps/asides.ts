import type { Clause } from '../clauses/clause.ts';
import { textArgOf } from '../frames/takes.ts';
import { is, range, wordsOf } from '../words/text.ts';
import type { Thing } from '../words/thing.ts';
import { type Memory, type Place, type Remark, saysAt } from './memory.ts';

/** Clauses that ask for nothing: what they say stands in the text of an order, on the answer, or is asked about. */

/** "page ops, checkout is down": the text of the order before it. */
export function takeRemark(memory: Memory, clause: Extract<Clause, { kind: 'remark' }>): void {
  const first = memory.waiting.shift();
  if (first) first.step.args.set(first.arg, clause.words);
  else memory.remarks.push({ ...clause, isFirst: memory.steps.length === 0 });
}

/** "checkout is down, page ops": what was said first is the text of what has none, where nothing is looked up. */
export function placeRemarks(memory: Memory): void {
  const { remarks, waiting, steps, left } = memory;
  const [first, ...others] = remarks;
  const isAlone = steps.filter(({ tool }) => tool.effect === 'write').length === 1;
  const isPlain =
    steps.every(({ tool }) => tool.effect === 'write') &&
    !saysAt(memory, first ?? { from: 0, to: 0 }, 'quote', 'severity', 'project');
  const fits = waiting.length > 0 && others.length === 0 && (isAlone || isPlain);
  if (first && fits && !waiting.some(({ step }) => step.isVerbless)) {
    for (const { step, arg } of waiting) step.args.set(arg, first.words);
    waiting.length = 0;
    return;
  }
  for (const remark of remarks)
    if (isBackground(memory, remark)) leaveOut(memory, remark, remark.things);
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

/**
 * "support has 12 reports of slow pages, is anything open for web": what states something first is no part of what is
 * looked up. "Close PAY-9, it was a duplicate": where something is done, it says why.
 */
function isBackground(memory: Memory, remark: Remark): boolean {
  const { text, steps } = memory;
  const isSaying =
    saysAt(memory, remark, 'saying', 'noticing', 'reporting', 'pasted') &&
    !saysAt(memory, remark, 'quote', 'code');
  if (!isSaying || is(text, remark.from, 'asking')) return false;
  if (remark.isFirst && steps.every(({ tool }) => tool.effect === 'read'))
    return (
      remark.things.length > 0 || !saysAt(memory, { from: remark.to, to: text.words.length }, 'one of them')
    );
  const isWordless = steps.every(({ tool }) => textArgOf(tool) === null);
  // "VPN is down: …, page ops": what is the matter belongs in what somebody is woken with.
  const isToSay = steps.some(
    ({ tool, args }) =>
      ['page', 'create'].includes(tool.asked?.role ?? '') &&
      typeof args.get(textArgOf(tool) ?? '') !== 'string',
  );
  const isReason = remark.isFirst ? !isToSay : isWordless && remark.to === text.words.length;
  return (
    isReason &&
    range(remark.from, remark.to).every((at) => isCarried(memory, at) || !is(text, at, ...meaningful))
  );
}

/** A step is about what is named there. */
const isCarried = ({ text, steps }: Memory, at: number): boolean =>
  text.words[at]?.things.some(({ value }) => steps.some(({ args }) => [...args.values()].includes(value))) ??
  false;

/** What no step carries stands on the card; what was taken from it as well. */
function leaveOut({ text, assumptions }: Memory, { from, to }: Place, [taken]: readonly Thing[] = []): void {
  const words = wordsOf(text, range(from, to));
  assumptions.add(
    taken === undefined ? `Not used: “${words}”.` : `Of “${words}”, only ${taken.value} is used.`,
  );
}

/** What others say or want is named beside what is looked up; where something is done, it is asked about. */
export function placeReports(memory: Memory): void {
  const { reports, steps, left } = memory;
  const reads = steps.every(({ tool }) => tool.effect === 'read');
  for (const report of reports)
    if (reads) leaveOut(memory, report);
    else left.push(...range(report.from, report.to));
}

/** "PAY-7 done, WEB-4 in progress": a reason for nothing may be an order. */
export function placeReasons({ steps, left }: Memory, clauses: readonly Clause[]): void {
  const reasons = clauses.filter((clause) => clause.kind === 'topic' && clause.words !== '');
  if (steps.every(({ tool }) => tool.effect === 'read'))
    left.push(...reasons.flatMap(({ from, to }) => range(from, to)));
}
