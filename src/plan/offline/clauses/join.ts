import { verbAt } from '../words/grammar.ts';
import type { Token } from '../words/token.ts';
import type { Open } from './clause.ts';

const receiver = /^(channel|user)$/;

/**
 * "post A and who is B in #c", "tell #c A and who is B": one message with two contents. It is told by which part
 * names the receiver, and by the other part having no verb of its own.
 */
export function joinMessages(chunks: readonly Open[]): Open[] {
  const out: Open[] = [];
  for (const chunk of chunks) {
    const last = out.at(-1);
    const pair =
      last?.kind === 'action' && chunk.kind === 'action' && chunk.join === 'and' && messageVerb(last.tokens);
    const names = (tokens: readonly Token[]): boolean => tokens.some((token) => receiver.test(token.kind));
    const noun =
      /^(who|which|how many|on-call|count|the|its|open)$/.test(chunk.tokens[0]?.word ?? '') ||
      verbAt(chunk.tokens, 0) < 0;
    const content =
      last !== undefined &&
      last.tokens.length > 3 &&
      !last.tokens.some(
        (token) => /^(quote)$/.test(token.kind) || /^(that|saying|about|me)$/.test(token.word),
      );
    if (last && pair && noun && content && names(last.tokens) !== names(chunk.tokens)) {
      last.tokens.push({ kind: 'word', word: 'and', raw: 'and', start: 0, end: 0 }, ...chunk.tokens);
    } else out.push({ ...chunk, tokens: [...chunk.tokens] });
  }
  return out;
}

function messageVerb(tokens: readonly Token[]): boolean {
  const at = verbAt(tokens, 0);
  return at >= 0 && /^(post|tell|notify|let)$/.test(tokens[at]?.word ?? '');
}
