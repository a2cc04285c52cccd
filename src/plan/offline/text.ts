import type { PlanningInput } from '../../core/planning.ts';
import { isKey, readEntities } from './entities.ts';
import type { Text } from './frame.ts';
import type { Lexicon } from './lexicon.ts';
import { tokensOf } from './tokens.ts';

/** A request with everything that can be found in it word by word. */
export function readText(
  goal: string,
  { catalogue, now, onCallFor = [] }: Pick<PlanningInput, 'catalogue' | 'now' | 'onCallFor'>,
  lexicon: Lexicon,
): Text {
  const { tokens, entities } = readEntities(tokensOf(goal), goal, { catalogue, lexicon, now });
  const phrases = tokens.map((token, index) =>
    isKey(token, goal, lexicon) && entities[index]?.some(({ kind }) => kind === 'project')
      ? []
      : lexicon.phrasesAt(tokens, index),
  );
  return { goal, tokens, entities, phrases, lexicon, catalogue, onCallFor, frames: new Map() };
}

/** The language of a request that is not English, or null. Names and numbers count for none. */
export function foreignLanguage({ tokens, entities, lexicon }: Text): string | null {
  const words = tokens.filter(
    ({ kind, raw }, index) =>
      kind === 'word' && /^\p{L}+$/u.test(raw) && !entities[index]?.some((one) => one.kind !== 'unknown'),
  );
  const strange = words.filter(({ low }) => !lexicon.isEnglish(low) && !lexicon.knows(low));
  const scores = Object.entries(lexicon.words.foreign)
    .map(([language, own]) => ({
      language,
      hits: new Set(words.flatMap(({ low }) => (own.includes(low) ? [low] : []))).size,
    }))
    .sort((a, b) => b.hits - a.hits);
  const [best] = scores;
  const odd =
    strange.length +
    words.filter(
      ({ low }) => lexicon.words.foreign[best?.language ?? '']?.includes(low) && !lexicon.isEnglish(low),
    ).length;
  return best && best.hits >= 2 && odd >= 2 && odd >= words.length * 0.3 ? best.language : null;
}
