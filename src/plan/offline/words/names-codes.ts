import { wordBefore } from './names-services.ts';
import type { Token, TokenKind } from './token.ts';

export function named(token: Token, kind: TokenKind, word: string): Token {
  return { ...token, kind, word };
}

/** "the error signature NullTenantContext": a name of several words, behind what says that it is an error. */
export function isSignature(token: Token, index: number, tokens: readonly Token[]): boolean {
  const humps = /^[A-Z][a-z]+(?:[A-Z][a-z0-9]+)+$/.test(token.raw);
  return humps && /^(error|code|exception|signature|mean|explain)$/.test(wordBefore(tokens, index));
}

/** "DB-1042, that's an error code". */
function saysCode(index: number, tokens: readonly Token[]): boolean {
  const after = tokens.slice(index + 1, index + 7);
  const is = after.findIndex((token) => /^(that's|it's|its|is|thats)$/.test(token.word));
  return (
    is >= 0 &&
    is <= 2 &&
    after.slice(is).some((token) => token.word === 'code') &&
    after.every((token) => token.kind !== 'key')
  );
}

/** An error code that looks like an issue key: the words around it say so. */
export function isErrorCode(index: number, tokens: readonly Token[]): boolean {
  const before = tokens.slice(Math.max(0, index - 3), index).map((other) => other.word);
  const near = tokens[index - 1]?.word ?? '';
  const after = tokens[index + 1]?.word ?? '';
  const noTicket = tokens.some(
    (other, at) =>
      /^not( a)?$|^do-not$/.test(other.word) &&
      tokens.slice(at + 1, at + 3).some((next) => next.word === 'ticket'),
  );
  return (
    /^(error|code|exception|mean)$/.test(near) ||
    (before.includes('mean') && /^(for|of|the|is|code)$/.test(near)) ||
    after === 'mean' ||
    /^(error|code|exception)$/.test(after) ||
    (/^(is|the|:|=|was|§)$/.test(near) && before.some((word) => /^(error|code)$/.test(word))) ||
    saysCode(index, tokens) ||
    (noTicket && tokens.some((other) => /^(error|code|mean)$/.test(other.word)))
  );
}

export function tagCode(token: Token, index: number, tokens: readonly Token[]): Token {
  const before = tokens.slice(Math.max(0, index - 3), index).map((other) => other.word);
  const near = (pattern: RegExp): boolean => before.some((word) => pattern.test(word));
  if (near(/^(incident|ack|note)$/)) return named(token, 'id', token.word);
  const counted = tokens
    .slice(Math.max(0, index - 6), index)
    .some((other) => other.kind === 'priority' || /^(ticket|bug|story|task)$/.test(other.word));
  if (
    token.kind === 'id' &&
    /^[A-Z]{2,9}\d$/.test(token.raw) &&
    counted &&
    /^(in|of|for|from)$/.test(before.at(-1) ?? '')
  )
    return named(token, 'project', token.raw);
  if (token.kind === 'id' && near(/^(error|code|exception|explain|mean)$/))
    return named(token, 'code', token.word);
  return token;
}
