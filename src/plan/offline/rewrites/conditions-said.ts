import { hasComparison } from '../words/comparisons.ts';
import { startsWrite } from '../words/grammar.ts';
import { isBreak, isReceiver, word } from '../words/marks.ts';
import type { Token } from '../words/token.ts';
import { partEnd } from './backwards.ts';
import { type Rewrite, rawAt } from './rewrite.ts';

/** "let @bo know if …": somebody is told on a condition; "let me know if …" asks. */
export const toldIf: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const before = tokens[index - 1];
  const someone = isReceiver(before) || before?.kind === 'service' || before?.word === 'on-call';
  if (!token || !someone || !/^know (?:if|whether|when)\b/i.test(token.raw)) return null;
  return { put: [{ ...token, word: 'know' }, word('if', token)], used: 1 };
};

/** "page auth and, if PAY has P1s, tell #ops": the condition is about what comes after it. */
export const aside: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const comma = tokens[index + 1];
  if (token?.word !== 'and' || comma?.word !== ',') return null;
  const condition = tokens[index + 2];
  const at = condition?.word === 'at' || condition?.word === 'in' ? index + 3 : index + 2;
  const end = partEnd(tokens, index + 2, /^[,;.?!]$/);
  const bound =
    hasComparison(tokens.slice(at, end)) &&
    tokens.slice(at, end).every((other) => /^(number|word)$/.test(other.kind));
  if (bound && tokens[end]?.word === ',' && startsWrite(tokens, end + 1))
    return { put: [{ ...comma, word: ';', raw: ';' }, word('if', token)], used: at - index };
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
    return {
      put: [
        { ...word(';', token), kind: 'mark' },
        word('if', token),
        ...tokens.slice(index + 1, index + 3),
        { ...word(',', token), kind: 'mark' },
      ],
      used: 3,
    };
  const told = tokens.findIndex((other, at) => at > index && at < comma && isReceiver(other));
  const hears =
    told > 0 &&
    tokens.slice(index, told).some((other) => /^(or-more|or-less|ticket)$/.test(other.word)) &&
    !/^(in|to|for|on)$/.test(tokens[told - 1]?.word ?? '');
  if (token.word === 'with' && hears) {
    const mark: Token = { ...word(',', token), kind: 'mark' };
    return { put: [word('if', token), ...tokens.slice(index + 1, told), mark], used: told - index };
  }
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

/** "if one does, skip it": the other side of a condition that was said before. */
export const skipped: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (token?.word !== 'if' || token.kind !== 'word' || index === 0) return null;
  const answer =
    /^(one|it|there|they|that)$/.test(rawAt(tokens, index + 1)) &&
    /^(does|is|are|do|exists?)$/.test(rawAt(tokens, index + 2));
  const at = tokens[index + 3]?.word === ',' ? index + 4 : index + 3;
  const skips =
    /^(skip|drop|forget|leave)$/.test(rawAt(tokens, at)) && /^(it|that)$/.test(rawAt(tokens, at + 1));
  return answer && skips && isBreak(tokens[at + 2]) ? { put: [], used: at - index + 2 } : null;
};

/** "up to 5, …; beyond that, page X": the other branch. "if we are beyond that" is a breach. */
export const beyondThat: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const raw = rawAt(tokens, index);
  const starting =
    isBreak(tokens[index - 1]) &&
    /^(above|over|beyond|past)$/.test(raw) &&
    tokens[index + 1]?.word === 'it' &&
    tokens[index + 2]?.word === ',';
  const bounded = tokens
    .slice(0, index)
    .some(
      (other, at) =>
        other.kind === 'number' &&
        /^(at-most|at-least|over|under|more-than|less-than|to)$/.test(tokens[at - 1]?.word ?? ''),
    );
  const apart = isBreak(tokens[index - 1]) && /^[,:]$/.test(tokens[index + 1]?.word ?? '');
  const side = /^(above|over|beyond|past|more|higher|below|under|fewer|less|lower)$/.test(raw);
  if (token && bounded && apart && side && index > 0)
    return { put: [{ ...token, kind: 'word', word: 'otherwise' }], used: 2 };
  const limited = tokens.slice(0, index).some((other) => /^(threshold|sla)$/.test(other.word));
  if (token && starting && limited) return { put: [word('if', token), word('breached', token)], used: 2 };
  if (token?.word !== 'breached' || !/^(?:beyond|above|past|over) that$/.test(raw)) return null;
  const starts = isBreak(tokens[index - 1]) || /^(and|but|or)$/.test(tokens[index - 1]?.word ?? '');
  const orders = isBreak(tokens[index + 1]) || startsWrite(tokens, index + 1);
  return starts && orders ? { put: [{ ...token, word: 'otherwise' }], used: 1 } : null;
};

/** "ack 70233, only then tell #core": an order of its own, where no condition was said. */
export const onlyThen: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const waits = token?.word === 'in-that-case' && /^(?:and )?only then$/i.test(token.raw);
  const asked = tokens
    .slice(0, index)
    .some((other) => /^(if|unless|\?|any|none|check)$/.test(other.word) && other.kind !== 'quote');
  return token && waits && !asked ? { put: [{ ...token, word: 'then' }], used: 1 } : null;
};

/** "four or more incidents is when #ops must hear": what it takes, in front of the order. */
export const isWhen: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const when = /^(when|where|the (?:point|moment) (?:when|where|at which))$/i.test(
    tokens[index + 1]?.raw ?? '',
  );
  const counted = tokens.slice(0, index).some((other) => other.kind === 'number');
  return token?.word === 'is' && when && counted && tokens[index + 1]?.word === 'if'
    ? { put: [word('means', token)], used: 2 }
    : null;
};

/** "if that makes 100 tickets": how many there are, and nothing that is made. */
export const makesNumber: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const makes = token?.word === 'create' && /^makes?$/i.test(token.raw);
  const counted = tokens.slice(index + 1, index + 4).some((other) => other.kind === 'number');
  return token && makes && counted && /^(that|it|this|they)$/.test(tokens[index - 1]?.word ?? '')
    ? { put: [{ ...token, word: 'is' }], used: 1 }
    : null;
};

/** "do CHAT and VOX have more than 40": the auxiliary of a question that became a condition. */
export const auxiliary: Rewrite = (tokens, index) => {
  const token = tokens[index];
  return token?.word === 'run' &&
    /^(do|does|did)$/i.test(token.raw) &&
    /^(project|service)$/.test(tokens[index + 1]?.kind ?? '')
    ? { put: [], used: 1 }
    : null;
};

/** "Anything else: post it": the other branch. */
export const anythingElse: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const raw = [0, 1, 2].map((at) => rawAt(tokens, index + at)).join(' ');
  const match = raw.match(
    /^(?:anything|everything|something) else\b|^any other (?:status|state|case|result)\b|^in all other cases\b/,
  );
  const at = index + (match?.[0].split(' ').length ?? 0);
  return token && match && isBreak(tokens[index - 1]) && /^[:,]$/.test(tokens[at]?.word ?? '')
    ? { put: [{ ...token, kind: 'word', word: 'otherwise' }], used: at + 1 - index }
    : null;
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
    return { put: [word('if', token), word('any', token), { ...word(',', token), kind: 'mark' }], used: 2 };
  return null;
};
