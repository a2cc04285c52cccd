import { partEnd } from './backwards.ts';
import { startsWrite, writeVerbs } from './grammar.ts';
import { isBreak, isReceiver, word } from './marks.ts';
import type { Rewrite } from './rewrites.ts';
import type { Token } from './token.ts';

function rawAt(tokens: readonly Token[], index: number): string {
  return tokens[index]?.raw.toLowerCase() ?? '';
}

const pointer = /^(it|this|that|these|those|them|both|all|everything)\b/;
const around =
  /^(it|this|that|these|those|them|both|all|everything|of|up|together|in|into|one|a|any|single|short|the|to)$/;

/** "boil PAY-3 down to a few lines", "wrap it all into one summary": a summary, said around its object. */
export const condensed: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const raw = rawAt(tokens, index);
  if (
    !token ||
    !/^(boil|break|condense|wrap|roll|bundle|put|pack|merge|fold|turn|squeeze)$/.test(raw.split(' ')[0] ?? '')
  )
    return null;
  const end = Math.min(partEnd(tokens, index, /^[,;:.?!]$/), index + 8);
  const rest = tokens.slice(index + 1, end);
  const down = rest.findIndex((other) => /^down\b/.test(other.raw.toLowerCase()));
  if (/^(boil|break|condense)$/.test(raw) && down > 0) {
    let used = down + 2;
    while (
      /^(to|into|a|an|lots|few|line|lines|sentence|sentences|two|three|paragraph|short|in)$/.test(
        rawAt(tokens, index + used),
      ) ||
      tokens[index + used]?.word === 'lots' ||
      tokens[index + used]?.kind === 'number'
    )
      used += 1;
    return { put: [word('summarize', token), ...rest.slice(0, down)], used };
  }
  const whole = rest.findIndex((other) => other.word === 'summary');
  const said = rest.slice(0, Math.max(whole, 0)).map((other) => other.raw.toLowerCase());
  const points =
    said.some((text) => pointer.test(text)) &&
    said.every((text) => text.split(' ').every((part) => around.test(part)));
  return whole > 0 && points
    ? { put: [word('summarize', token), word('both', token)], used: whole + 2 }
    : null;
};

/** "put the P2s of TRK next to those of FRT": a comparison. */
export const sideBySide: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (!token || !/^(put|set|hold|lay|place|stack)$/.test(rawAt(tokens, index))) return null;
  const end = partEnd(tokens, index, /^[,;:.?!]$/);
  const at = tokens.findIndex(
    (_, place) =>
      place > index && place < end && /^(next to|against|beside|alongside)$/.test(rawAt(tokens, place)),
  );
  const two = tokens.findIndex(
    (other, place) =>
      place > index && place < end && other.raw.toLowerCase() === 'next' && tokens[place + 1]?.word === 'to',
  );
  const middle = at > 0 ? at : two;
  if (middle < 0) return null;
  const used = middle - index + (at > 0 ? 1 : 2);
  return { put: [word('compare', token), ...tokens.slice(index + 1, middle), word('vs', token)], used };
};

/** "get the runbook into a note on incident 7": what is found is written down in another order. */
export const intoNote: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (!token || !/^(in|into|as)$/.test(token.word)) return null;
  let at = index + 1;
  while (/^(a|an|the)$/.test(tokens[at]?.word ?? '')) at += 1;
  const kind = tokens[at];
  if (!/^(note|comment)$/.test(kind?.word ?? '') || !/^(on|to|for|in|onto)$/.test(tokens[at + 1]?.word ?? ''))
    return null;
  if (!kind) return null;
  // "… and as a comment on PAY-3": the same once more.
  if (tokens[index - 1]?.word === 'and')
    return {
      put: [
        word('add', token),
        { ...word('it', token), raw: 'the same' },
        word('as', token),
        kind,
        word('on', token),
      ],
      used: at - index + 2,
    };
  let start = index;
  while (
    start > 0 &&
    !/^[,;:.?!]$/.test(tokens[start - 1]?.word ?? '') &&
    !/^(and|then|also)$/.test(tokens[start - 1]?.word ?? '')
  )
    start -= 1;
  if (tokens.slice(start, index).some((other) => other.kind === 'word' && writeVerbs.has(other.word)))
    return null;
  const mark: Token = { ...word(',', token), kind: 'mark' };
  return {
    put: [mark, word('add', token), word('it', token), word('as', token), kind, word('on', token)],
    used: at - index + 2,
  };
};

/** "paging is off limits": a denial behind its subject. */
export const offLimits: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (
    token?.kind !== 'word' ||
    !writeVerbs.has(token.word) ||
    !/^(is|are)$/.test(tokens[index + 1]?.word ?? '')
  )
    return null;
  const said = tokens
    .slice(index + 2, index + 5)
    .map((other) => other.raw.toLowerCase())
    .join(' ');
  const match = said.match(
    /^(?:off limits|off the table|not allowed|not wanted|not needed|not necessary|forbidden|unwanted|out of the question|a no-go|a no go)/,
  );
  if (!match) return null;
  let used = 2;
  for (let length = 0; length < match[0].length; used += 1) length += rawAt(tokens, index + used).length + 1;
  return { put: [word('do-not', token), { ...token }], used };
};

/** "a page is not necessary". */
export const unneeded: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const not = /^(?:is|are) not$|^(?:isn|aren)'?t$/.test(rawAt(tokens, index + 1));
  const needed = /^(necessary|needed|required|wanted|called)$/.test(rawAt(tokens, index + 2));
  return token?.kind === 'word' && writeVerbs.has(token.word) && not && needed
    ? { put: [word('do-not', token), token], used: 3 }
    : null;
};

/** "once for ACQ and once for ISS": counted, not a condition. */
export const each: Rewrite = (tokens, index) => {
  const token = tokens[index];
  return token?.word === 'if' &&
    /^once$/i.test(token.raw) &&
    /^(for|in|per|with|on)$/.test(tokens[index + 1]?.word ?? '')
    ? { put: [], used: 1 }
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

/** "the P3 count next to its SLA limit": one against the other. */
export const nextTo: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (!token || !/^next$/i.test(token.raw) || tokens[index + 1]?.word !== 'to') return null;
  const limit = tokens.slice(index + 2, index + 5).some((other) => /^(sla|threshold)$/.test(other.word));
  return limit ? { put: [word('vs', token)], used: 2 } : null;
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

/** Stands for a "then" that waits for everything before it. */
export const afterAll = 'after all';

/** "once both are through", "when that is done": afterwards. */
export const finished: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (!token || !/^(once|when|after|as soon as|if)$/.test(rawAt(tokens, index)) || token.kind !== 'word')
    return null;
  const subject = /^(both|all|everything|that|this|it|they|these|those|all of that|both of them)$/.test(
    rawAt(tokens, index + 1),
  );
  const both = /^(both|all|everything|these|those|they)\b/.test(rawAt(tokens, index + 1));
  const verb = /^(is|are|has|have|was|were)$/.test(tokens[index + 2]?.word ?? '');
  const over = /^(through|done|finished|complete|completed|out|sent|in|over|made)$/.test(
    rawAt(tokens, index + 3),
  );
  return subject && verb && over && rawAt(tokens, index) !== 'if'
    ? { put: [{ ...word('then', token), raw: both ? afterAll : 'then' }], used: 4 }
    : null;
};

const ticketNoun = /^(ticket|bug|story|task|issue|jira|incident ticket)$/;

/** "P1 in LAKE titled "…"": a ticket that is named but not there yet. */
export const namedTicket: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (!token || !(isBreak(tokens[index - 1]) || /^(and|then|also)$/.test(tokens[index - 1]?.word ?? '')))
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
  if (asked) return { put: [word('create', token), token], used: 1 };
  const told =
    one &&
    rest.some((other) => /^(please|:)$/.test(other.word)) &&
    !rest.some((other) => /^(how many|count)$/.test(other.word));
  if (told) return { put: [word('create', token), token], used: 1 };
  return titled && tokens[at + 3]?.kind === 'quote' ? { put: [word('create', token), token], used: 1 } : null;
};

/** "page X, no wait, post in #y": the order before is taken back. */
export function withoutTakenBack(tokens: readonly Token[]): readonly Token[] {
  const raw = (index: number, length: number): string =>
    tokens
      .slice(index, index + length)
      .map((token) => token.raw.toLowerCase())
      .join(' ');
  const at = tokens.findIndex(
    (_, index) =>
      index > 0 &&
      /^(?:no wait|wait no|no , wait|wait , no|scratch that|strike that|actually no|no , actually|correction)\b/.test(
        raw(index, 4),
      ),
  );
  if (at < 0) return tokens;
  let start = at;
  while (
    start > 0 &&
    !/^[;.?!]$/.test(tokens[start - 1]?.word ?? '') &&
    !/^(if|unless)$/.test(tokens[start - 1]?.word ?? '')
  )
    start -= 1;
  let end = at;
  while (
    end < tokens.length &&
    /^(no|none|do-not|not|wait|scratch|strike|that|actually|correction|,|:|-|please)$/.test(
      tokens[end]?.raw.toLowerCase() ?? '',
    )
  )
    end += 1;
  const gone = tokens.slice(start, at);
  if (gone.some((token) => token.kind === 'word' && /^(if|unless)$/.test(token.word))) return tokens;
  // "scratch the page and post …": what is taken back is said once more.
  if (/^(scratch|forget|drop|cancel|skip)$/.test(rawAt(tokens, end))) {
    const and = tokens.findIndex((token, index) => index > end && /^(and|but|,)$/.test(token.word));
    if (and > 0) end = and + 1;
  }
  return [...tokens.slice(0, start), ...tokens.slice(end)];
}

/** "P2s, raised in CARE": how they came to be, and no order. */
export const participle: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const made =
    token?.kind === 'word' &&
    token.word === 'create' &&
    /^(raised|filed|logged|opened|created|reported|made)$/i.test(token.raw);
  return made && !/^(be|been|get|gets)$/.test(rawAt(tokens, index - 1))
    ? { put: [{ ...token, word: 'recorded' }], used: 1 }
    : null;
};

/** "with zero P2s left, post …", "Ist kein P2 mehr offen, schreib …": a condition without `if`. */
export const withCondition: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (!token || !isBreak(tokens[index - 1])) return null;
  const next = tokens[index + 1];
  const counted =
    next?.kind === 'number' ||
    /^(none|more-than|less-than|at-least|at-most|over|under|above|below|any)$/.test(next?.word ?? '');
  const inverted = /^(ist|sind|hat|haben|gibt|gab)$/i.test(token.raw);
  if (!(token.word === 'with' && counted) && !inverted) return null;
  const comma = partEnd(tokens, index, /^[,;:.?!]$/);
  return tokens[comma]?.word === ',' && startsWrite(tokens, comma + 1)
    ? { put: inverted ? [word('if', token), token] : [word('if', token)], used: 1 }
    : null;
};

/** "and let them sleep": nobody is paged. */
export const asleep: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const sleep = /^(sleep|rest|be)$/.test(rawAt(tokens, index + 2));
  return token?.word === 'let' && /^(them|him|her|everyone|people)$/.test(rawAt(tokens, index + 1)) && sleep
    ? { put: [word('do-not', token), word('page', token)], used: 3 }
    : null;
};

/** "up to 5, …; beyond that, page X": the other branch. "if we are beyond that" is a breach. */
export const beyondThat: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const raw = rawAt(tokens, index);
  if (token?.word !== 'breached' || !/^(?:beyond|above|past|over) that$/.test(raw)) return null;
  const starts = isBreak(tokens[index - 1]) || /^(and|but|or)$/.test(tokens[index - 1]?.word ?? '');
  const orders = isBreak(tokens[index + 1]) || startsWrite(tokens, index + 1);
  return starts && orders ? { put: [{ ...token, word: 'otherwise' }], used: 1 } : null;
};

/** "there should be a runbook for …": one is looked for, not made. */
export const soughtRunbook: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const runbook = tokens.slice(index + 1, index + 4).some((other) => other.word === 'runbook');
  return token?.kind === 'word' && token.word === 'create' && runbook
    ? { put: [word('find', token)], used: 1 }
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

/** "who do I call if auth falls over": whom, whatever happens. */
export const whoIf: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (
    token?.word !== 'if' ||
    tokens[index - 1]?.word !== 'on-call' ||
    !/\bwho/i.test(tokens[index - 1]?.raw ?? '')
  )
    return null;
  const service = tokens[index + 1];
  const end = partEnd(tokens, index, /^[,;.?!]$/);
  const falls = /^(falls|breaks|goes|dies|fails|crashes|is|has|gets|acts|stops|misbehaves|page)$/.test(
    rawAt(tokens, index + 2),
  );
  return service && falls && end - index <= 8 && tokens.slice(end).every((other) => other.kind === 'mark')
    ? { put: [word('for', token), { ...service, kind: 'service', word: service.raw }], used: end - index }
    : null;
};

/** "summarise for #ops: A plus B": what it is made of comes first. */
export const summaryFor: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const receiver = tokens[index + 2];
  const head = token?.word === 'summarize' && tokens[index + 1]?.word === 'for' && isReceiver(receiver);
  if (!token || !receiver || !head || tokens[index + 3]?.word !== ':') return null;
  const end = partEnd(tokens, index + 4, /^[;.?!]$/);
  const mark: Token = { ...word(',', token), kind: 'mark' };
  return {
    put: [
      word('get', token),
      ...tokens.slice(index + 4, end),
      mark,
      token,
      word('both', token),
      word('for', token),
      receiver,
    ],
    used: end - index,
  };
};
