import { startsWrite } from '../words/grammar.ts';
import type { Token } from '../words/token.ts';
import { allWrites, meantBy, ofTicket, sources, ticketWrites } from './negated-words.ts';
import { withOtherwise } from './short-answers.ts';

export interface Negations {
  /** The tokens without what must not be done. */
  readonly tokens: readonly Token[];
  readonly forbidden: ReadonlySet<string>;
}

const stops = /^[,;.?!:()]$|^(if|unless|otherwise|then|but|means|just|only|please|instead)$/;

/** The first thing that a "don't" is about, with the end of what it covers; null when it forbids no tool. */
function spanAt(
  tokens: readonly Token[],
  index: number,
): { end: number; tools: readonly string[]; at: number } | null {
  for (let at = index + 1; at < Math.min(tokens.length, index + 5); at += 1) {
    const token = tokens[at];
    if (token?.word === 'please' && at <= index + 2) continue;
    if (!token || (token.kind !== 'query' && stops.test(token.word))) break;
    const source = at === index + 1 && token.kind === 'word' ? sources[token.word] : undefined;
    const ends =
      tokens[at + 1] === undefined ||
      /^([,;.!:]|today|please|this|but|and)$/.test(tokens[at + 1]?.word ?? '');
    const ticket =
      /^(touch|touching|change|changing|edit|editing|modify|modifying)$/i.test(token.raw) &&
      ofTicket(tokens, at);
    const status = ticket && tokens.slice(at + 1, at + 4).some((other) => other.word === 'status');
    const tools = status
      ? ['jira.transition']
      : ticket
        ? ticketWrites
        : source !== undefined && ends
          ? [source]
          : meantBy(token);
    if (tools.length === 0) continue;
    let end = at + 1;
    while (end < tokens.length) {
      const next = tokens[end];
      if (!next || (next.kind !== 'quote' && stops.test(next.word))) break;
      if (next.word === 'and' && meantBy(tokens[end + 1] ?? next).length === 0) break;
      end += 1;
    }
    return { end, tools, at };
  }
  return null;
}

/** A "don't" about one thing of its own leaves the same order about other things alone. */
function isAimed(tokens: readonly Token[], from: number, to: number, kept: readonly Token[]): boolean {
  const aims = tokens
    .slice(from, to)
    .filter((token) => /^(channel|user|service|key|project|id)$/.test(token.kind));
  return (
    aims.length > 0 &&
    !aims.some((aim) => kept.some((token) => token.kind === aim.kind && token.word === aim.word))
  );
}

/**
 * Lifts out what must not be done: "don't page", "no notifications", "read only". A "don't … unless" is an order with
 * a condition and stays; one behind "otherwise" only says that nothing happens there.
 */
export function liftNegations(words: readonly Token[], goal: string): Negations {
  const tokens = withOtherwise(words);
  const kept: Token[] = [];
  const forbidden = new Set<string>();
  if (
    /\b(read[- ]only|look but don'?t touch|no writes?\b|just look(ing)?\b|nothing should be (changed|written)|no side[- ]effects)\b/i.test(
      goal,
    )
  ) {
    for (const tool of allWrites) forbidden.add(tool);
  }
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (!token) break;
    const starts = token.kind === 'word' && /^(do-not|none|not)$/.test(token.word);
    const span = starts ? spanAt(tokens, index) : null;
    const bare = isBreakAt(tokens, index - 1) && isBreakAt(tokens, (span?.at ?? index) + 1);
    const noun =
      token.word === 'none' &&
      !(bare && forbidden.size > 0) &&
      span !== null &&
      span.at === index + 1 &&
      /^(ticket|comment|note)$/.test(tokens[span.at]?.word ?? '') &&
      !/^(add|create|comment)$/.test(tokens[index - 1]?.word ?? '');
    if (token.word === 'none' && span && /^(add|create)$/.test(kept.at(-1)?.word ?? '')) kept.pop();
    if (
      !span ||
      noun ||
      (token.word === 'not' && !forbids(tokens, index, span.at)) ||
      isCounted(tokens, index, span.at)
    ) {
      if (!/^(read-only|read only)$/.test(token.raw.toLowerCase())) kept.push(token);
      continue;
    }
    const next = tokens[span.end]?.word;
    if (next === 'unless') {
      kept.push(...tokens.slice(index + 1, span.end), { ...(tokens[span.end] ?? token), word: 'if' });
      index = span.end;
      continue;
    }
    if (token.word === 'do-not' && next === 'if') {
      const other = kept.some((_, place) => startsWrite(kept, place) && meansAny(kept, place, span.tools));
      const aims = tokens
        .slice(index, span.end)
        .some((part) => /^(channel|user|service|key|id)$/.test(part.kind));
      while (/^(,|and|but|then|;|\.)$/.test(kept.at(-1)?.word ?? '')) kept.pop();
      if (!other && aims) kept.push(...tokens.slice(index + 1, span.end));
      if (other || aims) kept.push({ ...(tokens[span.end] ?? token), word: 'unless' });
      index = other || aims ? span.end : span.end - 1;
      continue;
    }
    const absolute = /^(?:whatever happens|no matter what)/i.test(tokens[index - 1]?.raw ?? '');
    if (answers(kept) && elsewhere(tokens, index, span) && !absolute) {
      kept.push({ ...token, kind: 'word', word: 'noop' });
      index = span.end - 1;
      continue;
    }
    const conditional = kept.at(-1)?.word === 'otherwise' || tokens[index - 1]?.word === 'otherwise';
    if (conditional) kept.pop();
    else if (!(token.word === 'do-not' && isAimed(tokens, index, span.end, kept) && kept.length > 0)) {
      for (const tool of span.tools) forbidden.add(tool);
      for (const other of tokens.slice(span.at + 1, span.end))
        for (const tool of meantBy(other))
          if (/^(page|notify|post|tell|comment)$/.test(other.word)) forbidden.add(tool);
    }
    const trailing = /^(,|and|but|then)$/.test(kept.at(-1)?.word ?? '');
    if (trailing) kept.pop();
    index = span.end - 1;
  }
  return { tokens: kept, forbidden };
}

function isBreakAt(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  return (
    token === undefined || (token.kind === 'mark' && /^[,;.!]$/.test(token.word)) || token.word === 'and'
  );
}

function meansAny(tokens: readonly Token[], index: number, tools: readonly string[]): boolean {
  const token = tokens[index];
  return token !== undefined && meantBy(token).some((tool) => tools.includes(tool));
}

/** True behind a condition that still has no order: "if it is blocked, don't page". */
function answers(kept: readonly Token[]): boolean {
  for (let index = kept.length - 1; index >= 0; index -= 1) {
    const token = kept[index];
    if (!token || startsWrite(kept, index) || /^[;.?!]$/.test(token.word)) return false;
    if (token.kind === 'word' && /^(if|unless)$/.test(token.word)) return true;
  }
  return false;
}

/** The same order is given in another place: the negation is about its own branch only. */
function elsewhere(
  tokens: readonly Token[],
  index: number,
  span: { end: number; tools: readonly string[] },
): boolean {
  return tokens.some(
    (_, at) => (at < index || at >= span.end) && startsWrite(tokens, at) && meansAny(tokens, at, span.tools),
  );
}

/** "and not page" forbids; "isn't set" and "is not closed" only say how things are. */
function forbids(tokens: readonly Token[], index: number, at: number): boolean {
  const state =
    /^(is|are|it|was|were|has|have|if|§)$/.test(tokens[index - 1]?.word ?? '') ||
    tokens[index]?.raw.toLowerCase() !== 'not';
  return at === index + 1 && !state && /^(page|notify|post|comment|tell)$/.test(tokens[at]?.word ?? '');
}

/** "no pages in the last hour" and "no open alerts on X" ask; they forbid nothing. */
function isCounted(tokens: readonly Token[], index: number, at: number): boolean {
  const token = tokens[index];
  if (token?.word !== 'none') return false;
  const after = tokens.slice(at + 1, at + 4).map((other) => other.word);
  const before = tokens.slice(Math.max(0, index - 4), index).map((other) => other.word);
  return (
    before.some((word) => /^(if|unless|there|has|is|show|shows)$/.test(word)) ||
    after.some((word) => /^(exists?|found)$/.test(word)) ||
    tokens[at]?.word === 'on-call'
  );
}
