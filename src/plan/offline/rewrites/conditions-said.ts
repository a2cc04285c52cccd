import { startsWrite } from '../words/grammar.ts';
import { isBreak, isReceiver, mark, word } from '../words/marks.ts';
import { partEnd } from './backwards.ts';
import { boundFirst, type Rewrite, rawAt } from './rewrite.ts';

/** "let @bo know if …": somebody is told on a condition; "let me know if …" asks. */
export const toldIf: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const before = tokens[index - 1];
  const someone = isReceiver(before) || before?.kind === 'service' || before?.word === 'on-call';
  if (!token || !someone || !/^know (?:if|whether|when)\b/i.test(token.raw)) return null;
  return { put: [{ ...token, word: 'know' }, word('if', token)], used: 1 };
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

/** "once for ACQ and once for ISS": counted, not a condition. */
export const each: Rewrite = (tokens, index) => {
  const token = tokens[index];
  return token?.word === 'if' &&
    /^once$/i.test(token.raw) &&
    /^(for|in|per|with|on)$/.test(tokens[index + 1]?.word ?? '')
    ? { put: [], used: 1 }
    : null;
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

/** "with zero P2s left, post …", "Ist kein P2 mehr offen, schreib …": a condition without `if`. */
export const withCondition: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const joined = tokens[index - 1]?.word === 'and' && tokens[index - 2]?.word === ',';
  if (!token || !(isBreak(tokens[index - 1]) || joined)) return null;
  const next = tokens[index + 1];
  const counted =
    next?.kind === 'number' ||
    /^(none|more-than|less-than|at-least|at-most|over|under|above|below|any)$/.test(next?.word ?? '');
  const inverted = /^(ist|sind|hat|haben|gibt|gab)$/i.test(token.raw);
  if (!(token.word === 'with' && counted) && !inverted) return null;
  const comma = partEnd(tokens, index, /^[,;:.?!]$/);
  const bound = next?.kind === 'number' && /^(or-more|or-less)$/.test(tokens[index + 2]?.word ?? '');
  if (token.word === 'with' && bound && startsWrite(tokens, index + 3))
    return boundFirst(tokens, index, token);
  const told = tokens.findIndex((other, at) => at > index && at < comma && isReceiver(other));
  const hears =
    told > 0 &&
    tokens.slice(index, told).some((other) => /^(or-more|or-less|ticket)$/.test(other.word)) &&
    !/^(in|to|for|on)$/.test(tokens[told - 1]?.word ?? '');
  if (token.word === 'with' && hears)
    return {
      put: [word('if', token), ...tokens.slice(index + 1, told), mark(',', token)],
      used: told - index,
    };
  return tokens[comma]?.word === ',' && startsWrite(tokens, comma + 1)
    ? { put: inverted ? [word('if', token), token] : [word('if', token)], used: 1 }
    : null;
};

/** "…, but only with no open P1 in REL": a condition behind its order. */
export const onlyWithout: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const without = /^(?:with no|without(?: an?| any)?)$/i.test(token?.raw ?? '');
  if (!token || !without || !/^(only|just)$/.test(rawAt(tokens, index - 1))) return null;
  const things = tokens.slice(index + 1, partEnd(tokens, index, /^[,;.?!]$/));
  const counted = things.some(
    (other) => other.kind === 'priority' || /^(ticket|bug|incident|error)$/.test(other.word),
  );
  return counted ? { put: [word('if', token), word('none', token)], used: 1 } : null;
};

/** "…, and, in addition, splunk shows …": one more thing that must hold. */
export const inAddition: Rewrite = (tokens, index) => {
  const [and, first, also, second] = tokens.slice(index, index + 4);
  const joins = and?.word === 'and' && first?.word === ',' && also?.word === 'also' && second?.word === ',';
  const opened = tokens.slice(0, index).some((token) => token.word === 'if');
  return and && joins && opened ? { put: [and], used: 4 } : null;
};

/** "but check first that no open one exists": what must hold before the order. */
export const checkedFirst: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const opens = /^(but|and|,)$/.test(tokens[index - 1]?.word ?? '') && index > 2;
  if (!opens || token?.word !== 'check') return null;
  let at = index + 1;
  while (/^first$/.test(rawAt(tokens, at))) at += 1;
  const denied = tokens[at]?.word === 'that' && /^(none|there)$/.test(tokens[at + 1]?.word ?? '');
  return denied ? { put: [word('if', token)], used: at - index + 1 } : null;
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

/** "Hits: post the list. No hits: …": what a search brought, as the condition. */
export const hits: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (!token || !isBreak(tokens[index - 1]) || tokens[index + 1]?.word !== ':') return null;
  if (
    /^(?:hits|matches|results|any hits|any matches|found|found something|something found)$/.test(
      token.raw.toLowerCase(),
    )
  )
    return { put: [word('if', token), word('any', token), mark(',', token)], used: 2 };
  return null;
};
