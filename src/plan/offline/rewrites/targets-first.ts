import { verbAt } from '../words/grammar.ts';
import { isBreak, isReceiver, word } from '../words/marks.ts';
import type { Token } from '../words/token.ts';
import { type Rewrite, rawAt, startsOrder } from './rewrite.ts';

/** A ticket or an incident at `index`, with the words that introduce it. */
export function targetAt(
  tokens: readonly Token[],
  index: number,
): { put: readonly Token[]; end: number } | null {
  let at = index;
  while (/^(the|ticket|bug|incident|pagerduty|number)$/.test(tokens[at]?.word ?? '')) at += 1;
  const token = tokens[at];
  const incident = tokens.slice(index, at).some((other) => /^(incident|pagerduty)$/.test(other.word));
  const placed =
    token?.kind === 'number' && tokens[at + 1]?.word === 'in' && tokens[at + 2]?.word === 'pagerduty';
  if (placed && token) return { put: [word('incident', token), token], end: at + 3 };
  const fits = token?.kind === 'key' || token?.kind === 'id' || (token?.kind === 'number' && incident);
  return fits ? { put: tokens.slice(index, at + 1), end: at + 1 } : null;
}

export const modal = /^(can|could|should|must|may|needs|has|is|are|to|be|now|please|will|ought|also)$/;

const changes: Readonly<Record<string, string>> = {
  resolved: 'resolve',
  closed: 'close',
  acknowledged: 'ack',
  acked: 'ack',
  reopened: 'reopen',
};

/** "pagerduty 88213 can be resolved": what is changed stands first. */
export const changedFirst: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const target = token && startsOrder(tokens[index - 1]) ? targetAt(tokens, index) : null;
  if (!token || !target) return null;
  const start =
    tokens[target.end]?.word === 'in' && tokens[target.end + 1]?.word === 'pagerduty'
      ? target.end + 2
      : target.end;
  let at = start;
  while (modal.test(rawAt(tokens, at))) at += 1;
  const modals = tokens.slice(start, at).map((other) => other.raw.toLowerCase());
  const verb = changes[rawAt(tokens, at)];
  const wished = modals.some((text) => /^(can|could|should|must|may|needs|has|to|ought|will)$/.test(text));
  if (verb !== undefined && wished && modals.includes('be'))
    return { put: [word(verb, token), ...target.put], used: at - index + 1 };
  const state = tokens[at];
  const named =
    state?.kind === 'word' &&
    (/^(closed|in progress|blocked)$/.test(state.word) || /^\p{Lu}\p{Ll}/u.test(state.raw));
  if (wished && modals.at(-1) === 'be' && named && token.kind === 'key')
    return { put: [word('move', token), ...target.put, word('to', token)], used: at - index };
  const status =
    /^(change|changes|get|have)$/.test(rawAt(tokens, at)) &&
    /\bstatus\b/.test(`${rawAt(tokens, at + 1)} ${rawAt(tokens, at + 2)}`);
  return wished && status ? { put: [word('move', token), ...target.put], used: tokens.length - index } : null;
};

/** "PAY-3 needs the comment "…"", "same comment, "…", on PAY-3": a comment whose text or ticket stands first. */
export const commentFirst: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (!token || !startsOrder(tokens[index - 1])) return null;
  const target = targetAt(tokens, index);
  let at = target?.end ?? index;
  while (
    /^(needs|gets|get|wants|should|must|deserves|show|the|a|same|one|this|any|:|,|also|please)$/.test(
      rawAt(tokens, at),
    ) ||
    /^(show|also)$/.test(tokens[at]?.word ?? '')
  )
    at += 1;
  const kind = tokens[at];
  const said = kind?.word === 'saying' && /^(comment|note)\b/i.test(kind.raw);
  if (kind?.kind !== 'word' || !(/^(comment|note)$/.test(kind.word) || said) || at === index) return null;
  let quote = at + 1;
  while (/^(,|:|saying|that)$/.test(tokens[quote]?.word ?? '') && tokens[quote]?.kind !== 'quote') quote += 1;
  const text = tokens[quote];
  if (text?.kind !== 'quote') return null;
  if (target)
    return {
      put: [word('add', token), said ? word('comment', token) : kind, text, word('on', token), ...target.put],
      used: quote - index + 1,
    };
  const added = tokens[index]?.word === 'also' || (tokens[index - 1]?.word === 'and' && index > 0);
  if (added && isBreak(tokens[quote + 1]))
    return { put: [word('also', token), word('add', token), kind, text], used: quote - index + 1 };
  const on = tokens[quote + 1]?.word === ',' ? quote + 2 : quote + 1;
  return tokens[on]?.word === 'on' && targetAt(tokens, on + 1)
    ? { put: [word('add', token), kind, text], used: on - index }
    : null;
};

/** "on PAY-3 comment "…"": the ticket in front of the order. */
export const ticketFirst: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (
    !token ||
    !startsOrder(tokens[index - 1]) ||
    !(/^(on|to|for)$/.test(token.word) || /^under(?:neath)?$/i.test(token.raw))
  )
    return null;
  const target = targetAt(tokens, index + 1);
  let at = target?.end ?? 0;
  while (/^(please|,|just|also|then)$/.test(tokens[at]?.word ?? '')) at += 1;
  const verb = tokens[at];
  const kind = /^(the|a|this)$/.test(tokens[at + 1]?.word ?? '') ? at + 2 : at + 1;
  if (target && verb?.word === 'saying' && /^comment/i.test(verb.raw) && tokens[at + 1]?.kind === 'quote')
    return { put: [word('comment', verb), word('on', token), ...target.put], used: at - index + 1 };
  if (target && verb?.word === 'post' && tokens[at + 1]?.kind === 'quote' && !isReceiver(tokens[at + 3]))
    return {
      put: [word('comment', verb), word('on', token), ...target.put],
      used: at - index + 1,
    };
  const puts = verb?.word === 'post' && /^(comment|note)$/.test(tokens[kind]?.word ?? '');
  if (target && verb && puts && tokens[kind])
    return {
      put: [word('add', verb), tokens[kind], token, ...target.put],
      used: kind - index + 1,
    };
  if (!target || verb?.kind !== 'word' || !/^(comment|note|add)$/.test(verb.word)) return null;
  return {
    put: [
      verb.word === 'note' ? word('add', token) : verb,
      ...(verb.word === 'note' ? [verb] : []),
      token,
      ...target.put,
    ],
    used: at - index + 1,
  };
};

/** "MAJ-7 to Mitigated." and "PAY-3 → Done": a move without a verb. */
export const moved: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const before = tokens[index - 1];
  if (
    token?.kind !== 'key' ||
    tokens[index - 2]?.kind === 'key' ||
    !(isBreak(before) || /^(and|then|also|,|please|first|second|next|finally)$/.test(before?.word ?? ''))
  )
    return null;
  let at = index + 1;
  while (
    tokens[at]?.kind === 'key' ||
    (/^(and|,|also)$/.test(tokens[at]?.word ?? '') && tokens[at + 1]?.kind === 'key')
  )
    at += 1;
  const keys = tokens.slice(index, at).filter((other) => other.kind === 'key');
  while (keys.length > 1 && /^(:|both|all|everything-of|number|3|4|5|together)$/.test(tokens[at]?.word ?? ''))
    at += 1;
  if (
    /^(belongs|belong|goes|wants)$/.test(tokens[at]?.raw.toLowerCase() ?? '') &&
    /^(in|into|to)$/.test(tokens[at + 1]?.word ?? '')
  ) {
    const name = tokens[at + 2];
    if (name?.kind === 'word' && /^\p{Lu}/u.test(name.raw))
      return { put: [word('move', token), ...keys, word('to', token)], used: at - index + 2 };
  }
  if (tokens[at]?.word === ':' && /^(back|to)$/.test(tokens[at + 1]?.word ?? '')) at += 1;
  if (tokens[at]?.word === 'back' && tokens[at + 1]?.word === 'to') at += 1;
  const listed = at;
  while (
    /^(should|must|can|could|may|needs|has|go|goes|be|moved|please|set)$/.test(
      tokens[at]?.raw.toLowerCase() ?? '',
    )
  )
    at += 1;
  if (
    at > listed &&
    tokens[at]?.word === 'to' &&
    /^(go|be|move|moved)$/.test(tokens[at + 1]?.raw.toLowerCase() ?? '')
  )
    at += 2;
  if (tokens[at]?.word === 'back' && tokens[at + 1]?.word === 'to') at += 1;
  const to = tokens[at];
  const status = tokens[at + 1];
  const named =
    status?.kind === 'word' &&
    (/^\p{Lu}/u.test(status.raw) || /^(closed|in progress|blocked|open)$/.test(status.word));
  const toDo = /^to$/i.test(status?.raw ?? '') && /^do$/i.test(tokens[at + 2]?.raw ?? '');
  const verb = !toDo && verbAt(tokens, at + 1) >= 0 && !/^\p{Lu}\p{Ll}+ed$/u.test(status?.raw ?? '');
  const arrow = to !== undefined && /^(→|->|=>)$/.test(to.raw);
  if (!(to?.word === 'to' || arrow) || !named || verb) return null;
  return { put: [word('move', token), ...keys, word('to', to ?? token)], used: at - index + 1 };
};

/** "OPS-3 comment "…"": the ticket in front of what is written on it. */
export const written: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const verb = tokens[index + 1];
  const starts = isBreak(tokens[index - 1]) || /^(and|then|please)$/.test(tokens[index - 1]?.word ?? '');
  if (token?.kind !== 'key' || !starts || verb?.word !== 'comment' || verb.kind !== 'word') return null;
  const text = tokens[index + 2];
  return text?.kind === 'quote' || text?.word === ':'
    ? { put: [verb, word('on', verb), token], used: 2 }
    : null;
};
