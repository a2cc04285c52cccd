import type { Catalogue } from '../../../core/catalogue.ts';
import { rearrange } from '../rewrites/rearrange.ts';
import { expandShorthand } from '../rewrites/shorthand.ts';
import { englishNouns, englishVerbs } from './lexicon/english.ts';
import { englishFilters, englishGrammar } from './lexicon/english-grammar.ts';
import { acronyms, commonWords, hyphenated } from './lexicon/known.ts';
import { type Language, languageOf, otherLanguages } from './lexicon/languages.ts';
import { type PhraseTable, phraseAt, readTable, wordsOf } from './lexicon/table.ts';
import { tagNames } from './names.ts';
import { scan } from './scan.ts';
import { Speller } from './spelling.ts';
import type { Token } from './token.ts';

/** Everything the planner knows of words, built once. */
export interface Lexicon {
  readonly english: PhraseTable;
  readonly vocabulary: ReadonlySet<string>;
  readonly languages: readonly Language[];
  readonly speller: Speller;
}

export function createLexicon(): Lexicon {
  const english = readTable(englishFilters, englishGrammar, englishVerbs, englishNouns);
  const vocabulary = wordsOf(english);
  const known = new Set([...vocabulary, ...commonWords, ...hyphenated]);
  return {
    english,
    vocabulary,
    languages: otherLanguages(),
    speller: new Speller([...vocabulary, ...commonWords], known),
  };
}

/** A goal as tokens that grammar can work on, with the language it is in and the words that were repaired. */
export interface Reading {
  readonly goal: string;
  readonly tokens: readonly Token[];
  readonly language: string;
  readonly repairs: readonly string[];
  /** Share of words that are known, 0 to 1. */
  readonly understood: number;
}

export function readGoal(goal: string, catalogue: Catalogue, lexicon: Lexicon): Reading {
  const scanned = scan(goal);
  const letters = goal.replace(/[^\p{L}]/gu, '');
  const shouting = letters.length > 12 && letters === letters.toUpperCase();
  const spoken = scanned.filter((token) => token.kind === 'word');
  const words = spoken.map((token) => token.word);
  // A project FRA is no Italian.
  const small = spoken.filter((token) => shouting || !/^[A-Z][A-Z0-9]+$/.test(token.raw));
  const language = languageOf(
    small.map((token) => token.word),
    lexicon.languages,
    lexicon.vocabulary,
    (word) => word.length > 4 && lexicon.speller.repair(word) !== null,
  );
  const repairs: string[] = [];
  const spelled = language
    ? scanned
    : scanned.map((token, index) => repair(token, index, scanned, lexicon, repairs));
  const phrased = language
    ? joinPhrases(joinPhrases(spelled, language.table), lexicon.english)
    : joinPhrases(spelled, lexicon.english);
  const named = tagNames(phrased, { catalogue, vocabulary: lexicon.vocabulary, shouting });
  const tokens = rearrange(expandShorthand(rearrange(named)));
  const known = words.filter((word) => isKnown(word, lexicon, language)).length;
  return {
    goal,
    tokens,
    language: language?.code ?? 'en',
    repairs,
    understood: words.length === 0 ? 1 : (known + repairs.length) / words.length,
  };
}

function isKnown(word: string, lexicon: Lexicon, language: Language | null): boolean {
  return (
    lexicon.speller.knows(word) ||
    (language?.table.has(word) ?? false) ||
    (language?.hints.has(word) ?? false)
  );
}

/** "raised" and "raise", "phones" and "phone": another form of a word is no slip. */
function stemOf(word: string): string {
  return word.replace(/(?:ations?|ating|ated|ing|ed|es|s|e|d)$/, '');
}

/** Names are left alone: words in capitals, and what stands where a name stands. */
function repair(
  token: Token,
  index: number,
  tokens: readonly Token[],
  lexicon: Lexicon,
  repairs: string[],
): Token {
  if (token.kind !== 'word' || (/^[A-Z0-9]+$/.test(token.raw) && tokens.length > 1)) return token;
  const before = tokens[index - 1]?.word ?? '';
  if (/^(for|page|service|project|label|labelled|tagged|called)$/.test(before) && token.word.length < 7)
    return token;
  if (/^si$/i.test(token.raw) && /^(who|what|which|whos|it)$/.test(before)) {
    repairs.push('si → is');
    return { ...token, word: 'is', raw: 'is' };
  }
  // A name in front of "on-call" or behind "for" is no misspelt word.
  const after = tokens[index + 1]?.word ?? '';
  if (/^(on-call|oncall)$/.test(after) && before === 'the') return token;
  const word =
    /(?:er|or)$/.test(token.word) && lexicon.speller.knows(token.word.slice(0, -1))
      ? null
      : lexicon.speller.repair(token.word);
  if (word === null) return token;
  repairs.push(`${token.raw} → ${word}`);
  const misspelt = /^[a-z]+$/.test(token.raw) && stemOf(token.word) !== stemOf(word);
  return { ...token, word, raw: misspelt ? word : token.raw };
}

function joinPhrases(tokens: readonly Token[], table: PhraseTable): Token[] {
  const words = tokens.map((token) => (token.kind === 'word' || token.kind === 'mark' ? token.word : ''));
  const joined: Token[] = [];
  for (let index = 0; index < tokens.length; ) {
    const token = tokens[index];
    if (!token) break;
    const found = words[index] ? phraseAt(table, words, index) : null;
    const phrase = found && holdsName(tokens.slice(index, index + found.words.length)) ? null : found;
    const last = tokens[index + (phrase?.words.length ?? 1) - 1] ?? token;
    joined.push(
      phrase
        ? { ...token, word: phrase.canonical, raw: rawOf(tokens, index, phrase.words.length), end: last.end }
        : token,
    );
    index += phrase?.words.length ?? 1;
  }
  return joined;
}

/** "in CASE" is a project in a phrase of small words, and "in case" is not. */
function holdsName(tokens: readonly Token[]): boolean {
  return (
    tokens.length > 1 &&
    tokens.some((token) => /^[a-z]/.test(token.raw)) &&
    tokens.some((token) => /^[A-Z]{3,}$/.test(token.raw) && !acronyms.has(token.raw))
  );
}

function rawOf(tokens: readonly Token[], index: number, length: number): string {
  return tokens
    .slice(index, index + length)
    .map((token) => token.raw)
    .join(' ');
}
