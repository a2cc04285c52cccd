import { startsWrite, verbAt } from '../words/grammar.ts';
import { isBreak, word } from '../words/marks.ts';
import { lineOf } from '../words/token.ts';
import { partEnd } from './backwards.ts';
import { type Rewrite, rawAt } from './rewrite.ts';

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

/** "cart broken": no word of an SLA, where none is spoken of. */
export const outOfOrder: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const broken = token?.word === 'breached' && /^(?:broken|broke|breaks?|breaking)$/i.test(token.raw);
  return broken && !tokens.some((other) => /^(sla|threshold)$/.test(other.word))
    ? { put: [{ ...token, word: token.raw.toLowerCase() }], used: 1 }
    : null;
};

/** "how long may a P3 in HELP stay open under the SLA": the agreed limit. */
export const allowedTime: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const may = tokens.findIndex(
    (_, at) => at > index && at < index + 5 && /^(may|can)$/.test(rawAt(tokens, at)),
  );
  const many =
    token?.word === 'how many' && may > 0 && tokens.some((other) => /^(sla|threshold)$/.test(other.word));
  const asks =
    many ||
    (rawAt(tokens, index) === 'how' &&
      rawAt(tokens, index + 1) === 'long' &&
      /^(may|can|should|must|might)$/.test(rawAt(tokens, index + 2)));
  if (!token || !asks) return null;
  const end = partEnd(tokens, index, /^[,;.?!]$/);
  const names = tokens
    .slice(many ? index + 1 : index + 3, end)
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
