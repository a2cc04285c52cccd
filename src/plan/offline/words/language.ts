import type { Text } from './text.ts';

/** The language of a request that is not English, or null. Names and numbers count for none. */
export function foreignLanguage({ words, lexicon }: Text): string | null {
  const plain = words.filter(
    ({ kind, raw, things }) =>
      kind === 'word' && /^\p{L}+$/u.test(raw) && things.every((one) => one.kind === 'unknown'),
  );
  const odd = plain.filter(({ low }) => !lexicon.isEnglish(low));
  if (odd.length < 2) return null;
  const said = new Set(plain.map(({ low }) => low));
  const [best] = Object.entries(lexicon.words.foreign)
    .map(([name, own]) => ({ name, own, hits: own.filter((word) => said.has(word)).length }))
    .sort((a, b) => b.hits - a.hits);
  if (!best || best.hits < 2) return null;
  const foreign = odd.filter(({ low }) => !lexicon.knows(low) || best.own.includes(low)).length;
  return foreign >= 2 && foreign >= plain.length * 0.3 ? best.name : null;
}
