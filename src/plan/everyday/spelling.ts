import { distance } from 'fastest-levenshtein';
import type { PlanningInput } from '../../core/planning.ts';
import type { Heard } from './heard.ts';
import type { Network } from './network.ts';
import type { Token } from './tokens.ts';

/** A request with its misspelt words as they were probably meant, and what was read as what. */
export interface Respelt {
  readonly goal: string;
  readonly notes: readonly string[];
}

/**
 * Words that no example has and that are nearly one that says what to do: “errros” is “errors”; and short forms of what
 * people call a vetted query: “errs”. Null without any. Names, quotations and words in capitals are left alone.
 */
export function respelt(
  { tokens }: Heard,
  { goal, catalogue }: PlanningInput,
  { isKnown, plain, words }: Pick<Network, 'isKnown' | 'plain' | 'words'>,
): Respelt | null {
  const unknown = tokens.filter(
    (token) => isPlainWord(token) && /^\p{L}{4,}$/u.test(token.raw) && !isKnown(token.low),
  );
  const shortened = tokens.flatMap((token) => {
    const word = isPlainWord(token) && !plain.includes(token.low) ? inFull(token.low, catalogue) : null;
    return word === null ? [] : [{ token, word }];
  });
  if (unknown.length + shortened.length === 0) return null;
  const meant = new Set([...plain, ...toolWords(catalogue)]);
  const swapped = (typed: string) => words.filter((word) => typed !== word && isSwapped(typed, word));
  const misspelt = unknown.flatMap((token) => {
    const [only, ...others] = swapped(token.low);
    const word = only !== undefined && others.length === 0 ? only : nearest(token.low, meant);
    return word === null || shortened.some((one) => one.token === token) ? [] : [{ token, word }];
  });
  const found = [...misspelt, ...shortened].toSorted((one, other) => one.token.start - other.token.start);
  if (found.length === 0) return null;
  let text = goal;
  for (const { token, word } of found.toReversed())
    text = `${text.slice(0, token.start)}${word}${text.slice(token.end)}`;
  return { goal: text, notes: found.map(({ token, word }) => `I read “${token.raw}” as “${word}”.`) };
}

const isPlainWord = ({ kind, section, names, raw, start }: Token): boolean =>
  kind === 'word' &&
  section === 0 &&
  Object.keys(names).length === 0 &&
  /^\p{L}{3,}$/u.test(raw) &&
  (start === 0 || raw === raw.toLowerCase());

/** The name of a vetted query that a word is the beginning of, without its plural: “err”, “lats”. Null for none or several. */
function inFull(typed: string, { queries = [] }: PlanningInput['catalogue']): string | null {
  const stem = typed.replace(/s$/u, '');
  const [only, ...others] = queries.flatMap(({ name, says }) => {
    const word = says.find((one) => one.startsWith(stem) && !one.includes(' '));
    return says.includes(typed) || word === undefined ? [] : [{ name, word }];
  });
  const isSure = only !== undefined && others.every(({ name }) => name === only.name);
  return isSure && stem.length > 2 && only.word.replace(/s$/u, '') !== stem ? only.word : null;
}

/** The words by which tools and vetted queries are asked for here. */
function toolWords({ manifests, queries = [] }: PlanningInput['catalogue']): string[] {
  const phrases = [
    ...queries.flatMap(({ says }) => says),
    ...[...manifests.values()].flatMap(({ asked }) => [...(asked?.nouns ?? []), ...(asked?.verbs ?? [])]),
  ];
  return phrases.flatMap((phrase) => phrase.toLowerCase().split(/\s+/u));
}

/** The only word that is as near as that; null for none or several. */
function nearest(typed: string, words: ReadonlySet<string>): string | null {
  let [best, least, isOnly] = ['', typed.length < 8 ? 2 : 3, true];
  for (const word of words) {
    if (word.length < 3 || Math.abs(word.length - typed.length) > 2) continue;
    const apart = folded(word) === typed ? 0 : apartness(typed, word);
    if (apart < least) [best, least, isOnly] = [word, apart, true];
    else if (apart === least) isOnly = false;
  }
  return best !== '' && isOnly ? best : null;
}

/** Swapped letters are one slip. The first letter is seldom wrong, the last one less often than those between. */
function apartness(typed: string, word: string): number {
  if (word[0] !== typed[0] || word.length < 4) return Number.POSITIVE_INFINITY;
  const slips = isSwapped(typed, word) ? 1 : distance(typed, word);
  return slips - (typed.at(-1) === word.at(-1) ? 0.5 : 0);
}

const isSwapped = (typed: string, word: string): boolean =>
  typed.length === word.length && lettersOf(typed) === lettersOf(word);

const lettersOf = (word: string): string => [...word].sort().join('');

/** As typed without the keys for it: “für” as “fuer”. */
function folded(word: string): string {
  const spelt = word.replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue').replaceAll('ß', 'ss');
  return spelt === word ? '' : spelt;
}
