import type { Text } from './text.ts';

/** The language of a request that is not English, or null. Names and numbers count for none. */
export function foreignLanguage({ words, lexicon }: Text): string | null {
  const plain = words.filter(
    ({ kind, raw, things }) =>
      kind === 'word' && /^\p{L}+$/u.test(raw) && things.every((one) => one.kind === 'unknown'),
  );
  const said = new Set(plain.map(({ low }) => low));
  const hits = (own: readonly string[]): number => own.filter((word) => said.has(word)).length;
  const [best] = Object.entries(lexicon.words.foreign).sort(([, a], [, b]) => hits(b) - hits(a));
  if (!best || hits(best[1]) < 2) return null;
  const odd = plain.filter(
    ({ low }) => !lexicon.isEnglish(low) && (!lexicon.knows(low) || best[1].includes(low)),
  ).length;
  return odd >= 2 && odd >= plain.length * 0.3 ? best[0] : null;
}
