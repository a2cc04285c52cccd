import { french } from './french.ts';
import { german } from './german.ts';
import { commonWords } from './known.ts';
import { polish } from './polish.ts';
import { dutch, italian, portuguese } from './romance-and-dutch.ts';
import { spanish } from './spanish.ts';
import { type PhraseTable, readTable } from './table.ts';

export interface Language {
  readonly code: string;
  /** Short words that give the language away. */
  readonly hints: ReadonlySet<string>;
  readonly table: PhraseTable;
}

function language(code: string, source: string): Language {
  const line = source.split('\n').find((entry) => entry.startsWith('hint:')) ?? '';
  const rest = source.replace(line, '');
  return { code, hints: new Set(line.slice(5).trim().split(' ')), table: readTable(rest) };
}

/** The languages besides English in which the common requests are understood. */
export function otherLanguages(): readonly Language[] {
  return [
    language('de', german),
    language('es', spanish),
    language('fr', french),
    language('pt', portuguese),
    language('it', italian),
    language('nl', dutch),
    language('pl', polish),
  ];
}

/** The language most of the words point to, or null for English. Two words more than English has must say so. */
export function languageOf(
  words: readonly string[],
  languages: readonly Language[],
  english: ReadonlySet<string>,
  isSlip: (word: string) => boolean,
): Language | null {
  const ours = words.filter((word) => english.has(word) || commonWords.has(word)).length;
  let best: { language: Language; score: number } | null = null;
  for (const candidate of languages) {
    const vocabulary = words.filter((word) => candidate.table.has(word) && !english.has(word)).length;
    const score = words.filter((word) => candidate.hints.has(word)).length + vocabulary;
    if (score > (best?.score ?? 0)) best = { language: candidate, score };
  }
  if (!best) return null;
  const { table, hints } = best.language;
  const only = words.filter(
    (word) => (english.has(word) || commonWords.has(word)) && !table.has(word),
  ).length;
  const telling = words.some((word) => word.length > 4 && table.has(word) && !english.has(word));
  if (best.score < 2 && (only > 0 || (ours > 0 && !telling))) return null;
  const slips = words.filter((word) => !table.has(word) && !hints.has(word) && isSlip(word)).length;
  return best.score >= ours + slips ? best.language : null;
}
