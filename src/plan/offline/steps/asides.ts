import type { Clause } from '../clauses/clause.ts';
import { textArgOf } from '../frames/takes.ts';
import { is, range, wordsOf } from '../words/text.ts';
import { type Memory, type Remark, saysAt } from './memory.ts';

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
  const isWordless = steps.every(({ tool }) => textArgOf(tool) === null);
  for (const remark of remarks)
    if (introduces(memory, remark)) memory.reports.push(remark);
    else if (isWordless && explains(memory, remark)) leaveOut(memory, remark.words);
    else left.push(...range(remark.from, remark.to));
}

/** Whatever has a name or a number may be meant for a step. */
const meaningful = ['thing', 'number', 'duration', 'time'];

/** "support has 12 reports of slow pages, is anything open for web": what states something first is no part of what is asked. */
const introduces = (memory: Memory, remark: Remark): boolean =>
  remark.isFirst &&
  saysAt(memory, remark, 'saying', 'reporting', 'pasted') &&
  !saysAt(memory, remark, 'quote', 'code') &&
  !is(memory.text, remark.from, 'asking') &&
  !saysAt(memory, { from: remark.to, to: memory.text.words.length }, 'one of them');

/** "close PAY-9, it was a duplicate": why, at the end of an order that needs no words. */
const explains = (memory: Memory, remark: Remark): boolean =>
  !remark.isFirst &&
  remark.to === memory.text.words.length &&
  saysAt(memory, remark, 'saying') &&
  !saysAt(memory, remark, ...meaningful, 'negation', 'condition', 'verb write', 'compare', 'exists');

const leaveOut = ({ assumptions }: Memory, words: string) => assumptions.add(`Not used: “${words}”.`);

/** What others say or want is named beside what is looked up; where something is done, it is asked about. */
export function placeReports(memory: Memory): void {
  const { text, reports, steps, left } = memory;
  const reads = steps.every(({ tool }) => tool.effect === 'read');
  for (const { from, to } of reports)
    if (reads) leaveOut(memory, wordsOf(text, range(from, to)));
    else left.push(...range(from, to));
}

/** "PAY-7 done, WEB-4 in progress": a reason for nothing may be an order. */
export function placeReasons({ steps, left }: Memory, clauses: readonly Clause[]): void {
  const reasons = clauses.filter((clause) => clause.kind === 'topic' && clause.words !== '');
  if (steps.every(({ tool }) => tool.effect === 'read'))
    left.push(...reasons.flatMap(({ from, to }) => range(from, to)));
}
