import { startsWrite } from '../words/grammar.ts';
import { isBreak, isReceiver, mark, word } from '../words/marks.ts';
import { partEnd } from './backwards.ts';
import { type Rewrite, rawAt } from './rewrite.ts';

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

/** "the P3 count next to its SLA limit": one against the other. */
export const nextTo: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (!token || !/^next$/i.test(token.raw) || tokens[index + 1]?.word !== 'to') return null;
  const limit = tokens.slice(index + 2, index + 5).some((other) => /^(sla|threshold)$/.test(other.word));
  return limit ? { put: [word('vs', token)], used: 2 } : null;
};

/** "more than 3 but fewer than 9": two bounds of one comparison. */
export const bounded: Rewrite = (tokens, index) => {
  const token = tokens[index];
  if (!token || !/^(but|,|and)$/.test(token.word)) return null;
  // "more than 3 and fewer than 9 tickets": what is counted comes after both, so both are about it.
  if (token.word === 'and' && tokens[index - 1]?.kind !== 'number') return null;
  const joins = /^(but|also)$/.test(tokens[index + 1]?.word ?? '');
  const at = joins ? index + 2 : index + 1;
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

/** "count them, and above 60 page X": a bound of its own, not "60 and above". */
export const andAbove: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const bound = token?.word === 'or-more' && tokens[index + 1]?.kind === 'number';
  return bound && /^(?:and|or) (?:above|over)$/i.test(token.raw)
    ? { put: [word('and', token), word('over', token)], used: 1 }
    : null;
};

/** "past 120 page X": a bound, where "past" is no time. */
export const pastNumber: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const past = token?.word === 'last' && /^past$/i.test(token.raw) && tokens[index + 1]?.kind === 'number';
  return past && (startsWrite(tokens, index + 2) || tokens[index + 2]?.word === ',')
    ? { put: [{ ...token, word: 'over' }], used: 1 }
    : null;
};

/** "from 10 up": a lower bound. */
export const upwards: Rewrite = (tokens, index) => {
  const token = tokens[index];
  const number = tokens[index + 1];
  const from =
    token?.word === 'from' &&
    number?.kind === 'number' &&
    /^(up|upwards|on|onwards)$/.test(rawAt(tokens, index + 2));
  const ends = tokens.slice(index + 3).every((other) => other.kind === 'mark');
  const told = tokens
    .slice(0, index)
    .some((other) => /^(post|tell|page|notify)$/.test(other.word) || isReceiver(other));
  const opened = tokens.slice(0, index).some((other) => /^(if|unless)$/.test(other.word));
  const starts =
    isBreak(tokens[index - 1]) && (isReceiver(tokens[index + 3]) || startsWrite(tokens, index + 3));
  if (token && number && from && starts && index > 0)
    return {
      put: [word('if', token), word('at-least', token), number, mark(',', token)],
      used: 3,
    };
  const lead = token && ends && told && !opened ? [word('if', token)] : [];
  return from && token && number ? { put: [...lead, word('at-least', token), number], used: 3 } : null;
};
