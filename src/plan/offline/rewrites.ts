import { partEnd } from './backwards.ts';
import { isBreak, isReceiver, word } from './marks.ts';
import type { Token } from './token.ts';

/** Tokens to put in place of `used` tokens from a place on, or null where it does not fit. */
export type Rewrite = (
  tokens: readonly Token[],
  index: number,
) => { put: readonly Token[]; used: number } | null;

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

/** "do nothing": the branch in which nothing happens. */
export const nothing: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const none = /^(nothing|nothing at all|none)$/i.test(tokens[index + 1]?.raw ?? '');
  const more = /^(else|more|with|about)$/i.test(tokens[index + 2]?.raw ?? '');
  return token && none && !more && /^(do|does)$/i.test(token.raw)
    ? { put: [word('noop', token)], used: 2 }
    : null;
};

/** "let @bo know if …": somebody is told on a condition; "let me know if …" asks. */
export const toldIf: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const before = tokens[index - 1];
  const someone = isReceiver(before) || before?.kind === 'service' || before?.word === 'on-call';
  if (!token || !someone || !/^know (?:if|whether|when)\b/i.test(token.raw)) return null;
  return { put: [{ ...token, word: 'know' }, word('if', token)], used: 1 };
};

/** "OPS-3 comment "…"": the ticket in front of what is written on it. */
export const written: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const verb = tokens[index + 1];
  const starts = isBreak(tokens[index - 1]) || /^(and|then|please)$/.test(tokens[index - 1]?.word ?? '');
  if (token?.kind !== 'key' || !starts || verb?.word !== 'comment' || verb.kind !== 'word') return null;
  const text = tokens[index + 2];
  return text?.kind === 'quote' || text?.word === ':'
    ? { put: [verb, word('on', verb), token], used: 2 }
    : null;
};

/** "more than 3 but fewer than 9": two bounds of one comparison. */
export const bounded: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (!token || !/^(but|,|and)$/.test(token.word)) return null;
  // "more than 3 and fewer than 9 tickets": what is counted comes after both, so both are about it.
  if (token.word === 'and' && tokens[index - 1]?.kind !== 'number') return null;
  const at = token.word === ',' && tokens[index + 1]?.word === 'but' ? index + 2 : index + 1;
  if (token.word === ',' && at === index + 1) return null;
  const compares = /^(less-than|at-most|under|below|more-than|over|above|at-least)$/;
  const next = tokens[at]?.word === 'not' ? at + 1 : at;
  const before = tokens.slice(Math.max(0, index - 4), index);
  const fits =
    compares.test(tokens[next]?.word ?? '') &&
    tokens[next + 1]?.kind === 'number' &&
    before.some((other) => compares.test(other.word)) &&
    before.some((other) => other.kind === 'number');
  return fits ? { put: [], used: at - index } : null;
};

/** "page auth and, if PAY has P1s, tell #ops": the condition is about what comes after it. */
export const aside: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const comma = tokens[index + 1];
  if (token?.word !== 'and' || comma?.word !== ',') return null;
  const condition = tokens[index + 2];
  if (condition?.kind !== 'word' || !/^(if|when|unless|once)$/.test(condition.word)) return null;
  return { put: [{ ...comma, word: ';', raw: ';' }], used: 2 };
};

/** "close A only after B is Done": a state that must be reached first is a condition. */
export const reached: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (!token || !/^(?:(?:but )?only )?(?:after|once|until after)$/i.test(token.raw)) return null;
  let at = index + 1;
  while (/^(the|ticket|and|both|or|,)$/.test(tokens[at]?.word ?? '') || tokens[at]?.kind === 'key') at += 1;
  const thing =
    tokens.slice(index + 1, at).some((other) => other.kind === 'key') || tokens[at]?.word === 'it';
  const state = tokens.slice(at, at + 2).some((other) => /^(is|are|has|have|was|been)$/.test(other.word));
  return thing && state ? { put: [word('if', token)], used: 1 } : null;
};
