import type { Clause, Join, Open } from './clause.ts';
import { asksWhether, isAddress, isCall, isHeading, isMessageHead, isSummaryHead } from './clause-heads.ts';
import { joinMessages } from './clauses-join.ts';
import { hasComparison, isNumbering } from './comparisons.ts';
import { startsWrite, verbAt } from './grammar.ts';
import { isReceiver } from './marks.ts';
import { afterAll } from './rewrites/conditions-said.ts';
import { sentencesOf } from './sentences.ts';
import { ofKind, type Token } from './token.ts';

const breaks = new Set([
  ',',
  ':',
  '(',
  ')',
  '-',
  '–',
  '—',
  'and',
  'but',
  'then',
  'also',
  'if',
  'unless',
  'otherwise',
  'in-that-case',
  'means',
]);

/** True for "PAY and ORD", "#a, #b", "between 10 and 20": two things of one kind that belong together. */
function joinsThings(tokens: readonly Token[], index: number): boolean {
  let left = index - 1;
  let right = index + 1;
  while (/^(and|,|then|also)$/.test(tokens[right]?.word ?? '') && tokens[right]?.kind !== 'quote') right += 1;
  while (/^(and|,)$/.test(tokens[left]?.word ?? '')) left -= 1;
  if (/^(the|in|to|for|on)$/.test(tokens[right]?.word ?? '')) right += 1;
  const before = tokens[left];
  const after = tokens[right];
  if (isReceiver(before) && isReceiver(after)) return true;
  if (!before || !after || before.kind !== after.kind) return false;
  return before.kind !== 'word' && before.kind !== 'mark' && before.kind !== 'quote';
}

function joinOf(word: string, before: Join): Join {
  if (/^(then|also)$/.test(word) && /^(same|otherwise)$/.test(before)) return before;
  if (word === 'then') return 'then';
  if (word === 'also') return 'also';
  if (word === 'otherwise') return 'otherwise';
  if (word === 'in-that-case') return 'same';
  if (before !== 'start' && before !== 'and') return before;
  return 'and';
}

/** True when a clause of its own begins at `index`: an order, or a read named by its noun. */
function standsAlone(
  tokens: readonly Token[],
  index: number,
  isRead: (tokens: readonly Token[]) => boolean,
): boolean {
  if (verbAt(tokens, index) >= 0) return true;
  const rest: Token[] = [];
  for (let at = index; at < tokens.length && !breaks.has(tokens[at]?.word ?? ''); at += 1) {
    const token = tokens[at];
    if (token) rest.push(token);
  }
  // "agreed SLA limit, SETL P3": names alone belong to what stands before them.
  if (rest.length > 0 && rest.every((token) => /^(project|priority|service)$/.test(token.kind)) && index > 1)
    return false;
  return isRead(rest);
}

const affirmative =
  /^if (?:it|they|there|that|this) (?:is|are|has|have|does|do)\b(?! (?:so|indeed|the case|true))/i;

function chunksOf(tokens: readonly Token[], isRead: (tokens: readonly Token[]) => boolean): Open[] {
  const chunks: Open[] = [];
  let current: Open = { tokens: [], kind: 'action', join: 'start', negated: false, forward: false };
  const open = (kind: Clause['kind'], join: Join, negated: boolean): void => {
    if (current.tokens.length > 0) chunks.push(current);
    current = { tokens: [], kind, join, negated, forward: false };
  };
  tokens.forEach((token, index) => {
    const word = token.kind === 'word' || token.kind === 'mark' ? token.word : '';
    const asks = word === 'should' && index === 0 && !/^(i|we|you)$/.test(tokens[1]?.word ?? '');
    if (word === 'if' || word === 'unless' || asks) {
      const asked = current.tokens.find((other) => other.word !== 'please')?.word === 'ask';
      if (asked && /^(user|channel)$/.test(tokens[index - 1]?.kind ?? '')) current.tokens.push(token);
      else if (/^(ask|know)$/.test(tokens[index - 1]?.word ?? '') && tokens[index - 2]?.kind === 'word')
        current.tokens.push(token);
      else if (current.kind === 'condition' && current.tokens.length > 0 && tokens[index - 1]?.word === 'and')
        current.tokens.push(token);
      else if (word === 'if' && asksWhether(current.tokens)) return;
      else {
        const joined = /^(and|but|also|plus)$/.test(tokens[index - 1]?.word ?? '');
        while (/^(and|but|also|,)$/.test(current.tokens.at(-1)?.word ?? '')) current.tokens.pop();
        open('condition', current.tokens.length === 0 ? current.join : 'and', word === 'unless');
        // An `if` of no length was put there for an arrow or an answer: its order follows.
        current.forward = joined || (token.start === token.end && token.kind === 'word');
      }
      return;
    }
    if (word === 'then' && current.kind === 'condition' && current.tokens.length === 0) {
      current.join = 'then';
      return;
    }
    if (word === 'noop' && current.kind === 'condition') open('action', 'and', false);
    if (
      word === 'also' &&
      current.kind === 'condition' &&
      verbAt(tokens, index + 1) < 0 &&
      hasComparison(tokens.slice(index))
    ) {
      current.tokens.push({ ...token, word: 'and' });
      return;
    }
    if (/^(in-that-case|otherwise)$/.test(word) && index === tokens.length - 1 && current.tokens.length > 0) {
      current.join = word === 'otherwise' ? 'otherwise' : 'same';
      current.affirms = affirmative.test(token.raw);
      return;
    }
    if (word === 'otherwise' || word === 'in-that-case') {
      open('action', joinOf(word, 'and'), false);
      current.affirms = affirmative.test(token.raw);
      return;
    }
    if (
      word === 'means' &&
      current.tokens.length > 0 &&
      current.tokens.every((other) => other.kind === 'key') &&
      verbAt(tokens, index + 1) < 0
    ) {
      current.tokens.unshift({ ...token, kind: 'word', word: 'move' });
      current.tokens.push({ ...token, kind: 'word', word: 'to' });
      return;
    }
    if (word === 'means') {
      current.kind = 'condition';
      open('action', 'and', false);
      return;
    }
    if (!breaks.has(word)) {
      const stated = current.kind === 'action' && !hasVerb(current.tokens) && hasComparison(current.tokens);
      const mayEnd = stated || (current.kind === 'condition' && current.tokens.length > 0);
      if (mayEnd && startsEmbedded(tokens, index)) {
        current.kind = 'condition';
        open('action', 'and', false);
      }
      current.tokens.push(token);
      return;
    }
    if (joinsThings(tokens, index)) current.tokens.push(token);
    else if (word === ':' && isAddress(current.tokens) && verbAt(tokens, index + 1) >= 0)
      open('action', 'and', false);
    else if (
      word === ':' &&
      startsWrite(tokens, index + 1) &&
      (isHeading(current.tokens) ||
        (isNumbering(current.tokens) &&
          ofKind(current.tokens, 'number').every((token) => token.word.length < 3)))
    )
      current.tokens = [];
    else if (
      word === ':' &&
      isSummaryHead(current.tokens) &&
      tokens.slice(index).some((other) => /^(summary|summarize)$/.test(other.word))
    )
      current.tokens = [];
    else if (word === ':' && isCall(current.tokens) && verbAt(tokens, index + 1) >= 0)
      open('action', 'and', false);
    else if (word === ':' && isPrefix(current, startsWrite(tokens, index + 1), isRead)) return;
    else if (word === 'then' && current.tokens.length > 0) {
      open('action', 'then', false);
      if (token.raw === afterAll) current.afterAll = true;
    } else if (word === ':' && isMessageHead(current.tokens) && verbAt(tokens, index + 1) < 0)
      current.tokens.push(token);
    else if (
      standsAlone(tokens, index + 1, isRead) &&
      (current.kind === 'action' || word !== 'and' || verbAt(tokens, index + 1) >= 0)
    )
      open('action', joinOf(word, current.tokens.length === 0 ? current.join : 'and'), false);
    else if (word === 'also' && current.tokens.length > 0 && index === tokens.length - 1) return;
    else if (current.tokens.length > 0) current.tokens.push(token);
    else current.join = joinOf(word, current.join);
  });
  if (current.tokens.length > 0) chunks.push(current);
  return chunks;
}

/** "from the database: …", "in PAY: …": words before a colon that only say where. */
function isPrefix(chunk: Open, writes: boolean, isRead: (tokens: readonly Token[]) => boolean): boolean {
  // "refund ticket: move to Done": a ticket that is described and not named.
  if (writes && chunk.tokens.some((token) => /^(ticket|incident|bug)$/.test(token.word))) return false;
  return (
    chunk.kind === 'action' && !hasVerb(chunk.tokens) && !hasComparison(chunk.tokens) && !isRead(chunk.tokens)
  );
}

/** "if it is Blocked comment …": an order inside a condition without a comma. */
function startsEmbedded(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1];
  const lacks =
    before?.word === 'none' && /^(is|are|there is|there are|has|if)$/.test(tokens[index - 2]?.word ?? '');
  if (
    !lacks &&
    /^(the|a|to|on|any|none|for|of|if|count|in)$/.test(before?.word ?? '') &&
    before?.kind === 'word'
  )
    return false;
  const third = /^(moves|closes|goes|changes|turns|gets|resolves|reopens|comments|adds|posts|lets)$/.test(
    tokens[index]?.raw.toLowerCase() ?? '',
  );
  if (third && /^(key|project|service)$/.test(before?.kind ?? '')) return false;
  const word = tokens[index]?.kind === 'word' ? (tokens[index]?.word ?? '') : '';
  return (
    /^(page|notify|tell|post|create|ack|let|comment|move|close|resolve|reopen|add)$/.test(word) &&
    startsWrite(tokens, index)
  );
}

function hasVerb(tokens: readonly Token[]): boolean {
  return verbAt(tokens, 0) >= 0;
}

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
export function clausesOf(tokens: readonly Token[], isRead: (tokens: readonly Token[]) => boolean): Clause[] {
  const clauses: Clause[] = [];
  const sentences = sentencesOf(tokens);
  sentences.forEach((sentence, number) => {
    const chunks = chunksOf(sentence.tokens, isRead);
    markConditions(chunks, sentence.question, sentences[number + 1]?.tokens);
    for (const chunk of joinMessages(chunks))
      clauses.push({ ...chunk, sentence: number, question: sentence.question });
  });
  return clauses;
}
