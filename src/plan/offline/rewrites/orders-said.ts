import { startsWrite, verbAt } from '../words/grammar.ts';
import { isBreak, word } from '../words/marks.ts';
import { partEnd } from './backwards.ts';
import { type Rewrite, rawAt } from './rewrite.ts';

/** "take the newest P1s", "take over the shift": taking an incident is an acknowledgement, taking anything else is not. */
export const taken: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (token?.word !== 'ack' || !/^(?:i )?take(?: over)?$/i.test(token.raw)) return null;
  const rest = tokens.slice(index + 1, partEnd(tokens, index + 1, /^[,;.?!]$/));
  const owns = rest.some(
    (other) => other.kind === 'id' || /^(incident|pagerduty|it|this|that)$/.test(other.word),
  );
  const things = rest.some(
    (other) =>
      /^(priority|project|code)$/.test(other.kind) ||
      /^(error|runbook|log|ticket|bug|splunk|kql|sql|count)$/.test(other.word),
  );
  const number = rest[0]?.kind === 'number' && rest[0].word.length >= 3;
  return (owns && !things) || number ? null : { put: [{ ...token, word: 'get' }], used: 1 };
};

/** "log the flaky test as a bug in QA": a ticket to be made, and no search. */
export const loggedAs: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const starts =
    isBreak(tokens[index - 1]) || /^(and|then|please|otherwise)$/.test(tokens[index - 1]?.word ?? '');
  if (
    !token ||
    !starts ||
    !(
      /^(log|record|register|track|report|write down|capture)$/i.test(token.raw) ||
      (/^(file|raise|open|add)$/i.test(token.raw) && /^(it|that|this)$/.test(tokens[index + 1]?.word ?? ''))
    )
  )
    return null;
  const stop = partEnd(tokens, index, /^[,;.?!]$/);
  const next = tokens.findIndex(
    (other, at) =>
      at > index && at < stop && /^(and|then|also)$/.test(other.word) && startsWrite(tokens, at + 1),
  );
  const end = next > 0 ? next : stop;
  const as = tokens.findIndex((other, at) => at > index && at < end && other.word === 'as');
  const kind = tokens
    .slice(as + 1, as + 4)
    .some((other) => /^(ticket|bug|task|story)$/.test(other.word) || other.kind === 'priority');
  return as > index + 1 && kind
    ? {
        put: [
          word('create', token),
          ...tokens.slice(as + 1, end),
          word('about', token),
          ...tokens.slice(index + 1, as),
        ],
        used: end - index,
      }
    : null;
};

/** "whoever has PAY-12": who a ticket is assigned to, and nobody's shift. */
export const ticketHolder: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const has = token?.word === 'on-call' && /^who(?:ever|'s)? (?:has|got|owns)$/i.test(token.raw);
  return token && has && tokens[index + 1]?.kind === 'key' ? { put: [word('who', token)], used: 1 } : null;
};

/** "where do I find the runbook": it is looked for. */
export const whereFound: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const asks =
    token?.word === 'if' &&
    /^where$/i.test(token.raw) &&
    /^(do|can|could|would|might|should)$/.test(rawAt(tokens, index + 1));
  const person = /^(i|we|one|you|people)$/.test(rawAt(tokens, index + 2));
  const looks = /^(find|see|get|look up|look)$/.test(rawAt(tokens, index + 3));
  return token && asks && person && looks ? { put: [word('find', token)], used: 4 } : null;
};

/** "who has the tax-engine shift", "who covers auth": whose turn it is. */
export const onDuty: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (!token || !/^(who|whoever)(?:'s)?$/i.test(token.raw)) return null;
  if (!/^(has|is on|is|on|does|covers|works|holds|carries|takes)$/i.test(tokens[index + 1]?.raw ?? ''))
    return null;
  const at = tokens[index + 2]?.word === 'the' ? index + 3 : index + 2;
  const service = tokens[at];
  const shift = /^(shift|watch|duty|pager|rota|rotation|standby)$/i.test(tokens[at + 1]?.raw ?? '');
  return service?.kind === 'service' && shift
    ? { put: [word('on-call', token), word('for', token), service], used: at + 2 - index }
    : null;
};

/** "add a note to incident 7": "a note to" is no message here. */
export const noteTo: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const note = token?.word === 'post' && /^an? note to$/i.test(token.raw);
  const incident = tokens[index + 1]?.word === 'incident' || tokens[index + 1]?.kind === 'id';
  return token && note && incident && /^(add|post)$/.test(tokens[index - 1]?.word ?? '')
    ? { put: [word('note', token), word('on', token)], used: 1 }
    : null;
};

/** "pagerduty also shows 2 incidents": one more thing that holds, and no order. */
export const alsoShows: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const shows = tokens[index + 1];
  return token?.word === 'also' &&
    /^(shows|has|holds|counts|logs|reports|finds|sees|gives|returns)$/i.test(shows?.raw ?? '') &&
    shows
    ? { put: [{ ...shows, word: 'has' }], used: 2 }
    : null;
};

/** "ask the database for …": a search, not a message. */
export const askedOf: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (token?.kind !== 'word' || token.word !== 'ask') return null;
  const at = tokens[index + 1]?.word === 'the' ? index + 2 : index + 1;
  return /^(sql|splunk|kql|pagerduty|log)$/.test(tokens[at]?.word ?? '')
    ? { put: [word('find', token)], used: 1 }
    : null;
};

/** "send also a message to", "post then": one order in two words, or with its join behind it. */
export const doubled: Rewrite = (tokens, index) => {
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
