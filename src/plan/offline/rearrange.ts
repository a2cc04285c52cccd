import { inOrder, partEnd } from './backwards.ts';
import { denial } from './denials.ts';
import { startsWrite, verbAt } from './grammar.ts';
import {
  askedOf,
  asleep,
  beyondThat,
  condensed,
  each,
  finished,
  intoNote,
  labelled,
  namedTicket,
  nextTo,
  offLimits,
  participle,
  sideBySide,
  soughtRunbook,
  spelledKey,
  summaryFor,
  unneeded,
  whoIf,
  withCondition,
  withoutTakenBack,
} from './idioms.ts';
import { isBreak, isReceiver, word } from './marks.ts';
import {
  havingDone,
  quoteFirst,
  receiverFirst,
  thingGoes,
  verbLast,
  wished,
  wokenUp,
} from './receivers-first.ts';
import { aside, bounded, nothing, type Rewrite, reached, taken, toldIf, written } from './rewrites.ts';
import {
  changedFirst,
  commentFirst,
  corrected,
  goesOn,
  hits,
  numbered,
  openOne,
  placeFirst,
  saidFirst,
  ticketFirst,
  upwards,
  writesTo,
} from './targets-first.ts';
import type { Token } from './token.ts';

/** "leave it alone", "let it be", "leave it": nothing is to be done. */
const idle: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (!token || !/^(leave|leaves|leaving|let|just leave|ignore)$/i.test(token.raw)) return null;
  for (let end = index + 1; end <= index + 5; end += 1) {
    const last = tokens[end];
    if (!last || isReceiver(last) || last.kind === 'quote' || isBreak(last)) return null;
    const rests = /^(alone|be|untouched|as-is)$/.test(last.word);
    const bare = /^(it|them|that|this)$/.test(last.word) && end === index + 1 && stopsAt(tokens[end + 1]);
    if (rests || bare) return { put: [{ ...token, kind: 'word', word: 'noop' }], used: end - index + 1 };
  }
  return null;
};

function stopsAt(token: Token | undefined): boolean {
  return isBreak(token) || /^(if|unless|otherwise|and|but)$/.test(token?.word ?? '');
}

/** "send also a message to", "post then": one order in two words, or with its join behind it. */
const doubled: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (token?.kind !== 'word' || !/^(post|tell|notify|page|comment|add)$/.test(token.word)) return null;
  let at = index + 1;
  while (/^(also|a|please|then)$/.test(tokens[at]?.word ?? '')) at += 1;
  const next = tokens[at];
  const joins = tokens.slice(index + 1, at).filter((other) => /^(also|then)$/.test(other.word));
  if (next?.kind === 'word' && next.word === 'post' && token.word === 'post' && at <= index + 3)
    return { put: [...joins, next], used: at - index + 1 };
  if (joins.length > 0 && tokens[index + 1] === joins[0] && next && verbAt(tokens, at) < 0 && !isBreak(next))
    return { put: [...joins.slice(0, 1), token], used: 2 };
  return null;
};

const told: Readonly<Record<string, string>> = {
  tell: 'tell',
  told: 'tell',
  informed: 'tell',
  notified: 'tell',
  alerted: 'tell',
  messaged: 'tell',
  pinged: 'tell',
  notify: 'tell',
  page: 'page',
  paged: 'page',
  woken: 'page',
};

/** "@tomasz to be told", "ops-api should be paged": an order in the passive voice. */
const passive: Rewrite = (tokens, index) => {
  const wish = /^(show|please)$/.test(tokens[index]?.word ?? '') && tokens[index]?.kind === 'word';
  const target = tokens[wish ? index + 1 : index];
  if (!target || !/^(channel|user|service)$/.test(target.kind)) return null;
  const first = wish ? index + 2 : index + 1;
  let at = first;
  while (
    /^(to|should|must|has|needs|is|are|will|shall|on-call|please|also|the)$/.test(tokens[at]?.word ?? '')
  )
    at += 1;
  const has = /^(have|get|has)$/.test(tokens[index - 1]?.raw.toLowerCase() ?? '') && at === first;
  if (has) at -= 1;
  const verb = has || tokens[at]?.word === 'be' ? told[tokens[at + 1]?.raw.toLowerCase() ?? ''] : undefined;
  if (verb === undefined || (at === first && !has)) return null;
  const fits = verb === 'page' ? target.kind === 'service' : true;
  return fits
    ? { put: [word(target.kind === 'service' ? 'page' : verb, target), target], used: at - index + 2 }
    : null;
};

/** ", summary to @bo", "then the list to #ops": what is sent, without a verb. */
const verbless: Rewrite = (tokens, index) => {
  const before = tokens[index - 1];
  const starts =
    isBreak(before) || (before?.kind === 'word' && /^(then|and|otherwise|also)$/.test(before.word));
  const token = tokens[index];
  if (!starts || !token || !/^(summary|list|result|count|link)$/.test(token.word) || index === 0) return null;
  const placed = /^(to|in|for)$/.test(tokens[index + 1]?.word ?? '') && isReceiver(tokens[index + 2]);
  return placed ? { put: [word('post', token), token], used: 1 } : null;
};

/** "page X + P1 in SEC", "and a bug in MOBI": a ticket to be created along with another change. */
const alongside: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const plus = token?.kind === 'mark' && token.word === '+';
  if (!token || !(plus || /^(and|also)$/.test(token.word))) return null;
  let at = index + 1;
  while (/^(a|an|the|new|also)$/.test(tokens[at]?.word ?? '')) at += 1;
  const things = tokens.slice(at, at + 4);
  const kind = things[0]?.kind === 'priority' || /^(ticket|bug|task|story)$/.test(things[0]?.word ?? '');
  const placed = things.some((other, place) => other.word === 'in' && things[place + 1]?.kind === 'project');
  const orders = tokens.slice(0, index).some((_, place) => startsPage(tokens, place));
  if (
    plus &&
    tokens[index - 1]?.kind === 'number' &&
    (tokens[index - 1]?.end === token.start || !startsWrite(tokens, index + 1))
  )
    return null;
  if (kind && placed && orders) return { put: [word('also', token), word('create', token)], used: 1 };
  return plus ? { put: [word('also', token)], used: 1 } : null;
};

function startsPage(tokens: readonly Token[], index: number): boolean {
  return tokens[index]?.kind === 'word' && /^(page|notify)$/.test(tokens[index]?.word ?? '');
}

/** "MAJ-7 to Mitigated." and "PAY-3 → Done": a move without a verb. */
const moved: Rewrite = (tokens, index) => {
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

/** "I'd like a ticket in OPS": one that is to be made. */
const wanted: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const wish =
    /^(?:i'd like|i would like|i want|i need|we need|we want|we'd like|need|want|can i have|can i get|could i have|could i get)$/.test(
      token?.raw.toLowerCase() ?? '',
    );
  if (!token || !wish || !/^(a|an|one)$/.test(tokens[index + 1]?.word ?? '')) return null;
  const noun = tokens
    .slice(index + 2, index + 5)
    .find((other) => /^(ticket|issue|bug|task|story|jira)$/.test(other.raw.toLowerCase()));
  return noun ? { put: [word('create', token)], used: 1 } : null;
};

const rewrites: readonly Rewrite[] = [
  numbered,
  corrected,
  changedFirst,
  commentFirst,
  placeFirst,
  saidFirst,
  ticketFirst,
  upwards,
  goesOn,
  openOne,
  hits,
  writesTo,
  taken,
  reached,
  aside,
  bounded,
  written,
  nothing,
  toldIf,
  denial,
  wanted,
  idle,
  condensed,
  sideBySide,
  intoNote,
  offLimits,
  unneeded,
  each,
  askedOf,
  soughtRunbook,
  spelledKey,
  participle,
  withCondition,
  asleep,
  beyondThat,
  nextTo,
  labelled,
  finished,
  namedTicket,
  doubled,
  passive,
  havingDone,
  verbLast,
  summaryFor,
  whoIf,
  wished,
  receiverFirst,
  wokenUp,
  quoteFirst,
  thingGoes,
  verbless,
  alongside,
  moved,
];

/** "splunk: if …": where to look, in front of a condition, belongs into it. */
function withPlace(tokens: readonly Token[]): Token[] {
  const out = [...tokens];
  const colon = out.findIndex((token) => token.kind === 'mark' && token.word === ':');
  const two =
    colon > 2 &&
    out
      .slice(0, colon)
      .every((token) => /^(compare|splunk|kql|and|in|both|please|vs|with|check)$/.test(token.word));
  if (two)
    return [
      ...out.slice(colon + 1, partEnd(out, colon, /^[,;.?!]$/)),
      ...out.slice(0, colon).filter((token) => token.word !== 'compare'),
      ...out.slice(partEnd(out, colon, /^[,;.?!]$/)),
    ];
  const at = out.findIndex((token) => token.word === 'if' && token.kind === 'word');
  const place = out.slice(0, at).filter((token) => !isBreak(token));
  const system = place.every(
    (token) =>
      token.kind === 'duration' ||
      (token.kind === 'word' && /^(kql|splunk|sql|log|in|from|per|via|please|the|last)$/.test(token.word)),
  );
  const first = out[at];
  return at > 0 && first && place.length > 0 && system ? [first, ...place, ...out.slice(at + 1)] : out;
}

/** Brings orders that are said backwards, in the passive voice or without a verb to the form "verb target". */
export function rearrange(words: readonly Token[]): Token[] {
  const tokens = withoutTakenBack(words);
  const out: Token[] = [];
  for (let index = 0; index < tokens.length; ) {
    const token = tokens[index];
    if (!token) break;
    const found = rewrites.map((rewrite) => rewrite(tokens, index)).find((result) => result !== null);
    const paged = found?.put[0]?.word === 'page' && found.put[0].start === found.put[0].end;
    while (paged && /^(for|the|on-call|of)$/.test(out.at(-1)?.word ?? '')) out.pop();
    out.push(...(found ? found.put : [token]));
    index += found ? found.used : 1;
  }
  return inOrder(withPlace(out));
}
