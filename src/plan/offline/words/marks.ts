import type { Token } from './token.ts';

export function word(text: string, like: Token): Token {
  return { kind: 'word', word: text, raw: text, start: like.start, end: like.start };
}

export function isReceiver(token: Token | undefined): boolean {
  return token?.kind === 'channel' || token?.kind === 'user';
}

export function isBreak(token: Token | undefined): boolean {
  return token === undefined || (token.kind === 'mark' && /^[,;:.?!()–—-]$/.test(token.word));
}
