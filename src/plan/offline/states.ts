import type { Text } from './frame.ts';
import { isMark, isOneOf, isRole, phraseIn, plays, range, wordsOf } from './heard.ts';
import type { Sense } from './sense.ts';
import { type Said, type Scan, senseOf } from './tests.ts';

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
    const outside = negations.filter((one) => !tokens.includes(one));
    const raw = wordsOf(text, tokens);
    // The name of a status is written as the workspace writes it: "In Review" stays so.
    const name = sense.arg === 'status' ? /\p{Lu}.*$/u.exec(raw)?.[0] : undefined;
    const value = name ?? sense.value;
    const test = { kind: 'state', is: outside.length % 2 === 0, value } as const;
    return [{ test, tokens: [...tokens, ...outside] }];
  });
  return found.length > 0 ? found : namedState({ text, span }, negations);
}

/** A status that the words do not know: what stands behind "is", with a capital letter or in quotes. */
function namedState({ text, span }: Scan, negations: readonly number[]): Said[] {
  const first = span.find(
    (index) =>
      isOneOf(text, index - 1, 'being', 'still') &&
      (text.tokens[index]?.kind === 'quote' || /^\p{Lu}\p{Ll}/u.test(text.tokens[index]?.raw ?? '')),
  );
  if (first === undefined) return [];
  const isEnd = (index: number): boolean => isMark(text, index) || isOneOf(text, index, 'still');
  const end = span.find((index) => index > first && isEnd(index)) ?? (span.at(-1) ?? first) + 1;
  const words = text.tokens[first]?.kind === 'quote' ? [first] : range(first, end);
  const value = words.length === 1 ? (text.tokens[first]?.raw ?? '') : wordsOf(text, words);
  if (words.length > 4) return [];
  return [
    { test: { kind: 'state', is: negations.length % 2 === 0, value }, tokens: [...words, ...negations] },
  ];
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
