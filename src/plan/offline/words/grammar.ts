import type { Token } from './token.ts';

export const writeVerbs = new Set([
  'page',
  'notify',
  'tell',
  'post',
  'comment',
  'create',
  'move',
  'close',
  'resolve',
  'reopen',
  'start',
  'finish',
  'block',
  'ack',
  'add',
  'note',
  'let',
  'ask',
]);

export const readVerbs = new Set([
  'show',
  'get',
  'list',
  'find',
  'count',
  'how many',
  'check',
  'compare',
  'summarize',
  'explain',
  'run',
  'who',
  'which',
]);

/** Words that may stand before the verb of an order. */
const leading =
  /^(please|should|must|someone|everything-of|only|first|low|high|low urgency|high urgency|urgency|urgent|low-urgency|high-urgency|low-priority|a|also|then|and|to|in-that-case|both|but|you|i|we|will|just|,|it|finally|will|be|next|probably|really|maybe|she|he|they|now|so|though|just)$/;

/** The place of the verb when an order starts at `index`, else -1. */
export function verbAt(tokens: readonly Token[], index: number): number {
  let at = index;
  while (tokens[at]?.kind === 'word' && leading.test(tokens[at]?.word ?? '')) at += 1;
  const token = tokens[at];
  if (token?.kind !== 'word') return -1;
  if (/^assign$/i.test(token.raw) && tokens[at + 1]?.word === 'it') return at;
  const isVerb = writeVerbs.has(token.word) || readVerbs.has(token.word);
  const after = tokens[at + 1];
  const noted = tokens
    .slice(at + 2, at + 9)
    .some(
      (other, place, rest) =>
        other.word === 'on' && /^(that|the|incident|pagerduty|it)$/.test(rest[place + 1]?.word ?? ''),
    );
  if (
    token.word === 'note' &&
    after?.kind !== 'quote' &&
    !/^(on|for|to|in|:|that)$/.test(after?.word ?? '') &&
    !(after?.word === 'the' && noted)
  )
    return -1;
  return isVerb ? at : -1;
}

export function startsWrite(tokens: readonly Token[], index: number): boolean {
  const at = verbAt(tokens, index);
  return at >= 0 && writeVerbs.has(tokens[at]?.word ?? '');
}
