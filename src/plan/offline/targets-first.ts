import { isBreak, isReceiver, word } from './marks.ts';
import type { Rewrite } from './rewrites.ts';
import type { Token } from './token.ts';

function rawAt(tokens: readonly Token[], index: number): string {
  return tokens[index]?.raw.toLowerCase() ?? '';
}

function startsOrder(before: Token | undefined): boolean {
  return (
    isBreak(before) ||
    (before?.kind === 'word' && /^(and|then|otherwise|also|but|means|please|in-that-case)$/.test(before.word))
  );
}

/** A ticket or an incident at `index`, with the words that introduce it. */
function targetAt(tokens: readonly Token[], index: number): { put: readonly Token[]; end: number } | null {
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

const modal = /^(can|could|should|must|may|needs|has|is|are|to|be|now|please|will|ought|also)$/;
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
  let at = target.end;
  while (modal.test(rawAt(tokens, at))) at += 1;
  const modals = tokens.slice(target.end, at).map((other) => other.raw.toLowerCase());
  const verb = changes[rawAt(tokens, at)];
  const wished = modals.some((text) => /^(can|could|should|must|may|needs|has|to|ought|will)$/.test(text));
  if (verb !== undefined && wished && modals.includes('be'))
    return { put: [word(verb, token), ...target.put], used: at - index + 1 };
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
  if (kind?.kind !== 'word' || !/^(comment|note)$/.test(kind.word) || at === index) return null;
  let quote = at + 1;
  while (/^(,|:|saying|that)$/.test(tokens[quote]?.word ?? '') && tokens[quote]?.kind !== 'quote') quote += 1;
  const text = tokens[quote];
  if (text?.kind !== 'quote') return null;
  if (target)
    return {
      put: [word('add', token), kind, text, word('on', token), ...target.put],
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

/** "1) count …": the number of an order in a list. */
export const numbered: Rewrite = (tokens, index) => {
  const before = tokens[index - 1];
  const first = before === undefined || (before.kind === 'mark' && /^[;.]$/.test(before.word));
  const token = tokens[index];
  const next = tokens[index + 1];
  if (!first || !token) return null;
  if (token.kind === 'mark' && /^[-*•–]$/.test(token.word)) return { put: [], used: 1 };
  const small = token.kind === 'number' && Number(token.word) < 10 && /^\d$/.test(token.raw);
  return small && next?.kind === 'mark' && /^[).:]$/.test(next.word) && tokens[index + 2]
    ? { put: [], used: 2 }
    : null;
};

/** "P3, no sorry, P2": the value that was said by mistake goes. */
export const corrected: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (!token || /^(word|mark)$/.test(token.kind)) return null;
  let at = index + 1;
  while (
    /^(,|-|–|—|no|none|sorry|wait|rather|mean|i|actually|make|that|oops|not|\(|:|er|erm|please)$/.test(
      rawAt(tokens, at),
    ) ||
    /^[,–—-]$/.test(tokens[at]?.word ?? '')
  )
    at += 1;
  const said = tokens
    .slice(index + 1, at)
    .map((other) => other.raw.toLowerCase())
    .join(' ');
  const marker = /\b(?:no sorry|sorry|no wait|wait|i mean|rather|oops|make that|actually)\b/.test(
    said.replaceAll(',', '').replaceAll(/\s+/g, ' '),
  );
  return marker && tokens[at]?.kind === token.kind ? { put: [], used: at - index } : null;
};

/** "from 10 up": a lower bound. */
export const upwards: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const number = tokens[index + 1];
  const from =
    token?.word === 'from' &&
    number?.kind === 'number' &&
    /^(up|upwards|on|onwards)$/.test(rawAt(tokens, index + 2));
  return from && token && number ? { put: [word('at-least', token), number], used: 3 } : null;
};

/** "Hits: post the list. No hits: …": what a search brought, as the condition. */
export const hits: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (!token || !isBreak(tokens[index - 1]) || tokens[index + 1]?.word !== ':') return null;
  if (
    /^(?:hits|matches|results|any hits|any matches|found|found something|something found)$/.test(
      token.raw.toLowerCase(),
    )
  )
    return { put: [word('if', token), word('any', token), { ...word(',', token), kind: 'mark' }], used: 2 };
  return null;
};

/** "… and write to @bo": a message of its own, not the text of the order before. */
export const writesTo: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const at = tokens[index + 1]?.kind === 'quote' ? index + 2 : index + 1;
  const to = /^(to|in)$/.test(tokens[at]?.word ?? '') && isReceiver(tokens[at + 1]);
  return token?.word === 'saying' && /^and write$/i.test(token.raw) && to
    ? { put: [word('and', token), word('post', token)], used: 1 }
    : null;
};

/** "on PAY-3 comment "…"": the ticket in front of the order. */
export const ticketFirst: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (!token || !startsOrder(tokens[index - 1]) || !/^(on|to|for)$/.test(token.word)) return null;
  const target = targetAt(tokens, index + 1);
  let at = target?.end ?? 0;
  while (/^(please|,|just|also|then)$/.test(tokens[at]?.word ?? '')) at += 1;
  const verb = tokens[at];
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

/** ""…" – put that in #ops": what is said stands in front of the order. */
export const saidFirst: Rewrite = (tokens, index) => {
  const quote = tokens[index];
  if (quote?.kind !== 'quote' || !startsOrder(tokens[index - 1])) return null;
  let at = index + 1;
  while (/^(,|-|–|—|:|\.|;|please|and)$/.test(tokens[at]?.word ?? '')) at += 1;
  const verb = tokens[at];
  const points = /^(it|that|this)$/.test(tokens[at + 1]?.word ?? '');
  return verb?.kind === 'word' &&
    at > index + 1 &&
    points &&
    /^(post|tell|add|comment|notify)$/.test(verb.word)
    ? { put: [verb.word === 'add' ? word('post', verb) : verb, quote], used: at - index + 2 }
    : null;
};

/** ""…" goes on PAY-3 as a comment". */
export const goesOn: Rewrite = (tokens, index) => {
  const quote = tokens[index];
  if (quote?.kind !== 'quote' || !/^(goes|belongs|should go)$/.test(rawAt(tokens, index + 1))) return null;
  const to = tokens[index + 2];
  const target = to && /^(on|to|in|into|onto)$/.test(to.word) ? targetAt(tokens, index + 3) : null;
  return target
    ? {
        put: [word('add', quote), word('comment', quote), quote, word('on', quote), ...target.put],
        used: target.end - index,
      }
    : null;
};

/** "unless there is already an open one": how the one is, and no order. */
export const openOne: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const before = rawAt(tokens, index - 1);
  return token?.word === 'create' && /^open one$/i.test(token.raw) && /^(an|already|any|is|no)$/.test(before)
    ? { put: [word('open', token), word('one', token)], used: 1 }
    : null;
};
