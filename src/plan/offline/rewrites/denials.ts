import { writeVerbs } from '../words/grammar.ts';
import { isBreak, isReceiver, word } from '../words/marks.ts';
import type { Token } from '../words/token.ts';
import { type Rewrite, rawAt } from './rewrite.ts';

/** "page nobody", "post nothing to #pay": a denial behind the verb, said as "don't page". */
export function denial(
  tokens: readonly Token[],
  index: number,
): { put: readonly Token[]; used: number } | null {
  const token = tokens[index];
  if (
    token?.kind !== 'word' ||
    !/^(page|tell|post|notify|comment|create|ack|resolve|close|move)$/.test(token.word)
  )
    return null;
  const two =
    /^no$/i.test(tokens[index + 1]?.raw ?? '') && /^(one|body)$/i.test(tokens[index + 2]?.raw ?? '');
  const next = tokens[index + 1];
  const none =
    next?.kind === 'word' &&
    /^(nobody|no-one|noone|no one|nothing|no tickets?|nobody else|none|none of (?:them|these|those|it)|neither(?: of them)?)$/i.test(
      next.raw,
    );
  // "tell #ops nothing"
  let at = index + 1;
  while (/^(to|in|the)$/.test(tokens[at]?.word ?? '')) at += 1;
  const silent =
    /^(channel|user|service|key|id)$/.test(tokens[at]?.kind ?? '') &&
    tokens[at + 1]?.kind === 'word' &&
    /^(nothing|nothing at all)$/i.test(tokens[at + 1]?.raw ?? '');
  if (silent) return { put: [word('do-not', token), ...tokens.slice(index, at + 1)], used: at - index + 2 };
  if (!two && !none) return null;
  return { put: [word('do-not', token), token], used: two ? 3 : 2 };
}

/** "do nothing": the branch in which nothing happens. */
export const nothing: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const none = /^(nothing|nothing at all|none)$/i.test(tokens[index + 1]?.raw ?? '');
  const more = /^(else|more|with|about)$/i.test(tokens[index + 2]?.raw ?? '');
  return token && none && !more && /^(do|does)$/i.test(token.raw)
    ? { put: [word('noop', token)], used: 2 }
    : null;
};

/** "…, nothing else": the end of what is asked for. */
export const nothingElse: Rewrite = (tokens, index) => {
  const comma = tokens[index]?.word === ',' ? index + 1 : index;
  const said = `${rawAt(tokens, comma)} ${rawAt(tokens, comma + 1)}`;
  const ends = tokens.slice(comma + 2).every((other) => other.kind === 'mark');
  return index > 0 && ends && /^(?:nothing|no) (?:else|more)$/.test(said) && isBreak(tokens[comma - 1])
    ? { put: [], used: comma + 2 - index }
    : null;
};

/** "and definitely not the pager": nobody is paged. */
export const notPager: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (!token || !/^(not|no|never|do-not|none)$/.test(token.word)) return null;
  const at = tokens[index + 1]?.word === 'the' ? index + 2 : index + 1;
  return /^(?:the )?pagers?$/i.test(tokens[at]?.raw ?? '') && isBreak(tokens[at + 1])
    ? { put: [word('do-not', token), word('page', token)], used: at + 1 - index }
    : null;
};

/** "keep Slack and the pager out of it": neither is used. */
export const keptOut: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (!token || !/^(keep|leave)$/i.test(token.raw)) return null;
  let at = index + 1;
  const verbs: Token[] = [];
  for (let other = tokens[at]; other && at < index + 7; other = tokens[at]) {
    if (/^(post|notify)$/.test(other.word) || /^slack$/i.test(other.raw))
      verbs.push(word('do-not', other), word('post', other));
    else if (/^(page|on-call|pagerduty)$/.test(other.word))
      verbs.push(word('do-not', other), word('page', other));
    else if (!/^(the|and|,|or|both)$/.test(other.word)) break;
    at += 1;
  }
  const out =
    /^(?:out of|from)\b/.test(rawAt(tokens, at)) ||
    (rawAt(tokens, at) === 'out' && rawAt(tokens, at + 1) === 'of');
  const used = rawAt(tokens, at) === 'out' ? at + 3 : at + 2;
  return verbs.length > 0 && out ? { put: verbs, used: used - index } : null;
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

/** "and let them sleep": nobody is paged. */
export const asleep: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const sleep = /^(sleep|rest|be)$/.test(rawAt(tokens, index + 2));
  return token?.word === 'let' && /^(them|him|her|everyone|people)$/.test(rawAt(tokens, index + 1)) && sleep
    ? { put: [word('do-not', token), word('page', token)], used: 3 }
    : null;
};

/** "leave it alone", "let it be", "leave it": nothing is to be done. */
export const idle: Rewrite = (tokens, index) => {
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
