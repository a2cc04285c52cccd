import { startsWrite } from '../words/grammar.ts';
import { lineOf } from '../words/token.ts';
import type { Clause } from './clause.ts';

/**
 * A condition behind its orders ("page X if …") is read first, so that the text of the order can give its numbers.
 */
export function withConditionsFirst(clauses: readonly Clause[]): Clause[] {
  const ordered: Clause[] = [];
  let start = 0;
  clauses.forEach((clause, index) => {
    if (clauses[start]?.sentence !== clause.sentence || clause.join === 'otherwise') start = ordered.length;
    const trails =
      clause.kind === 'condition' &&
      index > start &&
      !leadsOn(clauses, index) &&
      clauses[index - 1]?.kind === 'action' &&
      clauses[index - 1]?.sentence === clause.sentence &&
      !(
        (clause.forward || /^(same|otherwise)$/.test(clauses[index - 1]?.join ?? '')) &&
        clauses[index + 1]?.kind === 'action' &&
        clauses[index + 1]?.sentence === clause.sentence
      );
    if (!trails) ordered.push(clause);
    else {
      ordered.splice(firstWrite(ordered, start), 0, clause);
      start = ordered.length;
    }
  });
  return ordered;
}

/** "if A, do X, if B, do Y": a condition in front of its own order, in a sentence that starts with one. */
function leadsOn(clauses: readonly Clause[], index: number): boolean {
  const sentence = clauses[index]?.sentence;
  const next = clauses[index + 1];
  if (next?.kind !== 'action' || next.sentence !== sentence || next.join === 'otherwise') return false;
  const before = clauses.slice(0, index).filter((clause) => clause.sentence === sentence);
  const first = before.findIndex((clause) => clause.kind === 'condition');
  return first >= 0 && !before.slice(0, first).some((clause) => clause.kind === 'action' && isWrite(clause));
}

/** Where a trailing condition belongs: before the first order since `start` that changes something. */
function firstWrite(clauses: readonly Clause[], start: number): number {
  for (let index = start; index < clauses.length; index += 1) {
    const clause = clauses[index];
    if (clause?.kind === 'action' && isWrite(clause)) return index;
  }
  return clauses.length;
}

export function isWrite(clause: Clause): boolean {
  const line = lineOf(clause.tokens);
  const told = clause.tokens.some((token) => token.kind === 'channel');
  return told || (startsWrite(clause.tokens, 0) && !/^(?:please )*(?:tell|post|let) me\b/.test(line));
}
