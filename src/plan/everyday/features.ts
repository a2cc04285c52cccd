import { kinds, type NameKind, type Token } from './tokens.ts';

/** The network's view of a token: its kind, word, letters, capitals and names. For a name or number it sees only the kind. */

export const buckets = 3_000;
const nameKinds: readonly NameKind[] = ['service', 'project', 'channel', 'user'];
/** One for each possible set of names of a token. */
export const nameSets = 2 ** nameKinds.length;
export const sections = 3;

const hash = (letters: string): number => {
  let sum = 2_166_136_261;
  for (let at = 0; at < letters.length; at += 1) sum = Math.imul(sum ^ letters.charCodeAt(at), 16_777_619);
  return (sum >>> 0) % buckets;
};

const spelled = new Set<Token['kind']>(['word', 'mark', 'time', 'old', 'section']);

/** The word as in the vocabulary; null for tokens recognised by form alone. */
export const wordOf = ({ kind, low, values, names }: Token): string | null => {
  if (kind === 'time') return values.time ?? low;
  if (kind === 'word' && Object.keys(names).length > 0 && /[\s_.-]/u.test(low)) return null;
  return spelled.has(kind) ? low : null;
};

export const kindOf = ({ kind }: Token): number => kinds.indexOf(kind);

export const namesOf = ({ names }: Token): number =>
  nameKinds.reduce((set, kind, bit) => set + (names[kind] === undefined ? 0 : 2 ** bit), 0);

export const capitalsOf = ({ kind, raw, start }: Token): number =>
  kind === 'word' && /^\p{Lu}/u.test(raw) ? (start === 0 ? 1 : 2) : 0;

/** Sequences of three and four letters, as buckets. */
export function lettersOf({ kind, low }: Token): number[] {
  if (kind !== 'word') return [];
  const word = `^${low.normalize('NFD').replaceAll(/\p{M}/gu, '')}$`;
  const found: number[] = [];
  for (const length of [3, 4])
    for (let at = 0; at + length <= word.length && found.length < 18; at += 1)
      found.push(hash(word.slice(at, at + length)));
  return found;
}
