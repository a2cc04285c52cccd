import { startsWrite, verbAt } from '../words/grammar.ts';
import { isAddress } from '../words/heads.ts';
import { lineOf, ofKind } from '../words/token.ts';
import type { Clause } from './clause.ts';

/** "leave it alone": the branch in which nothing happens. */
export function isIdle(clause: Clause): boolean {
  const raw = clause.tokens.map((token) => token.raw.toLowerCase()).join(' ');
  if (
    /^(?:(?:then|just|please|simply|do|run|,|we|well) )*(?:nothing(?: at all| else)?|no action(?: needed)?|nothing (?:needs|has) to (?:happen|be done)|nothing to do)(?: (?:then|please))?$/.test(
      raw,
    )
  )
    return true;
  return clause.tokens.some((token) => token.word === 'noop') && clause.tokens.length <= 3;
}

const telling =
  /\b(is|was|are|were|has|have|had|seems|looks|feels|got|says|said|told|deployed|pushed|think|noticed|asked|heard|keeps|kept|stopped|hangs|crashes|freezes)\b/;

/** "the board looks grim", "PAY-3 is solved": how things are, in front of what should be done. */
export function isRemark(clause: Clause, clauses: readonly Clause[]): boolean {
  if (verbAt(clause.tokens, 0) >= 0 || clause.kind !== 'action' || clause.join === 'otherwise') return false;
  const follows = clauses.slice(clauses.indexOf(clause) + 1).find((other) => other.kind === 'action');
  if (
    isAddress(clause.tokens) &&
    follows?.kind === 'action' &&
    follows.sentence === clause.sentence &&
    (startsWrite(follows.tokens, 0) || /^(?:the )?sla\b/.test(lineOf(follows.tokens))) &&
    follows.join === 'and' &&
    follows.tokens.every((token) => token.kind !== 'key')
  )
    return true;
  const line = lineOf(clause.tokens);
  const raw = clause.tokens.map((token) => token.raw.toLowerCase()).join(' ');
  const others = clauses.slice(clauses.indexOf(clause) + 1);
  const numbers = /^(?:it's|it is|that's|that is|this is) (?:number |incident |no )*#?\d+/.test(raw);
  if (numbers && others.some((other) => startsWrite(other.tokens, 0))) return true;
  const asks =
    /\b(how|which|who|what|any|where|count|list|mean|explain|code|on-call)\b/.test(line) || clause.question;
  const aims = ofKind(clause.tokens, 'channel', 'user', 'query', 'quote', 'code').length > 0;
  const supposed = /^(?:i'm|i am|we're|we are) supposed to\b/.test(
    raw.replace(/^(?:please |hi |hey |, )+/, ''),
  );
  if (supposed && others.some((other) => startsWrite(other.tokens, 0))) return true;
  const speaks =
    /^(?:the |a |our |one )?(?:customers?|users?|clients?|somebody|someone|support|reporter|they|he|she)(?: \S+)? (?:wrote|writes|said|says|mailed|sent|reported|complains|complained|asked)\b/.test(
      raw,
    ) && ofKind(clause.tokens, 'quote').length > 0;
  if (speaks && others.length > 0 && clause.tokens.at(-1)?.kind === 'quote') return true;
  const quoted =
    clause.tokens.every((token) => /^(quote|mark)$/.test(token.kind)) &&
    clause.tokens.some((token) => token.kind === 'quote');
  if (quoted && others.length > 0) return true;
  const introduces = /^(?:please |,|and )*about\b/.test(line) && !aims;
  if (others.length === 0 || asks || aims || !(telling.test(raw) || introduces)) return false;
  return others.some(
    (other) => startsWrite(other.tokens, 0) || ofKind(other.tokens, 'project', 'key', 'service').length > 0,
  );
}

/** "PAY-3 done": a key and a status, and no word on what to do. */
export function bareState(clause: Clause): { key: string; status: string } | null {
  const [key, status, more] = clause.tokens.filter((token) => !/^(please|,|:|-|=)$/.test(token.word));
  const named =
    status?.kind === 'word' && /^(closed|in progress|blocked|reopen|finish|close|resolve)$/.test(status.word);
  if (key?.kind !== 'key' || !named || more || clause.question) return null;
  const raw = status.raw.toLowerCase();
  return { key: key.word, status: raw.charAt(0).toUpperCase() + raw.slice(1) };
}

export function isSmallTalk(clause: Clause): boolean {
  return clause.tokens.every((token) =>
    /^(please|the|it|me|is|and|,|a|with|thanks|today|tonight|run|none|that)$/.test(token.word),
  );
}
