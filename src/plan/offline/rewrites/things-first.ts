import { startsWrite, verbAt } from '../words/grammar.ts';
import { isBreak, isReceiver, word } from '../words/marks.ts';
import { lineOf, type Token } from '../words/token.ts';
import { partEnd } from './backwards.ts';
import { type Rewrite, rawAt, startsOrder } from './rewrite.ts';
import { targetAt } from './targets-first.ts';

/** "“all quiet” to #issuing": what is said, in front of where. */
export const quoteFirst: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const before = tokens[index - 1];
  if (token?.kind !== 'quote' || !(startsOrder(before) || /^[-=]+>$|^→$/.test(before?.raw ?? '')))
    return null;
  const to = tokens[index + 1];
  const aims = to !== undefined && (/^(to|in|into|for|on)$/.test(to.word) || /^(?:[-=]+>|→)$/.test(to.raw));
  const at = tokens[index + 2]?.word === 'the' ? index + 3 : index + 2;
  return aims && isReceiver(tokens[at])
    ? { put: [word('post', token), token, word('to', token)], used: at - index }
    : null;
};

/** "phones are dead": a thing that is spoken of, and no order. */
export const subjectNoun: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const starts = isBreak(tokens[index - 1]) || /^(the|our|all)$/.test(tokens[index - 1]?.word ?? '');
  const before = tokens[index - 1];
  const files = token?.kind === 'word' && token.word === 'create' && /^files$/i.test(token.raw);
  if (files && before?.kind === 'word' && !/^(he|she|it|that|who|and)$/.test(before.word))
    return { put: [{ ...token, word: 'files' }], used: 1 };
  const noun =
    token?.kind === 'word' && /^(page|post|notify|comment)$/.test(token.word) && /s$/i.test(token.raw);
  const said = /^(are|were|keep|have|stopped|stop)$/i.test(tokens[index + 1]?.raw ?? '');
  return token && starts && noun && said
    ? { put: [{ ...token, word: token.raw.toLowerCase() }], used: 1 }
    : null;
};

/** "[OPS-7] P2 / Open / "disk full"" on a line of its own: a pasted ticket, and the orders come after it. */
export const pasted: Rewrite = (tokens, index) => {
  if (index > 0) return null;
  const line = tokens.findIndex((token) => token.kind === 'mark' && token.raw === '\n');
  const head = tokens.slice(0, Math.max(line, 0));
  const key = head.slice(0, 2).find((token) => token.kind === 'key');
  const cells = head.some((token) => token.kind === 'mark' && /^[|/\]]$/.test(token.raw));
  const orders = head.some((token, at) => /^\p{Ll}/u.test(token.raw) && startsWrite(head, at));
  if (!key || !cells || orders) return null;
  return { put: [key, word('is', key), word('noted', key)], used: line };
};

/** "[ALERT] …": a label in front of what is said. */
export const bracketed: Rewrite = (tokens, index) => {
  const [open, label, close] = tokens.slice(index, index + 3);
  const named = label && !/^(key|id|quote|channel|user)$/.test(label.kind);
  return open?.raw === '[' && close?.raw === ']' && named && isBreak(tokens[index - 1])
    ? { put: [], used: 3 }
    : null;
};

/** "runbook: postgres primary disk full": what is looked for, as it is written. */
export const runbookFor: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (token?.word !== 'runbook' || !isBreak(tokens[index - 1]) || tokens[index + 1]?.word !== ':')
    return null;
  const end = partEnd(tokens, index + 2, /^[,;.?!]$/);
  const said = tokens.slice(index + 2, end);
  const plain = said.length > 1 && said.every((other) => /^(word|service|number|project)$/.test(other.kind));
  const first = said[0];
  if (!first || !plain || said.some((_, at) => startsWrite(said, at))) return null;
  const text = said.map((other) => other.raw).join(' ');
  return {
    put: [word('find', token), token, word('for', token), { ...first, kind: 'quote', word: text, raw: text }],
    used: end - index,
  };
};

/** "page escalations": a service with the name of a verb. */
export const pagedNoun: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const next = tokens[index + 1];
  const noun = next?.kind === 'word' && next.word === 'notify' && /^escalations?$/i.test(next.raw);
  const ends =
    isBreak(tokens[index + 2]) || /^(and|if|unless|then|also)$/.test(tokens[index + 2]?.word ?? '');
  return token?.kind === 'word' && token.word === 'page' && next && noun && ends
    ? { put: [token, { ...next, kind: 'service', word: next.raw }], used: 2 }
    : null;
};

/** "how long may a P3 in HELP stay open under the SLA": the agreed limit. */
export const allowedTime: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const asks =
    rawAt(tokens, index) === 'how' &&
    rawAt(tokens, index + 1) === 'long' &&
    /^(may|can|should|must|might)$/.test(rawAt(tokens, index + 2));
  if (!token || !asks) return null;
  const end = partEnd(tokens, index, /^[,;.?!]$/);
  const names = tokens
    .slice(index + 3, end)
    .filter((other) => /^(project|priority)$/.test(other.kind) || /^(and|or)$/.test(other.word));
  return names.some((other) => other.kind !== 'word')
    ? { put: [word('threshold', token), word('for', token), ...names], used: end - index }
    : null;
};

/** "redeemed cards over the last week - take the number from the database": where, behind what is counted. */
export const placeBehind: Rewrite = (tokens, index) => {
  if (index > 0) return null;
  const token = tokens[index];
  const dash = tokens.findIndex((other) => other.kind === 'mark' && /^[-–—:;]$/.test(other.word));
  if (!token || dash < 1 || tokens.slice(0, dash).some((_, at) => verbAt(tokens, at) === at)) return null;
  const order = tokens.slice(dash + 1);
  const takes =
    /^(?:get|show|count|find|check) (?:the |that |it )?(?:count |result |list |figure )?(?:from|in|with|via) (?:the )?(?:sql|splunk|kql)$/.test(
      lineOf(order),
    );
  const system = order.at(-1);
  return takes && system
    ? {
        put: [word('count', token), ...tokens.slice(0, dash), word('in', system), system],
        used: tokens.length,
      }
    : null;
};

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

/** "whatever pagerduty has open on auth": its open incidents. */
export const heldThere: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const asks = /^(which|any|what|both|everything-of|incident)$/.test(token?.word ?? '');
  const at = tokens[index + 1]?.word === 'that' ? index + 2 : index + 1;
  const holds =
    tokens[at]?.word === 'pagerduty' && /^(has|shows|lists|holds|reports)$/i.test(tokens[at + 1]?.raw ?? '');
  if (!token || !asks || !holds) return null;
  const open = /^(open|firing)$/.test(tokens[at + 2]?.word ?? '');
  return { put: [word('open', token), word('incident', token)], used: at + (open ? 3 : 2) - index };
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

const saying =
  /^(?:wrote|writes|written|mailed|emailed|mails|said|says|sent|sends|reported|reports|asked|asks|complained|complains|posted|told|tells|message|mail|email|quote|text|gave|left|got|received)$/i;

/** "a customer wrote "…" - file that as a bug": what was said is what is written down. */
export const pointedQuote: Rewrite = (tokens, index) => {
  const verb = tokens[index];
  if (verb?.kind !== 'word' || !/^(create|add|comment|note|post)$/.test(verb.word)) return null;
  if (!/^(that|this|it)$/.test(tokens[index + 1]?.word ?? '')) return null;
  const before = tokens.slice(0, index);
  const at = before.findLastIndex((token) => token.kind === 'quote');
  const quote = before[at];
  const start = before.slice(0, Math.max(at, 0)).findLastIndex((token) => /^[;.?!]$/.test(token.word)) + 1;
  const said = tokens.slice(start, at);
  const between = tokens.slice(at + 1, index);
  const speaks =
    said.some((token) => saying.test(token.raw)) &&
    said.every((token) => !/^(channel|key|id|quote)$/.test(token.kind)) &&
    !startsWrite(said, 0);
  const apart = between.every((token) => token.kind === 'mark' || /^(please|and|then|so)$/.test(token.word));
  if (!quote || !speaks || !apart) return null;
  let used = 2;
  while (/^(text|message|mail|sentence|words?|quote)$/i.test(tokens[index + used]?.raw ?? '')) used += 1;
  const stop: Token = { ...word(';', verb), kind: 'mark' };
  return { put: [...(between.length === 0 ? [stop] : []), verb, quote], used };
};

/** "host db7 is full -- make that a P2 in STOR": what stands before the dash is what the ticket is about. */
export const reportedFirst: Rewrite = (tokens, index) => {
  if (index > 0) return null;
  const verb = tokens.findIndex(
    (token, at) =>
      at > 2 &&
      token.kind === 'word' &&
      token.word === 'create' &&
      /^(that|this|it)$/.test(tokens[at + 1]?.word ?? ''),
  );
  const said = tokens.slice(0, Math.max(verb, 0));
  while (said.at(-1)?.kind === 'mark') said.pop();
  const [first] = said;
  const dashed = verb - said.length >= 1;
  const plain =
    said.length > 2 &&
    !said.some(
      (token, at) =>
        /^(quote|channel|key)$/.test(token.kind) || startsWrite(said, at) || /^(if|unless)$/.test(token.word),
    );
  if (!first || !dashed || !plain || said.some((_, at) => verbAt(said, at) === at)) return null;
  const text = said
    .map((token, at) => (at > 0 && said[at - 1]?.end === token.start ? '' : ' ') + token.raw)
    .join('')
    .trim();
  const stop: Token = { ...word(';', first), kind: 'mark' };
  return {
    put: [
      word('create', first),
      { ...first, kind: 'quote', word: text, raw: text },
      ...tokens.slice(verb + 2),
      stop,
    ],
    used: tokens.length,
  };
};

/** ""…" goes on PAY-3 as a comment". */
export const goesOn: Rewrite = (tokens, index) => {
  const quote = tokens[index];
  if (quote?.kind !== 'quote' || !/^(goes|belongs|should go)$/.test(rawAt(tokens, index + 1))) return null;
  const to = tokens[index + 2];
  const aims = to !== undefined && /^(on|to|in|into|onto)$/.test(to.word);
  if (aims && isReceiver(tokens[index + 3]))
    return { put: [word('post', quote), quote, word('to', quote)], used: 3 };
  const target = aims ? targetAt(tokens, index + 3) : null;
  return target
    ? {
        put: [word('add', quote), word('comment', quote), quote, word('on', quote), ...target.put],
        used: target.end - index,
      }
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
