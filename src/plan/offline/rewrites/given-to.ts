import { isReceiver, word } from '../words/marks.ts';
import type { Token } from '../words/token.ts';
import { listAt } from './receivers-first.ts';
import type { Rewrite } from './rewrite.ts';

/** "give @lea an update", "drop #ops a line": somebody is told. */
export const givenWord: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const gives = /^(give|send|drop|shoot|write|owe)$/.test(token?.raw.toLowerCase() ?? '');
  const receiver = gives && isReceiver(tokens[index + 1]) ? listAt(tokens, index + 1) : null;
  const at = receiver?.end ?? 0;
  const noun = /^(dm|msg|text|update|heads-up|ping|line|shout|message|note|nudge|status)$/.test(
    tokens[at + 1]?.raw.toLowerCase() ?? '',
  );
  const link = tokens.slice(at, at + 4).findIndex((other) => /^(link|key)$/.test(other.word));
  const made = tokens
    .slice(at, at + Math.max(link, 0))
    .every((other) => /^(the|a|its|ticket|new)$/.test(other.word));
  if (token && receiver && link >= 0 && made)
    return { put: [word('post', token), ...receiver.put, word('link', token)], used: at + link + 1 - index };
  return token && receiver && noun && /^(a|an)$/.test(tokens[at]?.word ?? '')
    ? { put: [word('tell', token), ...receiver.put], used: at + 2 - index }
    : null;
};

/** "give cdn-edge a low urgency page": it is paged. */
export const givenPage: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const service = tokens[index + 1];
  if (!token || !/^(give|send|drop)$/i.test(token.raw) || service?.kind !== 'service') return null;
  let at = index + 2;
  const how: Token[] = [];
  while (
    /^(a|an|the|low|high|urgency|low urgency|high urgency|low-urgency|high-urgency|on-call)$/.test(
      tokens[at]?.word ?? '',
    )
  ) {
    const other = tokens[at];
    if (other && /low|high|urgency/.test(other.word)) how.push(other);
    at += 1;
  }
  return tokens[at]?.word === 'page' && at > index + 2
    ? { put: [word('page', token), service, ...how], used: at + 1 - index }
    : null;
};

/** "let @bo have whatever is due": what somebody gets. */
export const letHave: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const receiver = token?.word === 'let' && isReceiver(tokens[index + 1]) ? listAt(tokens, index + 1) : null;
  const have = receiver && /^have$/i.test(tokens[receiver.end]?.raw ?? '');
  return token && receiver && have
    ? { put: [word('post', token), ...receiver.put], used: receiver.end + 1 - index }
    : null;
};

/** "I would appreciate it if @bo heard about it when …": a polite order. */
export const politelyTold: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const receiver =
    token?.word === 'please' && isReceiver(tokens[index + 1]) ? listAt(tokens, index + 1) : null;
  const heard =
    receiver && /^(heard|knew|learned|learnt|got told|got to know)$/i.test(tokens[receiver.end]?.raw ?? '');
  if (!token || !receiver || !heard) return null;
  const about =
    tokens[receiver.end + 1]?.word === 'about' &&
    /^(it|this|that)$/.test(tokens[receiver.end + 2]?.word ?? '');
  return { put: [word('tell', token), ...receiver.put], used: receiver.end + (about ? 3 : 1) - index };
};
