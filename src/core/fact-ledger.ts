/** Facts a summary can get wrong: numbers, keys and codes, times, and names of people or things. */
export type Ledger = ReadonlySet<string>;

interface Fact {
  readonly text: string;
  readonly at: number;
}

const times = String.raw`\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z?)?|\d{1,2}:\d{2}(?::\d{2})?`;
const keys = String.raw`[A-Za-z]+(?:-[A-Za-z]+)*-\d+[A-Za-z\d]*|[A-Z][A-Z0-9]*_[A-Z0-9_]+`;
const names = String.raw`\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)+`;
const numbers = String.raw`\d+(?:[.,]\d+)*%?`;
const form = new RegExp(`(?<![\\p{L}\\p{N}])(?:${times}|${keys}|${numbers})|${names}`, 'gu');
/** "1." at the start of a line only numbers it. */
const ordinal = /^[ \t]*\d{1,2}[.)](?=\s)/gmu;

function factsIn(text: string): Fact[] {
  const blank = text.replaceAll(ordinal, (found) => ' '.repeat(found.length));
  return [...blank.matchAll(form)].map((match) => ({ text: match[0], at: match.index }));
}

/** Normalises a fact: `1,234` is 1234, `09:05` is 9:05, and case is ignored. */
function plain(fact: string): string {
  const bare = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(fact) ? fact.replaceAll(',', '') : fact;
  return bare
    .replace(/^0(?=\d:)/, '')
    .replace(/[.,%]$/, '')
    .toLowerCase();
}

const isTime = new RegExp(`^(?:${times})$`);

/**
 * The facts of a text. A number inside a longer fact counts too: the 22 of `checkout-22`. `timesAreWhole`: but not that
 * of a date or time, where every line begins with one.
 */
export function ledgerOf(text: string, { timesAreWhole = false } = {}): Ledger {
  const all = new Set<string>();
  for (const { text: fact } of factsIn(text)) {
    all.add(plain(fact));
    if (timesAreWhole && isTime.test(fact)) continue;
    for (const part of fact.match(/\d+/g) ?? []) all.add(plain(part));
  }
  return all;
}

/** Marks a fact that the input does not contain. */
export const doubt = '(?)';

/** The text with a mark after each fact that is not in the ledger, and their number. */
export function checkedAgainst(
  ledger: Ledger,
  source: string,
  text: string,
): { text: string; marked: number } {
  const low = source.toLowerCase();
  let [out, from, marked] = ['', 0, 0];
  for (const { text: fact, at } of factsIn(text)) {
    // A sentence may begin with a word that only looks like part of a name.
    const isName = /\s/.test(fact);
    const [, ...rest] = fact.split(' ');
    const known = isName
      ? low.includes(fact.toLowerCase()) || (rest.length > 0 && low.includes(rest.join(' ').toLowerCase()))
      : ledger.has(plain(fact));
    if (known) continue;
    out += `${text.slice(from, at + fact.length)} ${doubt}`;
    from = at + fact.length;
    marked += 1;
  }
  return { text: out + text.slice(from), marked };
}
