import { isBreak, isReceiver, word } from '../words/marks.ts';
import { type Rewrite, startsOrder } from './rewrite.ts';

/** "the link goes to #ops", "a copy goes in #x": a thing that is sent, as the subject. */
export const thingGoes: Rewrite = (tokens, index) => {
  if (!startsOrder(tokens[index - 1])) return null;
  const like = tokens[index];
  const goes = tokens
    .slice(index, index + 7)
    .findIndex((token) => /^(goes|go|belongs|belong)$/.test(token.raw.toLowerCase()));
  if (!like || goes < 1) return null;
  const at = index + goes;
  const thing = tokens.slice(index, at);
  const sent = thing.some((token) =>
    /^(link|list|result|summary|count|ticket|it|that|number|explain)$/.test(token.word),
  );
  const to = /^(to|in|into|on)$/.test(tokens[at + 1]?.word ?? '') ? at + 1 : -1;
  return sent && to > 0 && isReceiver(tokens[to + 1])
    ? { put: [word('post', like), ...thing], used: at - index + 1 }
    : null;
};

/** "link the ticket in #ops": what is posted, as the verb. */
export const linked: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (token?.kind !== 'word' || token.word !== 'link' || !startsOrder(tokens[index - 1])) return null;
  let at = index + 1;
  while (/^(the|it|that|ticket|this|new)$/.test(tokens[at]?.word ?? '')) at += 1;
  const to = /^(to|in|into|on)$/.test(tokens[at]?.word ?? '') && isReceiver(tokens[at + 1]);
  return to && at > index + 1 ? { put: [word('post', token), token], used: 1 } : null;
};

/** "its key should reach @ines": a thing that is sent, as the subject. */
export const thingReaches: Rewrite = (tokens, index) => {
  const like = tokens[index];
  if (!like || !startsOrder(tokens[index - 1])) return null;
  const at = tokens
    .slice(index, index + 6)
    .findIndex((token) => /^(reach|reaches|reached)$/i.test(token.raw));
  const thing = tokens
    .slice(index, index + Math.max(at, 0))
    .filter((token) => !/^(should|must|has|to|needs|can)$/.test(token.word));
  const sent = thing.some((token) =>
    /^(link|list|result|summary|count|ticket|it|that|key)$/.test(token.word),
  );
  return at > 0 && sent && isReceiver(tokens[index + at + 1])
    ? { put: [word('post', like), ...thing, word('to', like)], used: at + 1 }
    : null;
};

/** ", summary to @bo", "then the list to #ops": what is sent, without a verb. */
export const verbless: Rewrite = (tokens, index) => {
  const before = tokens[index - 1];
  const starts =
    isBreak(before) || (before?.kind === 'word' && /^(then|and|otherwise|also)$/.test(before.word));
  const token = tokens[index];
  const ticket = token?.word === 'ticket' && tokens[index + 1]?.word === 'link' && index > 0;
  if (
    starts &&
    ticket &&
    token &&
    /^(to|in|for)$/.test(tokens[index + 2]?.word ?? '') &&
    isReceiver(tokens[index + 3])
  )
    return { put: [word('post', token), word('link', token)], used: 2 };
  const ends = isBreak(tokens[index + 3]) || /^please$/.test(tokens[index + 3]?.word ?? '');
  // "the blocked tickets, to #ops please": the comma parts nothing.
  if (token?.word === ',' && tokens[index + 1]?.word === 'to' && isReceiver(tokens[index + 2]) && ends)
    return { put: [], used: 1 };
  const key =
    token?.raw.toLowerCase() === 'key' && tokens[index + 1]?.word === 'to' && isReceiver(tokens[index + 2]);
  if (starts && key && token && index > 0)
    return { put: [word('post', token), word('link', token)], used: 1 };
  if (!starts || !token || !/^(summary|list|result|count|link)$/.test(token.word) || index === 0) return null;
  const placed = /^(to|in|for)$/.test(tokens[index + 1]?.word ?? '') && isReceiver(tokens[index + 2]);
  return placed ? { put: [word('post', token), token], used: 1 } : null;
};

/** "… and write to @bo": a message of its own, not the text of the order before. */
export const writesTo: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const direct = token?.word === 'saying' && /^and write$/i.test(token.raw) && isReceiver(tokens[index + 1]);
  if (token && direct) return { put: [word('and', token), word('post', token), word('to', token)], used: 1 };
  const at = tokens[index + 1]?.kind === 'quote' ? index + 2 : index + 1;
  const to = /^(to|in)$/.test(tokens[at]?.word ?? '') && isReceiver(tokens[at + 1]);
  return token?.word === 'saying' && /^and write$/i.test(token.raw) && to
    ? { put: [word('and', token), word('post', token)], used: 1 }
    : null;
};

/** "in #ops please write …": where, in front of the order. */
export const placeFirst: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (!token || !startsOrder(tokens[index - 1]) || !/^(in|to|into|on)$/.test(token.word)) return null;
  const receiver = tokens[index + 1];
  if (!receiver || !isReceiver(receiver)) return null;
  let at = index + 2;
  while (/^(please|,|just|also|then)$/.test(tokens[at]?.word ?? '')) at += 1;
  const verb = tokens[at];
  return verb?.kind === 'word' && /^(post|tell|notify|add)$/.test(verb.word)
    ? { put: [word('post', token), receiver], used: at - index + 1 }
    : null;
};
