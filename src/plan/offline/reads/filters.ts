import type { Args } from '../draft/draft.ts';
import { isLeftOut, isOwner } from '../words/owners.ts';
import { agesOf, timeOf } from '../words/periods.ts';
import { statusAfter } from '../words/statuses.ts';
import { lineOf, ofKind, sliceOf, type Token, tokenAt } from '../words/token.ts';

function statusOf(tokens: readonly Token[], line: string, goal: string): string | null {
  if (/\bnot (?:yet )?closed\b/.test(line)) return 'open';
  const at = tokens.findIndex((token) => token.word === 'status' && token.kind === 'word');
  const titled = tokens.slice(at + 1).find((token) => !/^(is|:|=|exactly|in)$/.test(token.word));
  if (at >= 0 && titled?.kind === 'word' && /^\p{Lu}\p{Ll}/u.test(titled.raw))
    return statusAfter(tokens, tokens.indexOf(titled), goal);
  const named = line.match(/\bstatus (?:is |: |= |exactly )?(§quote\d+|\S+)/);
  if (named && !/^(?:for|in|§key|§proj|,|and|closed|open|blocked)/.test(named[1] ?? '')) {
    const token = tokenAt(tokens, named[1]);
    if (token?.kind === 'quote') return token.word;
  }
  for (const word of ['blocked', 'in progress', 'open', 'closed'] as const) {
    if (tokens.some((token) => token.kind === 'word' && token.word === word)) return word;
  }
  const review = goal
    .toLowerCase()
    .match(
      /\b(in review|in qa|in testing|to do|waiting for customer|waiting for support|waiting|reopened|escalated)\b/,
    );
  return review && line.includes(review[1] ?? '§') ? (review[1] ?? null) : null;
}

function assigneeOf(tokens: readonly Token[], line: string): string | null {
  const excluded = ofKind(tokens, 'user').some((token) => exceptBefore(tokens, token));
  if (excluded) return null;
  if (/\bunassigned to §user/.test(line)) return null;
  if (/\bunassigned\b/.test(line)) return 'unassigned';
  const mine =
    /\bmy (?:own )?(?:(?:open|blocked|closed|in progress|§prio\d+) )*(?:ticket|bug|story|task|epic|§prio\d+)\b/.test(
      line,
    );
  if (mine) return 'me';
  const owner = ofKind(tokens, 'user').find(
    (token) => isOwner(tokens, token) && !exceptBefore(tokens, token),
  );
  if (owner) return owner.word;
  const match = line.match(/\b(?:assigned|assignee|by)(?: to| is| for| :)* (§user\d+|me|\S+)/);
  if (!match) return null;
  const token = tokenAt(tokens, match[1]);
  if (/\bexcept\b.*\bassigned\b/.test(line)) return null;
  if (token?.kind === 'user') return token.word;
  if (match[1] === 'me') return 'me';
  const to = tokens.find((other) => other.word === 'assigned' && /\bto$/i.test(other.raw));
  if (
    to &&
    token === undefined &&
    /^[a-z][\w.-]+$/.test(match[1] ?? '') &&
    !/^(for|in|and|yet|nobody|no|the|whom|it)$/.test(match[1] ?? '')
  )
    return match[1] ?? null;
  return /\bassigned to [a-z]+/.test(line) && !/^(for|in|and|,|yet|§)/.test(match[1] ?? '')
    ? (match[1] ?? null)
    : null;
}

/** "leaving out what @bo has": everybody's but theirs. */
function exceptBefore(tokens: readonly Token[], user: Token): boolean {
  const at = tokens.indexOf(user);
  return tokens
    .slice(Math.max(0, at - 4), at)
    .some((token) => /^(except|not|do-not|none|unassigned)$/.test(token.word));
}

function assigneeNot(tokens: readonly Token[]): Args {
  const user = ofKind(tokens, 'user').find((token) => exceptBefore(tokens, token));
  const plain = lineOf(tokens).match(/\bexcept\b.*\bassigned(?: to)? ([a-z][\w.-]+)$/)?.[1];
  if (!user && plain) return { assignee_not: plain };
  // "Not assigned to Ben" is not "unassigned".
  const denied = tokenAt(tokens, lineOf(tokens).match(/\bunassigned to (§user\d+)/)?.[1]);
  if (denied) return { assignee_not: denied.word };
  return user && isOwner(tokens, user) ? { assignee_not: user.word } : {};
}

function priorityNot(tokens: readonly Token[]): Args {
  const priority = ofKind(tokens, 'priority').find((token) => isLeftOut(tokens, token));
  return priority ? { priority_not: priority.word } : {};
}

function labelsOf(tokens: readonly Token[]): Args {
  const args: Args = {};
  tokens.forEach((token, index) => {
    if (token.kind !== 'word' || token.word !== 'label') return;
    let at = index + 1;
    while (/^(is|as|the|:|=|with|exactly|label)$/.test(tokens[at]?.word ?? '')) at += 1;
    const named = tokens[index - 1]?.kind === 'word' && /^(the|a|any)$/.test(tokens[index - 2]?.word ?? '');
    const ends =
      tokens[at] === undefined ||
      tokens[at]?.kind === 'mark' ||
      /^(and|in|to|for)$/.test(tokens[at]?.word ?? '');
    const value = ends && named ? tokens[index - 1] : tokens[at];
    if (!value || value.kind === 'mark') return;
    const before = tokens
      .slice(Math.max(0, index - 6), index)
      .map((other) => other.word)
      .join(' ');
    const without = /\b(not|except|none|do-not|exclude)\b/.test(before);
    args[without ? 'label_not' : 'label'] = value.kind === 'quote' ? value.word : value.raw.toLowerCase();
  });
  return args;
}

function orderOf(tokens: readonly Token[], line: string): Args {
  const order = /\boldest\b/.test(line)
    ? 'oldest'
    : /\bnewest\b/.test(line)
      ? 'newest'
      : /\bupdated\b/.test(line)
        ? 'updated'
        : null;
  const numbered = line.match(
    /(?:top|last|first|newest|oldest|the|at-most) §num(\d+)|§num(\d+) (?:newest|oldest|top|updated)/,
  );
  const limit = numbered ? Number(tokenAt(tokens, `§num${numbered[1] ?? numbered[2]}`)?.word) : null;
  const latest = limit !== null && /\blast §num/.test(line) ? 'newest' : null;
  const plural = /\b(tickets|issues|bugs|stories|tasks|incidents|p[1-5]s|ones|defects|alerts)\b/i.test(
    tokens.map((token) => token.raw).join(' '),
  );
  const args: Args = {};
  if (order ?? latest) args.order = order ?? latest ?? 'newest';
  if (limit !== null && limit >= 1 && limit <= 50) args.limit = limit;
  else if (order !== null && !plural) args.limit = 1;
  return args;
}

/** Words after "about": what issues must mention. */
export function aboutOf(tokens: readonly Token[], goal: string): string | null {
  const at = tokens.findIndex((token) => token.kind === 'word' && token.word === 'about');
  const quoted = ofKind(tokens, 'quote')[0];
  if (quoted) return quoted.word;
  if (at < 0) return null;
  const rest: Token[] = [];
  for (const token of tokens.slice(at + 1)) {
    if (
      /^(project|channel|duration|key|user|mark)$/.test(token.kind) ||
      /^(and|since|yesterday|today)$/.test(token.word)
    )
      break;
    rest.push(token);
  }
  while (rest.length > 0 && /^(the|a|in|for|from|on|last|with)$/.test(rest.at(-1)?.word ?? '')) rest.pop();
  while (rest.length > 0 && /^(the|a|an|our)$/.test(rest[0]?.word ?? '')) rest.shift();
  return sliceOf(goal, rest) || null;
}

/** Issue filters in a clause. Projects and priorities are read apart, since several make several steps. */
export function issueFilters(tokens: readonly Token[], goal: string): Args {
  const line = lineOf(tokens);
  const type = line.match(/\b(bug|story|task|epic)\b/)?.[1];
  const status = statusOf(tokens, line, goal);
  const assignee = assigneeOf(tokens, line);
  const quoted = ofKind(tokens, 'quote').length > 0;
  const text = quoted || /\babout\b/.test(line) ? aboutOf(tokens, goal) : null;
  const labels = labelsOf(tokens);
  const isLabel = Object.values(labels).includes(text ?? '§');
  const { until: _until, ...time } = timeOf(tokens);
  return {
    ...(status ? { status } : {}),
    ...(type ? { type } : {}),
    ...(assignee ? { assignee } : {}),
    ...assigneeNot(tokens),
    ...priorityNot(tokens),
    ...labels,
    ...(text && !isLabel ? { text } : {}),
    ...time,
    ...agesOf(tokens),
    ...orderOf(tokens, line),
  };
}
