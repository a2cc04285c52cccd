import { type DraftStep, sourcesOf } from '../draft/draft.ts';
import { verbAt } from '../words/grammar.ts';
import { ofKind } from '../words/token.ts';
import type { Clause } from './clause.ts';

/** "summarize A and B": the second read belongs to the summary as well. */
export function summaryBefore(
  clause: Clause,
  flow: { readonly sentence: number; readonly asked: Clause | null },
  last: DraftStep | undefined,
): DraftStep | null {
  const continues =
    clause.join === 'and' && verbAt(clause.tokens, 0) < 0 && flow.sentence === flow.asked?.sentence;
  const plain = ofKind(clause.tokens, 'channel', 'user').length === 0 || last?.tool === 'llm.summarize';
  const sent = last?.tool === 'slack.post' ? sourcesOf(last)[0] : undefined;
  const summary = sent?.tool === 'llm.summarize' ? sent : last;
  return continues && plain && summary?.tool === 'llm.summarize' ? summary : null;
}
