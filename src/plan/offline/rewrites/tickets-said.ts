import { startsWrite } from '../words/grammar.ts';
import { isBreak, word } from '../words/marks.ts';
import type { Token } from '../words/token.ts';
import { partEnd } from './backwards.ts';
import { type Rewrite, rawAt } from './rewrite.ts';

const ticketNoun = /^(ticket|bug|story|task|issue|jira|incident ticket)$/;

/** "P1 in LAKE titled "…"": a ticket that is named but not there yet. */
export const namedTicket: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (
    !token ||
    !(isBreak(tokens[index - 1]) || /^(and|then|also|first|finally)$/.test(tokens[index - 1]?.word ?? ''))
  )
    return null;
  let at = index;
  while (/^(a|an|the|one|new)$/.test(tokens[at]?.word ?? '')) at += 1;
  const starts = at;
  const owned =
    tokens[at]?.kind === 'project' &&
    ticketNoun.test(rawAt(tokens, at + 1)) &&
    tokens[at + 2]?.word === 'about';
  const end = partEnd(tokens, at, /^[;.?!]$/);
  if (owned && tokens.slice(at, end).some((other) => /\bplease\b/i.test(other.raw)))
    return { put: [word('create', token), token], used: 1 };
  while (tokens[at]?.kind === 'priority' || ticketNoun.test(tokens[at]?.word ?? '')) at += 1;
  if (at === starts || tokens[at]?.word !== 'in' || tokens[at + 1]?.kind !== 'project') return null;
  const titled =
    /^(titled|called|named)$/.test(tokens[at + 2]?.word ?? '') ||
    /^(titled|called|named|:)$/.test(rawAt(tokens, at + 2));
  const rest = tokens.slice(at + 2, partEnd(tokens, at + 2, /^[;.?!]$/));
  const one = tokens.slice(starts, at).some((other) => ticketNoun.test(other.raw.toLowerCase()));
  const asked =
    tokens.slice(starts, at).some((other) => other.kind === 'priority') && tokens[at + 2]?.word === 'please';
  const article = /^(a|an|one|new|another)$/.test(tokens[index]?.word ?? '');
  const joined = index > 0 && /^(and|,|then|also)$/.test(tokens[index - 1]?.word ?? '');
  const about = /^(about|for|on|if|,|;)$/.test(tokens[at + 2]?.word ?? ';');
  if (asked || (article && joined && about) || amongOrders(tokens, index, at + 2))
    return { put: [word('create', token), token], used: 1 };
  const with_ =
    /^(for|about|on)$/.test(tokens[at + 2]?.word ?? '') &&
    tokens.slice(end).some((_, later, after) => startsWrite(after, later));
  if (one && with_) return { put: [word('create', token), token], used: 1 };
  const next = tokens[at + 3];
  const later =
    tokens.slice(end - 1).some((other) => /^(then|;)$/.test(other.word)) ||
    tokens.some((other, place) => place > at && /^(then|also)$/.test(other.word));
  const forQuote =
    tokens[at + 2]?.word === 'for' &&
    (next?.kind === 'quote' || (later && /^(the|our|a)$/.test(next?.word ?? '')));
  const single = tokens.slice(starts, at).every((other) => !/s$/i.test(other.raw));
  if (forQuote && single) return { put: [word('create', token), token], used: 1 };
  const told =
    one &&
    rest.some((other) => /^(please|:)$/.test(other.word)) &&
    !rest.some((other) => /^(how many|count)$/.test(other.word));
  if (told) return { put: [word('create', token), token], used: 1 };
  return titled && tokens[at + 3]?.kind === 'quote' ? { put: [word('create', token), token], used: 1 } : null;
};

/** "VPN is down: P1 in NET, page vpn": one of several orders behind a statement. */
function amongOrders(tokens: readonly Token[], index: number, end: number): boolean {
  const said = tokens.slice(0, index);
  const states =
    (said.at(-1)?.word === '!' ||
      said.some((other) => /^(is|are|has|have|keeps|was)$/.test(other.raw.toLowerCase()))) &&
    !said.some((other, at) => /^(if|unless)$/.test(other.word) || startsWrite(said, at));
  const joined = /^(,|and|then)$/.test(tokens[end]?.word ?? '') && startsWrite(tokens, end + 1);
  return states && joined && tokens[index - 1]?.kind === 'mark';
}

/** "P2s, raised in CARE": how they came to be, and no order. */
export const participle: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const made =
    token?.kind === 'word' &&
    token.word === 'create' &&
    /^(raised|filed|logged|opened|created|reported|made)$/i.test(token.raw);
  const asked =
    /^(which|list)$/.test(tokens[index - 2]?.word ?? '') && /^(was|were|got)$/.test(rawAt(tokens, index - 1));
  if (made && asked) return { put: [word('ticket', token), { ...token, word: 'recorded' }], used: 1 };
  return made && !/^(be|been|get|gets)$/.test(rawAt(tokens, index - 1))
    ? { put: [{ ...token, word: 'recorded' }], used: 1 }
    : null;
};

/** "how many tickets did ANDR resolve": closed ones. */
export const havingClosed: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const project = tokens[index + 1];
  const closes = /^(resolve|close|finish|solve|complete)$/i.test(tokens[index + 2]?.raw ?? '');
  return token && /^(did|has|have)$/i.test(token.raw) && project?.kind === 'project' && closes
    ? { put: [word('closed', token), word('in', token), project], used: 3 }
    : null;
};

/** "anything new in SEC": tickets. */
export const anythingNew: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const any = /^(?:anything|something|everything|what's|whats|stuff)$/i.test(token?.raw ?? '');
  const fresh = /^(new|fresh)$/i.test(tokens[index + 1]?.raw ?? '');
  const placed =
    /^(in|for|from)$/.test(tokens[index + 2]?.word ?? '') && tokens[index + 3]?.kind === 'project';
  return token && any && fresh && placed
    ? { put: [word('list', token), word('ticket', token)], used: 2 }
    : null;
};

/** "ticket 512 in APP": its key, in two parts. */
export const spelledKey: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const number = tokens[index + 1];
  const project = tokens[index + 2]?.word === 'in' ? tokens[index + 3] : undefined;
  const singular = token?.kind === 'word' && /^(ticket|issue|bug|story|task)$/i.test(token.raw);
  if (!singular || number?.kind !== 'number' || !/^\d+$/.test(number.raw) || project?.kind !== 'project')
    return null;
  return { put: [{ ...number, kind: 'key', word: `${project.word}-${number.word}` }], used: 4 };
};

/** "summary "disk full"": the title of a ticket, and nothing that is summarised. */
export const summaryTitle: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const title =
    token?.kind === 'word' &&
    /^(summary|summarize)$/.test(token.word) &&
    /^(?:summary|subject)$/i.test(token.raw);
  const at = tokens[index + 1]?.word === ':' ? index + 2 : index + 1;
  const made = tokens.slice(0, index).some((other) => /^(create|bug|ticket|task|story)$/.test(other.word));
  return token && title && made && tokens[at]?.kind === 'quote'
    ? { put: [{ ...token, word: 'titled' }], used: at - index }
    : null;
};

/** "labelled docs": a label is a name, whatever else the word may mean. */
export const labelled: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (token?.kind !== 'word' || token.word !== 'label') return null;
  let at = index + 1;
  while (/^(is|as|the|:|=|with|exactly)$/.test(tokens[at]?.word ?? '')) at += 1;
  const value = tokens[at];
  if (value?.kind !== 'word' || value.word === value.raw.toLowerCase() || value.word === 'label') return null;
  return {
    put: [...tokens.slice(index, at), { ...value, word: value.raw.toLowerCase() }],
    used: at - index + 1,
  };
};

/** "there should be a runbook for …": one is looked for, not made. */
export const soughtRunbook: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const runbook = tokens.slice(index + 1, index + 4).some((other) => other.word === 'runbook');
  return token?.kind === 'word' && token.word === 'create' && runbook
    ? { put: [word('find', token)], used: 1 }
    : null;
};

/** "I'd like a ticket in OPS": one that is to be made. */
export const wanted: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const wish =
    /^(?:i'd like|i would like|i want|i need|we need|we want|we'd like|need|want|can i have|can i get|could i have|could i get)$/.test(
      token?.raw.toLowerCase() ?? '',
    );
  if (!token || !wish || !/^(a|an|one)$/.test(tokens[index + 1]?.word ?? '')) return null;
  const noun = tokens
    .slice(index + 2, index + 5)
    .find((other) => /^(ticket|issue|bug|task|story|jira)$/.test(other.raw.toLowerCase()));
  const placed =
    tokens[index + 2]?.kind === 'priority' &&
    tokens[index + 3]?.word === 'in' &&
    tokens[index + 4]?.kind === 'project';
  return noun || placed ? { put: [word('create', token)], used: 1 } : null;
};

/** "page X + P1 in SEC", "and a bug in MOBI": a ticket to be created along with another change. */
export const alongside: Rewrite = (tokens, index) => {
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

/** "unless there is already an open one": how the one is, and no order. */
export const openOne: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const before = rawAt(tokens, index - 1);
  return token?.word === 'create' && /^open one$/i.test(token.raw) && /^(an|already|any|is|no)$/.test(before)
    ? { put: [word('open', token), word('one', token)], used: 1 }
    : null;
};

/** "BOOK needs a new story called "…"": the project asks for a ticket. */
export const projectNeeds: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const needs = /^(needs|wants|deserves|requires|could use|should get|gets)$/.test(rawAt(tokens, index + 1));
  if (
    token?.kind !== 'project' ||
    !needs ||
    !(isBreak(tokens[index - 1]) || tokens[index - 1]?.word === 'and')
  )
    return null;
  const noun = tokens
    .slice(index + 2, index + 6)
    .findIndex(
      (other) =>
        ticketNoun.test(other.raw.toLowerCase()) || (other.kind === 'priority' && !/s$/i.test(other.raw)),
    );
  if (noun < 0) return null;
  const at = index + 2 + noun;
  return {
    put: [word('create', token), ...tokens.slice(index + 2, at + 1), word('in', token), token],
    used: at - index + 1,
  };
};
