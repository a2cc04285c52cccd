import type { Clause } from '../clauses/clause.ts';
import { textArgOf } from '../frames/takes.ts';
import { is, range, type Text, wordsOf } from '../words/text.ts';
import type { Memory, Place, Remark } from './memory.ts';

/** Clauses that ask for nothing: what they say stands in the text of an order, on the answer, or is asked about. */

/** "page ops, checkout is down": the text of the order before it. */
export function takeRemark(memory: Memory, clause: Extract<Clause, { kind: 'remark' }>): void {
  const first = memory.waiting.shift();
  if (first) first.step.args.set(first.arg, clause.words);
  else memory.remarks.push({ ...clause, isFirst: memory.steps.length === 0 });
}

/** "checkout is down, page ops": what was said first is the text of what has none, where nothing is looked up. */
export function placeRemarks(memory: Memory): void {
  const { text, remarks, waiting, steps, left } = memory;
  const [first, ...others] = remarks;
  const isAlone = steps.filter(({ tool }) => tool.effect === 'write').length === 1;
  const isPlain =
    steps.every(({ tool }) => tool.effect === 'write') &&
    !range(first?.from ?? 0, first?.to ?? 0).some((at) => is(text, at, 'quote', 'severity', 'project'));
  const fits = waiting.length > 0 && others.length === 0 && (isAlone || isPlain);
  if (first && fits && !waiting.some(({ step }) => step.isVerbless)) {
    for (const { step, arg } of waiting) step.args.set(arg, first.words);
    waiting.length = 0;
    return;
  }
  const isWordless = steps.every(({ tool }) => textArgOf(tool) === null);
  for (const remark of remarks)
    if (introduces(text, remark)) memory.reports.push(remark);
    else if (isWordless && explains(text, remark)) memory.assumptions.add(`Not used: “${remark.words}”.`);
    else left.push(...range(remark.from, remark.to));
}

/** Whatever has a name or a number may be meant for a step. */
const telling = ['thing', 'number', 'duration', 'time'];

const says = (text: Text, { from, to }: Place, ...tags: readonly string[]): boolean =>
  range(from, to).some((at) => is(text, at, ...tags));

/** "support has 12 reports of slow pages, is anything open for web": what states something first is no part of what is asked. */
const introduces = (text: Text, remark: Remark): boolean =>
  remark.isFirst &&
  says(text, remark, 'saying', 'reporting', 'pasted') &&
  !says(text, remark, 'quote', 'code') &&
  !is(text, remark.from, 'asking') &&
  !says(text, { from: remark.to, to: text.words.length }, 'one of them');

/** "close PAY-9, it was a duplicate": why, at the end of an order that needs no words. */
const explains = (text: Text, remark: Remark): boolean =>
  !remark.isFirst &&
  remark.to === text.words.length &&
  says(text, remark, 'saying') &&
  !says(text, remark, ...telling, 'negation', 'condition', 'verb write', 'compare', 'exists');

/** What others say or want is named beside what is looked up; where something is done, it is asked about. */
export function placeReports({ text, reports, steps, assumptions, left }: Memory): void {
  const reads = steps.every(({ tool }) => tool.effect === 'read');
  for (const { from, to } of reports)
    if (reads) assumptions.add(`Not used: “${wordsOf(text, range(from, to))}”.`);
    else left.push(...range(from, to));
}

/** "PAY-7 done, WEB-4 in progress": a reason for nothing may be an order. */
export function placeReasons({ reasons, steps, left }: Memory): void {
  if (steps.every(({ tool }) => tool.effect === 'read'))
    left.push(...reasons.flatMap(({ from, to }) => range(from, to)));
}
