import { startsWrite, verbAt } from '../words/grammar.ts';
import { isBreak, isReceiver, mark, word } from '../words/marks.ts';
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

export const saying =
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
  const stop = mark(';', verb);
  return { put: [...(between.length === 0 ? [stop] : []), verb, quote], used };
};

/** "page auth: provider outage, ETA 30 min": what stands behind the colon is what the page says. */
export const pageText: Rewrite = (tokens, index) => {
  const colon = tokens[index];
  if (colon?.kind !== 'mark' || colon.word !== ':') return null;
  const start =
    tokens.slice(0, index).findLastIndex((token) => token.kind === 'mark' && /^[;.?!,]$/.test(token.word)) +
    1;
  const head = tokens.slice(start, index);
  const makes =
    head[0]?.word === 'create' &&
    head
      .slice(1)
      .every(
        (token) =>
          /^(project|priority|service)$/.test(token.kind) ||
          /^(a|an|the|new|ticket|bug|task|story|in|for|as|please)$/.test(token.word),
      ) &&
    startsWrite(tokens, index + 1);
  const pages =
    head.some((token) => token.kind === 'word' && /^(page|notify)$/.test(token.word)) &&
    head.some((token) => token.kind === 'service' || token.word === 'on-call') &&
    head.every(
      (token) =>
        token.kind === 'service' ||
        /^(page|notify|on-call|the|for|of|engineer|person|team|please|a|also|then|and)$/.test(token.word),
    );
  let end = index + 1;
  while (
    end < tokens.length &&
    !(tokens[end]?.kind === 'mark' && /^[;.?!]$/.test(tokens[end]?.word ?? '')) &&
    !(
      /^(and|then|,)$/.test(tokens[end]?.word ?? '') &&
      (startsWrite(tokens, end + 1) || /^(if|unless)$/.test(tokens[end + 1]?.word ?? ''))
    )
  )
    end += 1;
  const said = tokens.slice(index + 1, end);
  const [first] = said;
  if (
    !(pages || makes) ||
    !first ||
    said.length < 2 ||
    first.kind === 'quote' ||
    (!makes && startsWrite(said, 0)) ||
    said.some((token) => /^(if|unless|quote)$/.test(token.word))
  )
    return null;
  const text = said
    .map((token, at) => (at > 0 && said[at - 1]?.end === token.start ? '' : ' ') + token.raw)
    .join('')
    .trim();
  return { put: [{ ...first, kind: 'quote', word: text, raw: text }], used: end - index };
};

/** "page auth, message "…"": what the page says. */
export const pageMessage: Rewrite = (tokens, index) => {
  const [comma, noun, quote] = tokens.slice(index, index + 3);
  const said =
    comma?.word === ',' &&
    /^(message|msg|text|summary|title|reason|note|saying)$/i.test(noun?.raw ?? '') &&
    quote?.kind === 'quote';
  const start =
    tokens.slice(0, index).findLastIndex((token) => token.kind === 'mark' && /^[;.?!,]$/.test(token.word)) +
    1;
  const pages = tokens.slice(start, index).some((token) => token.kind === 'word' && token.word === 'page');
  return comma && quote && said && pages ? { put: [word('saying', comma), quote], used: 3 } : null;
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
  const stop = mark(';', first);
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
