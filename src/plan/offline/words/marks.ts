import type { Token } from './token.ts';

export function word(text: string, like: Token): Token {
  return { kind: 'word', word: text, raw: text, start: like.start, end: like.start };
}

/** A comma or a semicolon that was not typed. */
export function mark(text: ',' | ';', like: Token): Token {
  return { ...word(text, like), kind: 'mark' };
}

export function isReceiver(token: Token | undefined): boolean {
  return token?.kind === 'channel' || token?.kind === 'user';
}

export function isBreak(token: Token | undefined): boolean {
  return token === undefined || (token.kind === 'mark' && /^[,;:.?!()–—-]$/.test(token.word));
}
