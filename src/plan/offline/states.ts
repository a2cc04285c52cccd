import type { Text } from './frame.ts';
import { isMark, isRole, lowAt, phraseIn, plays, range, wordsOf } from './heard.ts';
import type { Sense } from './sense.ts';
import { type Said, type Scan, senseOf } from './tests.ts';

const is =
  /^(?:is|are|be|in|has|have|been|was|its|status|state|becomes|became|turns|turned|shows|reads|says|at|stays|remains|as|to|moves|gone|went|goes|sits|stands|moved)$/u;
const still =
  /^(?:still|already|now|not|yet|currently|actually|no|longer|the|been|in|to|status|state|as|at|a)$/u;

/** "is Blocked", "isn't done yet", "has breached its SLA". */
export function statesIn(text: Text, span: readonly number[]): Said[] {
  const negations = span.filter((index) => plays(text, index, 'negation'));
  const states = ({ role, of, arg }: Sense): boolean =>
    role === 'value' &&
    ((isRole(text, of, 'count') && (arg === 'status' || arg === 'assignee')) ||
      (isRole(text, of, 'clock') && arg === 'state'));
  const found = span.flatMap((index, at): Said[] => {
    const phrase = phraseIn(text, span, at, states);
    const sense = phrase?.senses.find(states);
    if (!phrase || sense?.value === undefined) return [];
    const tokens = range(index, index + phrase.length);
    const raw = wordsOf(text, tokens);
    // The name of a status is written as the workspace writes it: "In Review" stays so.
    const value = sense.arg === 'status' && /\p{Lu}/u.test(raw) ? raw : sense.value;
    const outside = negations.filter((one) => !tokens.includes(one));
    return [
      { test: { kind: 'state', is: outside.length % 2 === 0, value }, tokens: [...tokens, ...outside] },
    ];
  });
  return found.length > 0 ? found : namedState({ text, span }, negations);
}

/** A status that the words do not know: what stands behind "is" at the end, with a capital letter or in quotes. */
function namedState({ text, span }: Scan, negations: readonly number[]): Said[] {
  for (const [at, index] of span.entries()) {
    if (!is.test(lowAt(text, index))) continue;
    const rest = span.slice(at + 1);
    const from = rest.findIndex((one) => !still.test(lowAt(text, one)) && !negations.includes(one));
    const open = from < 0 ? [] : rest.slice(from);
    const end = open.findIndex((one) => isMark(text, one));
    const words = end < 0 ? open : open.slice(0, end);
    const first = text.tokens[words[0] ?? -1];
    if (!first || words.length > 4 || (first.kind !== 'quote' && !/^\p{Lu}\p{Ll}/u.test(first.raw))) continue;
    const value = first.kind === 'quote' ? first.raw : wordsOf(text, words);
    return [
      { test: { kind: 'state', is: negations.length % 2 === 0, value }, tokens: [...words, ...negations] },
    ];
  }
  return [];
}

/** "any", "none", "there is no". */
export function existsIn(text: Text, span: readonly number[]): Said | null {
  const scan = { text, span };
  const found = span.flatMap((index) => {
    const sense = senseOf(scan, index, 'exists');
    return sense ? [{ index, ...sense }] : [];
  });
  const none = found.find(({ of }) => of === 'none');
  const chosen = none ?? found[0];
  if (!chosen) return null;
  const tokens = found
    .filter(({ of }) => of === 'any' || none)
    .flatMap(({ index, length }) => range(index, index + length));
  return { test: { kind: 'exists', some: none === undefined }, tokens: [...new Set(tokens)] };
}
