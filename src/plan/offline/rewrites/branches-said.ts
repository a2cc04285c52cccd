import { hasComparison } from '../words/comparisons.ts';
import { startsWrite, verbAt } from '../words/grammar.ts';
import { isBreak, isReceiver, word } from '../words/marks.ts';
import type { Token } from '../words/token.ts';
import { partEnd } from './backwards.ts';
import { boundFirst, type Rewrite, rawAt } from './rewrite.ts';

/** "page auth and, if PAY has P1s, tell #ops": the condition is about what comes after it. */
export const aside: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const comma = tokens[index + 1];
  const bounds =
    /^(over|at-least|more-than|under|less-than)$/.test(comma?.word ?? '') &&
    tokens[index + 2]?.kind === 'number';
  if (token?.word === 'and' && bounds && tokens[index - 1]?.word === ',' && startsWrite(tokens, index + 3))
    return boundFirst(tokens, index, token);
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

/** "page auth if A and search if B": the second order lacks its verb. */
export const sameVerb: Rewrite = (tokens, index) => {
  const [and, thing, condition, subject] = tokens.slice(index, index + 4);
  if (!/^(and|,)$/.test(and?.word ?? '') || !and || !thing || condition?.word !== 'if') return null;
  const start =
    tokens.slice(0, index).findLastIndex((token) => token.kind === 'mark' && /^[;.?!]$/.test(token.word)) + 1;
  const before = tokens.slice(start, index);
  const first = before.findIndex((token) => token.word === 'if' && token.kind === 'word');
  const orders = before.slice(0, Math.max(first, 0));
  const verb = orders.findLast(
    (token, at) => token.kind === 'word' && verbAt(orders, at) === at && startsWrite(orders, at),
  );
  // A nickname of a project is the service that is paged.
  const paged = verb?.word === 'page' && thing.kind === 'project';
  const target: Token = paged ? { ...thing, kind: 'service', word: thing.raw } : thing;
  const alike = orders.some(
    (other) => other.kind === target.kind || (isReceiver(other) && isReceiver(target)),
  );
  if (!verb || !alike || !/^(service|user|channel|key)$/.test(target.kind)) return null;
  // "PAY-13 if it is Done": the ticket that was just named.
  const itself = target.kind === 'key' && subject?.word === 'it';
  return {
    put: [
      { ...and, kind: 'mark', word: ';', raw: ';' },
      word(verb.word, verb),
      target,
      ...(itself ? [condition, target] : []),
    ],
    used: itself ? 4 : 2,
  };
};

/** "…, nothing if there are none": only if there are any. */
export const nothingIfNone: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const skips =
    /^(?:nothing|no message|no post|skip it|skip)$/i.test(token?.raw ?? '') || token?.word === 'noop';
  if (!token || !skips || index < 2) return null;
  let at = index + 1;
  while (/^(it|that)$/.test(tokens[at]?.word ?? '')) at += 1;
  if (tokens[at]?.word !== 'if') return null;
  at += 1;
  while (/^(there|is|are|it|there are|there is|we|have|has)$/.test(tokens[at]?.word ?? '')) at += 1;
  return tokens[at]?.word === 'none' && isBreak(tokens[at + 1])
    ? { put: [word('if', token), word('any', token)], used: at + 1 - index }
    : null;
};

/** "tell @bo if …, otherwise @ana": the same for somebody else. */
export const otherwiseTo: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const receiver = tokens[index + 1];
  const alone = isReceiver(receiver) && (isBreak(tokens[index + 2]) || tokens[index + 2] === undefined);
  return token?.word === 'otherwise' && alone && receiver
    ? { put: [token, word('post', token), word('to', token), receiver], used: 2 }
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
