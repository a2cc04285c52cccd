import { writeVerbs } from '../words/grammar.ts';
import { isBreak, isReceiver, mark, word } from '../words/marks.ts';
import { partEnd } from './backwards.ts';
import { type Rewrite, rawAt } from './rewrite.ts';

const pointer = /^(it|this|that|these|those|them|both|all|everything)\b/;

const around =
  /^(it|this|that|these|those|them|both|all|everything|of|up|together|in|into|one|a|any|single|short|the|to)$/;

/** "boil PAY-3 down to a few lines", "wrap it all into one summary": a summary, said around its object. */
export const condensed: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const raw = rawAt(tokens, index);
  if (
    !token ||
    !/^(boil|break|condense|wrap|roll|bundle|put|pack|merge|fold|turn|squeeze|rolled|wrapped|boiled|bundled|merged|folded|packed|condensed)$/.test(
      raw.split(' ')[0] ?? '',
    )
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

/** "summarise for #ops: A plus B": what it is made of comes first. */
export const summaryFor: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const receiver = tokens[index + 2];
  const head =
    /^(summarize|summary)$/.test(token?.word ?? '') &&
    tokens[index + 1]?.word === 'for' &&
    isReceiver(receiver);
  const colon = tokens[index + 3]?.word === 'please' ? index + 4 : index + 3;
  if (!token || !receiver || !head || tokens[colon]?.word !== ':') return null;
  const end = partEnd(tokens, colon + 1, /^[;.?!]$/);
  return {
    put: [
      word('get', token),
      ...tokens.slice(colon + 1, end),
      mark(',', token),
      word('summarize', token),
      word('both', token),
      word('for', token),
      receiver,
    ],
    used: end - index,
  };
};

/** "shift handover for auth: A, B, C. Summarize the lot": what it is about, in front of its parts. */
export const headed: Rewrite = (tokens, index) => {
  if (index > 0) return null;
  const colon = tokens.findIndex((token) => token.kind === 'mark' && /^[:–—-]$/.test(token.word));
  const head = tokens.slice(0, Math.max(colon, 0));
  const named = head.filter((token) => /^(service|project)$/.test(token.kind));
  const plain = head.every((token) => /^(word|service|project)$/.test(token.kind));
  const titled = head.some((token) => token.word === 'summary');
  const later = tokens.slice(colon).some((token) => /^(summarize|summary)$/.test(token.word));
  return titled && plain && later && named.length === 1 && head.length <= 6
    ? { put: named, used: colon + 1 }
    : null;
};

/** "A, B and C as one summary": a summary of all of them. */
export const oneSummary: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (!token || !/^(as|in|into)$/.test(token.word)) return null;
  let at = index + 1;
  while (/^(one|a|an|single|short|the)$/.test(tokens[at]?.raw.toLowerCase() ?? '')) at += 1;
  const one = tokens.slice(index + 1, at).some((other) => /^(one|single)$/.test(other.raw.toLowerCase()));
  const start = tokens.slice(0, index).findLastIndex((other) => /^[;:.?!]$/.test(other.word)) + 1;
  const before = tokens.slice(start, index);
  const ends =
    isBreak(tokens[at + 1]) ||
    (/^(to|for|in)$/.test(tokens[at + 1]?.word ?? '') && isReceiver(tokens[at + 2]));
  if (!/^(summary|summarize)$/.test(tokens[at]?.word ?? '') || !ends || at === index + 1) return null;
  if (before.some((other) => other.word === 'summarize')) return { put: [], used: at + 1 - index };
  const several = before.some((other) => other.word === ',') && one;
  return several
    ? {
        put: [
          ...(tokens[index - 1]?.word === ',' ? [] : [mark(',', token)]),
          word('summarize', token),
          word('both', token),
        ],
        used: at + 1 - index,
      }
    : null;
};

/** "…, summed up for @bo": one summary of what was read. */
export const summedUp: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const up = token?.word === 'together' && rawAt(tokens, index + 1) === 'up';
  let at = index + 2;
  while (/^(in|as|a|an|dm|message|post|to|for|into)$/.test(tokens[at]?.word ?? '')) at += 1;
  const receiver = tokens[at];
  return token && up && at > index + 2 && isReceiver(receiver) && receiver
    ? {
        put: [word('summarize', token), word('both', token), word('for', token), receiver],
        used: at + 1 - index,
      }
    : null;
};

/** "a short summary is enough": one is wanted. */
export const enough: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (!token || !/^(a|an|the|just)$/.test(token.word) || !isBreak(tokens[index - 1])) return null;
  let at = index + 1;
  while (/^(a|short|brief|quick|small|one|simple|concise)$/.test(rawAt(tokens, at))) at += 1;
  const raw = [0, 1, 2, 3].map((offset) => rawAt(tokens, at + offset)).join(' ');
  const match = raw.match(
    /^(?:summary|summarize|overview|recap|digest)( is enough| will do| is fine| suffices| would do| is sufficient)|^summary is enough/,
  );
  if (!match) return null;
  const end = partEnd(tokens, at, /^[,;.?!]$/);
  return { put: [word('summarize', token), word('both', token)], used: end - index };
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
  return {
    put: [
      mark(',', token),
      word('add', token),
      word('it', token),
      word('as', token),
      kind,
      word('on', token),
    ],
    used: at - index + 2,
  };
};
