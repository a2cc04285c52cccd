import { afterAll } from '../rewrites/conditions-said.ts';
import { isPresence } from '../rewrites/stated.ts';
import { hasComparison } from '../words/comparisons.ts';
import { startsWrite, verbAt } from '../words/grammar.ts';
import { asksWhether, isAddress, isCall, isMessageHead, isSummaryHead } from '../words/heads.ts';
import { isReceiver } from '../words/marks.ts';
import type { Token } from '../words/token.ts';
import type { Clause, IsRead, Join, Open } from './clause.ts';
import { hasVerb, isPrefix, isReport, isSystem, isTitle } from './colons.ts';

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
function standsAlone(tokens: readonly Token[], index: number, isRead: IsRead): boolean {
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

/** Collects the tokens of one sentence into clauses that may still change their kind. */
export class Chunks {
  readonly #tokens: readonly Token[];
  readonly #isRead: IsRead;
  readonly #done: Open[] = [];
  #current: Open = { tokens: [], kind: 'action', join: 'start', negated: false, forward: false };

  constructor(tokens: readonly Token[], isRead: IsRead) {
    this.#tokens = tokens;
    this.#isRead = isRead;
  }

  all(): Open[] {
    for (const [index, token] of this.#tokens.entries()) this.#take(token, index);
    if (this.#current.tokens.length > 0) this.#done.push(this.#current);
    return this.#done;
  }

  #open(kind: Clause['kind'], join: Join, negated = false): void {
    if (this.#current.tokens.length > 0) this.#done.push(this.#current);
    this.#current = { tokens: [], kind, join, negated, forward: false };
  }

  #take(token: Token, index: number): void {
    const word = token.kind === 'word' || token.kind === 'mark' ? token.word : '';
    const asks = word === 'should' && index === 0 && !/^(i|we|you)$/.test(this.#tokens[1]?.word ?? '');
    if (word === 'if' || word === 'unless' || asks) this.#takeIf(token, index);
    else if (word === 'otherwise' || word === 'in-that-case') this.#takeAnswer(token, index);
    else if (word === 'means') this.#takeMeans(token, index);
    else if (this.#continues(token, word, index)) return;
    else if (!breaks.has(word)) this.#takeWord(token, index);
    else if (joinsThings(this.#tokens, index)) this.#current.tokens.push(token);
    else if (word !== ':' || !this.#takeColon(token, index)) this.#takeBreak(token, word, index);
  }

  #takeIf(token: Token, index: number): void {
    const { tokens, kind, join } = this.#current;
    const before = this.#tokens[index - 1];
    const asked = tokens.find((other) => other.word !== 'please')?.word === 'ask';
    const told = asked && /^(user|channel)$/.test(before?.kind ?? '');
    const wondered = /^(ask|know)$/.test(before?.word ?? '') && this.#tokens[index - 2]?.kind === 'word';
    const more = kind === 'condition' && tokens.length > 0 && before?.word === 'and';
    if (told || wondered || more) {
      tokens.push(token);
      return;
    }
    if (token.word === 'if' && asksWhether(tokens)) return;
    while (/^(and|but|also|,)$/.test(tokens.at(-1)?.word ?? '')) tokens.pop();
    this.#open('condition', tokens.length === 0 ? join : 'and', token.word === 'unless');
    // An `if` of no length was put there for an arrow or an answer: its order follows.
    const joined = /^(and|but|also|plus)$/.test(before?.word ?? '');
    this.#current.forward = joined || (token.start === token.end && token.kind === 'word');
  }

  /** "otherwise", "if so": at the end of a sentence it is about the order before it. */
  #takeAnswer(token: Token, index: number): void {
    const rest = this.#tokens.slice(index + 1);
    const ends = rest.every((other) => /^(,|and|but|;)$/.test(other.word)) && this.#current.tokens.length > 0;
    if (ends) this.#current.join = token.word === 'otherwise' ? 'otherwise' : 'same';
    else this.#open('action', joinOf(token.word, 'and'));
    this.#current.affirms = affirmative.test(token.raw);
  }

  #takeMeans(token: Token, index: number): void {
    const { tokens } = this.#current;
    const keys = tokens.length > 0 && tokens.every((other) => other.kind === 'key');
    if (keys && verbAt(this.#tokens, index + 1) < 0) {
      tokens.unshift({ ...token, kind: 'word', word: 'move' });
      tokens.push({ ...token, kind: 'word', word: 'to' });
      return;
    }
    this.#current.kind = 'condition';
    this.#open('action', 'and');
  }

  /** Small words that a condition goes on with, or ends with. */
  #continues(token: Token, word: string, index: number): boolean {
    if (this.#current.kind !== 'condition') return false;
    if (word === 'then' && this.#current.tokens.length === 0) {
      this.#current.join = 'then';
      return true;
    }
    if (word === 'noop') this.#open('action', 'and');
    if (word === 'also' && this.#current.tokens.at(-1)?.word === 'and') return true;
    const more = word === 'also' && verbAt(this.#tokens, index + 1) < 0;
    if (!more || !hasComparison(this.#tokens.slice(index))) return false;
    this.#current.tokens.push({ ...token, word: 'and' });
    return true;
  }

  #takeWord(token: Token, index: number): void {
    const { tokens, kind } = this.#current;
    const stated = kind === 'action' && !hasVerb(tokens) && (hasComparison(tokens) || isPresence(tokens));
    const mayEnd = stated || (kind === 'condition' && tokens.length > 0);
    if (mayEnd && startsEmbedded(this.#tokens, index)) {
      this.#current.kind = 'condition';
      this.#open('action', 'and');
    }
    this.#current.tokens.push(token);
  }

  /** What stands in front of a colon: an address, a heading, a place, or the head of a message. */
  #takeColon(token: Token, index: number): boolean {
    const { tokens } = this.#current;
    const verb = verbAt(this.#tokens, index + 1) >= 0;
    const writes = startsWrite(this.#tokens, index + 1);
    const later = this.#tokens.slice(index);
    if (isAddress(tokens) && verb) this.#open('action', 'and');
    else if (writes && (isTitle(tokens) || isSystem(tokens))) this.#current.tokens = [];
    else if (isSummaryHead(tokens) && later.some((other) => /^(summary|summarize)$/.test(other.word)))
      this.#current.tokens = [];
    else if (verb && (isCall(tokens) || isReport(tokens))) this.#open('action', 'and');
    else if (isPrefix(this.#current, writes, this.#isRead)) return true;
    else if (isMessageHead(tokens) && !verb) tokens.push(token);
    else return false;
    return true;
  }

  #takeBreak(token: Token, word: string, index: number): void {
    const { tokens, kind, join } = this.#current;
    if (word === 'then' && tokens.length > 0) {
      this.#open('action', 'then');
      if (token.raw === afterAll) this.#current.afterAll = true;
      return;
    }
    const alone = standsAlone(this.#tokens, index + 1, this.#isRead);
    if (alone && (kind === 'action' || word !== 'and' || verbAt(this.#tokens, index + 1) >= 0))
      this.#open('action', joinOf(word, tokens.length === 0 ? join : 'and'));
    else if (word === 'also' && tokens.length > 0 && index === this.#tokens.length - 1) return;
    else if (tokens.length > 0) tokens.push(token);
    else this.#current.join = joinOf(word, join);
  }
}

/** "if it is Blocked comment …": an order inside a condition without a comma. */
function startsEmbedded(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1];
  const lead = tokens[index - 2]?.word ?? '';
  const lacks =
    (before?.word === 'none' && /^(is|are|there is|there are|has|have|if)$/.test(lead)) ||
    (before?.word === 'any' && lead === 'if');
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
