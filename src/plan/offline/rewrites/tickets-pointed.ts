import { word } from '../words/marks.ts';
import { type Rewrite, rawAt, startsOrder } from './rewrite.ts';
import { modal } from './targets-first.ts';

/** "on the oldest ticket in LAB leave the comment "…"": a ticket that is described, in front of the order. */
export const describedFirst: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (token?.word !== 'on' || !startsOrder(tokens[index - 1])) return null;
  const described = tokens
    .slice(index + 1, index + 4)
    .some((other) => /^(oldest|newest|updated)$/.test(other.word));
  const at = tokens.findIndex(
    (other, place) =>
      place > index && place < index + 10 && /^(add|post|comment)$/.test(other.word) && other.kind === 'word',
  );
  if (!described || at < 0) return null;
  let quote = at + 1;
  while (/^(the|a|comment|saying|:)$/.test(tokens[quote]?.word ?? '') && tokens[quote]?.kind !== 'quote')
    quote += 1;
  const text = tokens[quote];
  return text?.kind === 'quote'
    ? {
        put: [word('add', token), word('comment', token), text, ...tokens.slice(index, at)],
        used: quote + 1 - index,
      }
    : null;
};

/** "ask "who can unblock?" on the ticket": a comment. */
export const askedOn: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const quote = tokens[index + 1];
  if (
    token?.word !== 'ask' ||
    quote?.kind !== 'quote' ||
    !/^(on|in|under)$/.test(tokens[index + 2]?.word ?? '')
  )
    return null;
  const at = /^(the|that|this)$/.test(tokens[index + 3]?.word ?? '') ? index + 4 : index + 3;
  return tokens[at]?.kind === 'key' || /^(ticket|it)$/.test(tokens[at]?.word ?? '')
    ? { put: [word('comment', token)], used: 1 }
    : null;
};

/** "the other ticket should go to Done", "this one can be closed": a move of a ticket that is pointed at. */
export const pointedMove: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (!token || !startsOrder(tokens[index - 1]) || !/^(the|that|this)$/.test(token.word)) return null;
  let at = index + 1;
  while (/^(other|same|second|first|new|last)$/.test(rawAt(tokens, at))) at += 1;
  if (!/^(ticket|issue|one|bug|story|task)$/.test(rawAt(tokens, at))) return null;
  const first = at + 1;
  at = first;
  while (modal.test(rawAt(tokens, at))) at += 1;
  const wished = tokens
    .slice(first, at)
    .some((other) => /^(can|could|should|must|may|needs|has|ought)$/.test(other.raw.toLowerCase()));
  const goes = /^(go|go back|move|moved|moves|set)$/.test(rawAt(tokens, at));
  const to = tokens[at + 1]?.word === 'back' ? at + 2 : at + 1;
  const state = tokens[at];
  const named =
    state?.kind === 'word' &&
    (/^(closed|in progress|blocked)$/.test(state.word) || /^\p{Lu}\p{Ll}/u.test(state.raw));
  if (wished && named && rawAt(tokens, at - 1) === 'be')
    return { put: [word('move', token), word('it', token), word('to', token)], used: at - index };
  return wished && goes && /^(to|in|into)$/.test(tokens[to]?.word ?? '')
    ? { put: [word('move', token), word('it', token), word('to', token)], used: to + 1 - index }
    : null;
};
