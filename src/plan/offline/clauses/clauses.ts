import { hasComparison } from '../words/comparisons.ts';
import { startsWrite } from '../words/grammar.ts';
import type { Token } from '../words/token.ts';
import { Chunks } from './chunks.ts';
import type { Clause, IsRead, Open } from './clause.ts';
import { hasVerb } from './colons.ts';
import { joinMessages } from './join.ts';
import { sentencesOf } from './sentences.ts';

/** A statement with a number before an order is its condition: "over 7 open P1s in BIL? then post …". */
function markConditions(chunks: Open[], question: boolean, next: readonly Token[] | undefined): void {
  const last = chunks.at(-1);
  const follows =
    next !== undefined &&
    (next[0]?.word === 'then' || (last !== undefined && hasComparison(last.tokens) && startsWrite(next, 0)));
  if (question && last?.kind === 'action' && follows && !startsWrite(last.tokens, 0)) {
    last.kind = 'condition';
  }
  for (let index = chunks.length - 2; index >= 0; index -= 1) {
    const chunk = chunks[index];
    const follower = chunks[index + 1];
    if (!chunk || !follower || chunk.kind !== 'action' || hasVerb(chunk.tokens)) continue;
    const leads = follower.kind === 'condition' ? follower.join === 'and' : startsWrite(follower.tokens, 0);
    if (leads && hasComparison(chunk.tokens)) chunk.kind = 'condition';
  }
}

/** Splits a goal into orders and conditions, in the order in which they are written. */
export function clausesOf(tokens: readonly Token[], isRead: IsRead): Clause[] {
  const clauses: Clause[] = [];
  const sentences = sentencesOf(tokens);
  sentences.forEach((sentence, number) => {
    const chunks = new Chunks(sentence.tokens, isRead).all();
    markConditions(chunks, sentence.question, sentences[number + 1]?.tokens);
    for (const chunk of joinMessages(chunks))
      clauses.push({ ...chunk, sentence: number, question: sentence.question });
  });
  return clauses;
}
