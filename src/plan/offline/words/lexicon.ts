import { distance } from 'fastest-levenshtein';
import { allManifests } from '../../../../manifests/all.ts';
import type { AskedRole } from '../../../core/asked.ts';
import { calendarWords } from '../../../core/calendar/span.ts';
import type { Catalogue } from '../../../core/catalogue.ts';
import type { Manifest } from '../../../core/manifest.ts';
import { takesOf } from '../frames/takes.ts';
import { alternatives, forms, keysOf, plurals, sayings } from './phrases.ts';
import type { Token } from './tokens.ts';
import { commonWords, englishWords, type Words } from './words.ts';

/** What a phrase can mean. `of` is the tool, the list or the operator that it belongs to. */
export interface Sense {
  /** `verb`, `noun`, `also`, `cue`, `after` or `value` of a tool, or a role of words.yml. */
  readonly role: string;
  readonly of: string;
  /** Argument of a tool, for cues and values. */
  readonly arg?: string;
  readonly value?: string;
}

/** Senses of a phrase that was found, with the number of tokens it takes. */
export interface Phrase {
  readonly length: number;
  readonly senses: readonly Sense[];
  /** What can be asked of it: "negation", "verb", "verb pagerduty.page", "verb write", "verb page", "if". */
  readonly tags: ReadonlySet<string>;
}

export interface Lexicon {
  readonly words: Words;
  readonly tools: ReadonlyMap<string, Manifest>;
  readonly byRole: ReadonlyMap<AskedRole, Manifest>;
  /** Tools that a kind of thing calls for by itself. */
  readonly calledBy: ReadonlyMap<string, readonly Manifest[]>;
  readonly acronyms: ReadonlySet<string>;
  /** Letters of ISO 8601 by the words for them. */
  readonly units: ReadonlyMap<string, string>;
  /** Names of the small lists of words.yml that a word stands in. */
  readonly small: ReadonlyMap<string, readonly string[]>;
  /** Whether a word stands in one of these small lists. */
  isIn(word: string | undefined, ...lists: readonly string[]): boolean;
  knows(word: string): boolean;
  /** True for a common English word, which is never a misspelling of another one. */
  isEnglish(word: string): boolean;
  /** Phrases that begin at a token, the longest first. */
  phrasesAt(tokens: readonly Token[], index: number): Phrase[];
  /** The known word that is meant by a misspelt one, or null. */
  mended(word: string): string | null;
}

interface Node {
  readonly next: Map<string, Node>;
  readonly senses: Sense[];
  readonly tags: Set<string>;
}

const node = (): Node => ({ next: new Map(), senses: [], tags: new Set() });

class Builder {
  readonly root = node();
  readonly vocabulary = new Set<string>();

  add(phrases: string, sense: Sense, tool?: Manifest): void {
    for (const phrase of alternatives(phrases)) this.addOne(phrase, sense, tool);
  }

  private addOne(phrase: string, sense: Sense, tool?: Manifest): void {
    let at = this.root;
    for (const key of keysOf(phrase)) {
      const next = at.next.get(key) ?? node();
      at.next.set(key, next);
      at = next;
      this.vocabulary.add(key);
    }
    const { role, of, arg } = sense;
    if (at.senses.some((other) => other.role === role && other.of === of && other.arg === arg)) return;
    at.senses.push(sense);
    // A time is a thing as well, and that is what is asked for by its name.
    if (role !== 'time' && role !== 'duration') at.tags.add(role);
    at.tags.add(role === 'condition' ? of : `${role} ${of}`);
    if (tool) at.tags.add(of);
    for (const one of tool ? [of, tool.effect, tool.asked?.role ?? ''] : []) {
      at.tags.add(`${role} ${one}`);
      if (arg !== undefined) at.tags.add(`${role} ${one} ${arg}`);
    }
  }
}

const saidAs = (arg: string, said: readonly string[]): readonly string[] =>
  arg === 'type' ? said.flatMap(plurals) : arg === 'named' ? said.flatMap(sayings) : said;

function addTool(builder: Builder, tool: Manifest): void {
  const { name, asked, effect } = tool;
  const add = (phrases: readonly string[], role: string, more: Pick<Sense, 'arg' | 'value'> = {}): void => {
    for (const phrase of phrases) builder.add(phrase, { role, of: name, ...more }, tool);
  };
  for (const verb of asked?.verbs ?? []) {
    const { plain, bent } = forms(verb);
    // "log it" is an order, "the logs" and "who posts it" are none.
    add(effect === 'read' ? plain : plain.slice(0, 1), 'verb');
    if (effect === 'write') add(plain.slice(1), 'also');
    // "should be posted" orders it as "post" does; "posted" and "posting" alone only speak of it.
    if (effect === 'write' && bent[0] !== undefined)
      add(
        ['be', 'get', 'gets', 'got'].map((be) => `${be} ${bent[0]}`),
        'verb',
      );
    add(bent, effect === 'read' ? 'verb' : 'also');
  }
  add((asked?.nouns ?? []).flatMap(plurals), 'noun');
  add((asked?.also ?? []).flatMap(plurals), 'also');
  for (const [arg, said] of Object.entries(asked?.parts ?? {})) add(said, 'result', { arg });
  for (const [arg, { cues = [], after = [], words = {} }] of Object.entries(asked?.args ?? {})) {
    add(cues, 'cue', { arg });
    add(after, 'after', { arg });
    for (const [value, said] of Object.entries(words))
      add([`${arg} ${value}`, ...saidAs(arg, said)], 'value', { arg, value });
  }
}

function addCommon(builder: Builder, { senses, numbers, units, small }: Words): void {
  for (const [role, said] of Object.entries(senses))
    for (const [of, phrases] of Object.entries(Array.isArray(said) ? { [role]: said } : said))
      for (const phrase of phrases) builder.add(phrase, { role, of });
  for (const phrase of [...Object.keys(numbers), ...Object.values(units).flat(), ...(small.contracted ?? [])])
    builder.vocabulary.add(phrase);
  for (const word of calendarWords) builder.vocabulary.add(word);
}

function phrasesFrom(root: Node, tokens: readonly Token[], index: number): Phrase[] {
  const found: Phrase[] = [];
  let at: Node | undefined = root;
  for (let i = index; i < tokens.length; i += 1) {
    const token = tokens[i];
    if (token === undefined || !['word', 'mark'].includes(token.kind)) break;
    at = at.next.get(token.low);
    if (at === undefined) break;
    if (at.senses.length > 0) found.unshift({ length: i - index + 1, senses: at.senses, tags: at.tags });
  }
  return found;
}

const isSwap = (word: string, known: string): boolean =>
  distance(word, known) === 2 && [...word].sort().join('') === [...known].sort().join('');
export const apartBy = (word: string, known: string): number =>
  isSwap(word, known) ? 0.5 : distance(word, known);

/** One typing error, or two in a long word; letters that changed places are one. */
export function near(word: string, known: string): boolean {
  if (Math.abs(word.length - known.length) > 2) return false;
  const apart = apartBy(word, known);
  if (apart === 0.5) return word[0] === known[0] || word[1] === known[0];
  const [short, long] = [Math.min(word.length, known.length), Math.max(word.length, known.length)];
  return word[0] === known[0] && ((apart === 1 && long > 3) || (apart === 2 && short > 5));
}

const turns = (tags: ReadonlySet<string> = new Set()): boolean =>
  [...tags].some((tag) => /^(?:negation|compare|unless|exists none)$|^value \S+ order$/u.test(tag));

/** Reads the words of all manifests and the common ones, once. */
export function createLexicon(manifests: Iterable<Manifest>): Lexicon {
  const words = commonWords;
  const tools = new Map([...manifests].map((manifest) => [manifest.name, manifest]));
  const builder = new Builder();
  for (const manifest of tools.values()) addTool(builder, manifest);
  addCommon(builder, words);
  const known = [...builder.vocabulary].filter((word) => /^[a-z-]{3,}$/u.test(word));
  const refused = new Set(words.refusals.flatMap(({ all }) => all.flat()));
  const kept = new Map<string, string | null>();
  const all = [...tools.values()];
  const orders = new Set(
    all.flatMap(({ effect, asked }) => (effect === 'write' ? (asked?.verbs ?? []) : [])),
  );
  // What is written is never guessed from two slips: "triage" is no "trigger". What turns a request round has all its
  // letters: "cnt" is no "cant".
  const most = (other: string): number =>
    turns(builder.root.next.get(other)?.tags) ? 0.5 : orders.has(other) ? 1 : 2;
  const mend = (word: string): string | null => {
    const close = known.filter((other) => near(word, other) && apartBy(word, other) <= most(other));
    close.sort((a, b) => apartBy(word, a) - apartBy(word, b) || b.length - a.length);
    return close[0] ?? null;
  };
  const small = new Map<string, string[]>();
  for (const [name, those] of Object.entries(words.small))
    for (const word of those) small.set(word, [...(small.get(word) ?? []), name]);
  const calledBy = new Map<string, Manifest[]>();
  for (const tool of all)
    for (const kind of new Set(tool.asked?.calls?.map((arg) => takesOf(tool, arg))))
      calledBy.set(kind, [...(calledBy.get(kind) ?? []), tool]);
  return {
    ...{ words, tools, small, calledBy },
    byRole: new Map(all.flatMap((tool) => (tool.asked?.role ? [[tool.asked.role, tool]] : []))),
    acronyms: new Set(words.acronyms),
    units: new Map(Object.entries(words.units).flatMap(([unit, said]) => said.map((one) => [one, unit]))),
    isIn: (word = '', ...lists) => small.get(word)?.some((list) => lists.includes(list)) ?? false,
    knows: (word) => builder.vocabulary.has(word),
    isEnglish: (word) => englishWords.has(word),
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

/** Words of a catalogue's tools, and of those that are not configured: what is missing can be said only when it is read. */
export function lexiconFor({ manifests }: Catalogue): Lexicon {
  const isUsual = [...manifests.values()].every((one) => allManifests.includes(one));
  const key = isUsual ? usual : manifests;
  const known = kept.get(key) ?? createLexicon(new Map([...usual, ...key]).values());
  kept.set(key, known);
  return known;
}

const usual: Catalogue['manifests'] = new Map(allManifests.map((one) => [one.name, one]));
