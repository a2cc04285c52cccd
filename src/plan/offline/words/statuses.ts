import { ofKind, type Token } from './token.ts';

const names: Readonly<Record<string, string>> = {
  blocked: 'Blocked',
  'in progress': 'In Progress',
  open: 'Open',
};

/** Verbs that move an issue, and the status they move it to. */
export const verbStatus: Readonly<Record<string, string>> = {
  close: 'Closed',
  resolve: 'Resolved',
  reopen: 'Reopened',
  start: 'In Progress',
  finish: 'Done',
  block: 'Blocked',
};

const stop =
  /^(already|yet|still|now|again|and|if|because|then|please|now|,|on|with|for|the|a|about|saying|also)$/;

function titled(text: string): string {
  return text.replace(/(^|\s)(\p{Ll})/gu, (_, space: string, letter: string) => space + letter.toUpperCase());
}

/** "set Reopened": a status right behind the verb. */
export function statusFirst(tokens: readonly Token[], goal: string): string | null {
  const at = tokens.findIndex((token) => token.kind === 'word' && token.word === 'move');
  const next = tokens[at + 1];
  const named = next?.kind === 'word' && /^\p{Lu}/u.test(next.raw);
  return at >= 0 && named ? statusAfter(tokens, at + 1, goal) : null;
}

/** The status that follows `to`, `as` or `is`, as written, with capitals at the start of each word. */
export function statusAfter(tokens: readonly Token[], index: number, goal: string): string | null {
  let at = index;
  while (
    /^(the|a|to|as|status|is|not|§|still|in|on|into|already|set|be|:|again|back|now)$/.test(
      tokens[at]?.word ?? '',
    ) &&
    !(at > 0 && /^(In|To)$/.test(tokens[at]?.raw ?? '')) &&
    tokens[at]?.kind !== 'quote'
  )
    at += 1;
  const first = tokens[at];
  if (!first) return null;
  if (first.kind === 'quote') return first.word;
  if (first.kind !== 'word' && first.kind !== 'project') return null;
  if (/^(of|for|from|by|at|with)$/i.test(first.raw)) return null;
  const rest = [first];
  for (const [offset, token] of tokens.slice(at + 1, at + 5).entries()) {
    const capital = /^\p{Lu}/u.test(first.raw) && /^\p{Lu}/u.test(token.raw);
    const bridges =
      /^(for|on|in|to|with|the|of|by|from)$/.test(token.raw) &&
      /^\p{Lu}/u.test(tokens[at + offset + 2]?.raw ?? '') &&
      /^\p{Lu}/u.test(first.raw) &&
      /^(word|project)$/.test(tokens[at + offset + 2]?.kind ?? '');
    if (capital && /^(word|project)$/.test(token.kind)) {
      rest.push(token);
      continue;
    }
    if (bridges) {
      rest.push(token);
      continue;
    }
    if (token.kind !== 'word' || stop.test(token.word) || offset > 1) break;
    rest.push(token);
  }
  while (rest.length > 1 && /^(first|please|now|again|too|then)$/i.test(rest.at(-1)?.raw ?? '')) rest.pop();
  const last = rest.at(-1);
  const name = last ? titled(goal.slice(first.start, last.end).trim()) : null;
  return name === 'Progress' || name === 'Review' ? `In ${name}` : name;
}

/** The status a condition names: "is Blocked", "is still in progress", "is not Done". */
export function statusName(tokens: readonly Token[], goal: string): string | null {
  for (const token of tokens) {
    if (token.kind !== 'word') continue;
    // "On Hold", with capitals, is the name of a status of its own.
    if (token.word === 'blocked' && /^\p{Lu}\p{Ll}+ \p{Lu}/u.test(token.raw)) return token.raw;
    if (names[token.word] !== undefined) return token.word === 'open' ? 'Open' : (names[token.word] ?? null);
    if (token.word === 'closed') return titled(token.raw.toLowerCase());
  }
  const quoted = ofKind(tokens, 'quote')[0];
  if (quoted) return quoted.word;
  const at = tokens.findIndex((token) => token.kind === 'word' && /^(is|status|in|not)$/.test(token.word));
  const next =
    at < 0
      ? undefined
      : tokens.slice(at).find((token) => !/^(is|status|in|not|still|the|already|yet|it)$/.test(token.word));
  if (next?.kind !== 'word' || !/^[A-Z]/.test(next.raw)) {
    return (
      /\b(in review|in qa|to do|waiting|escalated|reopened)\b/i.exec(
        tokens.map((token) => token.raw).join(' '),
      )?.[0] ?? null
    );
  }
  return statusAfter(tokens, tokens.indexOf(next), goal);
}
