import { hasComparison, isNumbering } from '../words/comparisons.ts';
import { verbAt } from '../words/grammar.ts';
import { isHeading } from '../words/heads.ts';
import { ofKind, type Token } from '../words/token.ts';
import type { IsRead, Open } from './clause.ts';

/** "close out the incident: …", "two things: …": words that announce the orders behind a colon. */
export function isTitle(tokens: readonly Token[]): boolean {
  const small = ofKind(tokens, 'number').every((token) => token.word.length < 3);
  return isHeading(tokens) || (isNumbering(tokens) && small);
}

/** "PAY-3 is fixed: comment …": how a ticket is, in front of what is to be done with it. */
export function isReport(tokens: readonly Token[]): boolean {
  return (
    tokens[0]?.kind === 'key' &&
    /^(is|are|was|has|looks|seems)$/.test(tokens[1]?.word ?? '') &&
    tokens.length <= 6
  );
}

/** "pagerduty: ack …", "jira: …": the system that the order is carried out in anyway. */
export function isSystem(tokens: readonly Token[]): boolean {
  return tokens.length === 1 && /^(pagerduty|jira|slack)$/.test(tokens[0]?.word ?? '');
}

/** "from the database: …", "in PAY: …": words before a colon that only say where. */
export function isPrefix(chunk: Open, writes: boolean, isRead: IsRead): boolean {
  // "refund ticket: move to Done": a ticket that is described and not named.
  if (writes && chunk.tokens.some((token) => /^(ticket|incident|bug)$/.test(token.word))) return false;
  return (
    chunk.kind === 'action' && !hasVerb(chunk.tokens) && !hasComparison(chunk.tokens) && !isRead(chunk.tokens)
  );
}

export function hasVerb(tokens: readonly Token[]): boolean {
  return verbAt(tokens, 0) >= 0;
}
