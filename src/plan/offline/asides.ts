import type { Clause } from './clause.ts';
import type { Memory } from './memory.ts';
import { is, range, wordsOf } from './text.ts';

/** Clauses that ask for nothing: what they say stands in the text of an order, on the answer, or is asked about. */

/** "page ops, checkout is down": the text of the order before it. */
export function takeRemark(memory: Memory, clause: Extract<Clause, { kind: 'remark' }>): void {
  const first = memory.waiting.shift();
  if (first) first.step.args.set(first.arg, clause.words);
  else memory.remarks.push(clause);
}

/** "checkout is down, page ops": what was said first is the text of what has none, where nothing is looked up. */
export function placeRemarks({ text, remarks, waiting, steps, left }: Memory): void {
  const [first, ...others] = remarks;
  const isAlone = steps.filter(({ tool }) => tool.effect === 'write').length === 1;
  const isPlain =
    steps.every(({ tool }) => tool.effect === 'write') &&
    !range(first?.from ?? 0, first?.to ?? 0).some((at) => is(text, at, 'quote', 'severity', 'project'));
  const fits = waiting.length > 0 && others.length === 0 && (isAlone || isPlain);
  if (first && fits && !waiting.some(({ step }) => step.isVerbless)) {
    for (const { step, arg } of waiting) step.args.set(arg, first.words);
    waiting.length = 0;
  } else left.push(...remarks.flatMap(({ from, to }) => range(from, to)));
}

/** What others want is said beside what is looked up; where something is done, it is asked about. */
export function placeReports({ text, reports, steps, assumptions, left }: Memory): void {
  const reads = steps.every(({ tool }) => tool.effect === 'read');
  for (const { from, to } of reports)
    if (reads) assumptions.add(`Not used: “${wordsOf(text, range(from, to))}”.`);
    else left.push(...range(from, to));
}
