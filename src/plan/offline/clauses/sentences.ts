import type { Token } from '../words/token.ts';

/** "…? Use SQL." says where to look, not what. */
const hint = /^(run|with|via|in|sql|splunk|kql|please|through|from|the)$/;

/** Splits tokens into sentences at full stops, semicolons and question marks. */
export function sentencesOf(tokens: readonly Token[]): { tokens: Token[]; question: boolean }[] {
  const sentences: { tokens: Token[]; question: boolean }[] = [];
  let current: Token[] = [];
  const flush = (question: boolean): void => {
    if (current.length > 0) sentences.push({ tokens: current, question });
    current = [];
  };
  for (const token of tokens) {
    if (token.kind === 'mark' && /^[;.?!]$/.test(token.word)) flush(token.word === '?');
    else if (!(token.kind === 'mark' && /^[¿¡"'“”*]$/.test(token.word))) current.push(token);
  }
  flush(false);
  return sentences.reduce<{ tokens: Token[]; question: boolean }[]>((joined, sentence) => {
    const last = joined.at(-1);
    const runbook = (tokens: readonly Token[]): boolean =>
      tokens.some((token) => /^(runbook|error)$/.test(token.word));
    const named =
      last?.question && runbook(sentence.tokens) && !runbook(last.tokens) && sentence.tokens.length <= 5;
    if (last && named && !last.tokens.some((token) => /^(key|project|channel)$/.test(token.kind)))
      last.tokens.push(...sentence.tokens);
    else if (last && sentence.tokens.every((token) => token.kind === 'word' && hint.test(token.word)))
      last.tokens.push(...sentence.tokens);
    else joined.push(sentence);
    return joined;
  }, []);
}
