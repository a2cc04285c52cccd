import { type Catalogue, knowsTarget } from '../../../core/catalogue.ts';
import type { Plan } from '../../../core/plan.ts';
import type { PlanningInput } from '../../../core/planning.ts';
import { corrected } from './corrections.ts';
import type { Lexicon, Phrase } from './lexicon.ts';
import type { Thing } from './thing.ts';
import { isKey, readThings } from './things.ts';
import { type Token, tokensOf } from './tokens.ts';

/** A token with everything that may be meant by it and the words behind it, the longest first. */
export interface Word extends Token {
  readonly things: readonly Thing[];
  readonly phrases: readonly Phrase[];
  /**
   * What it is: the kinds of its things, the tags of its phrases, the small lists that it stands in; "thing" for what has
   * a name, as against a number, a time or a word; "mark"; "empty" for what carries nothing.
   */
  readonly tags: ReadonlySet<string>;
  /** Tags of the phrase that is this word alone. */
  readonly alone: ReadonlySet<string>;
}

/** A request with everything that was found in it before it is understood. */
export interface Text {
  readonly goal: string;
  readonly words: readonly Word[];
  /** What was read instead of what. */
  readonly corrections: readonly string[];
  readonly lexicon: Lexicon;
  readonly catalogue: Catalogue;
  readonly now: Date;
  /** Services whose on-call is whoever asks. */
  readonly onCallFor: readonly string[];
  /** It will be looked at again and again. */
  readonly watched: boolean;
  /** The plan that the words change. */
  readonly plan: Plan | null;
  /** What was read before: the search asks for the same spans again and again. */
  readonly kept: Map<string, unknown>;
}

const nameless = new Set<Thing['kind']>(['unknown', 'number', 'time']);
const none: ReadonlySet<string> = new Set();

function wordOf(token: Token, things: readonly Thing[], phrases: readonly Phrase[], lexicon: Lexicon): Word {
  const tags = new Set<string>(lexicon.small.get(token.low));
  for (const phrase of phrases) for (const tag of phrase.tags) tags.add(tag);
  for (const { kind } of things) tags.add(kind);
  const last = phrases.at(-1);
  const alone = last?.length === 1 ? last.tags : none;
  const isThing = things.some(({ kind }) => !nameless.has(kind));
  if (isThing) tags.add('thing');
  if (token.kind === 'mark') tags.add('mark');
  if (token.kind === 'mark' || (alone.has('nothing') && !isThing)) tags.add('empty');
  return { ...token, things, phrases, tags, alone };
}

const silent: Phrase = {
  length: 1,
  senses: [{ role: 'nothing', of: 'nothing' }],
  tags: new Set(['nothing', 'silent']),
};

/** "can someone page ops", "somebody please ack 42": whoever reads it is asked. */
function isWhoever(tokens: readonly Token[], at: number, lexicon: Lexicon): boolean {
  const isIn = (index: number, list: string): boolean => lexicon.isIn(tokens[index]?.low, list);
  if (!isIn(at, 'somebody') || !(at === 0 || tokens[at - 1]?.kind === 'mark' || isIn(at - 1, 'asks kindly')))
    return false;
  const next = isIn(at + 1, 'leading') ? at + 2 : at + 1;
  return lexicon.phrasesAt(tokens, next).some(({ tags }) => tags.has('verb'));
}

/** "Best regards, Ana", ", thanks": who wrote it, and how they part, stand at the very end and ask for nothing. */
function signedFrom(
  tokens: readonly Token[],
  things: readonly (readonly Thing[])[],
  lexicon: Lexicon,
): number {
  const parts = (at: number): boolean => lexicon.isIn(tokens[at]?.low, 'signing off');
  const last = tokens.length - 1;
  const isName = (at: number): boolean =>
    things[at]?.some(({ kind }) => kind === 'user' || kind === 'unknown') ?? false;
  const comma = tokens.findLastIndex(({ low }) => /^[,.!]$/u.test(low));
  if (comma < 1 || last - comma > 2) return tokens.length;
  return parts(last) || (parts(comma - 1) && isName(last)) ? comma : tokens.length;
}

/** Reads a request word by word. */
export function readText(
  goal: string,
  {
    catalogue,
    now,
    onCallFor = [],
    change = null,
    watched = change?.plan.watch !== undefined,
  }: Pick<PlanningInput, 'catalogue' | 'now' | 'onCallFor' | 'watched'> &
    Partial<Pick<PlanningInput, 'change'>>,
  lexicon: Lexicon,
): Text {
  const { tokens, things: found } = readThings(tokensOf(goal), goal, { catalogue, lexicon, now });
  const { things, silent: done, notes } = corrected({ tokens, lexicon }, found, goal);
  const signed = signedFrom(tokens, things, lexicon);
  let denied = 0;
  const words = tokens.map((token, index) => {
    const own = index > signed ? [] : (things[index] ?? []);
    if (index < denied || index > signed || done.has(index) || isWhoever(tokens, index, lexicon))
      return wordOf({ ...token, kind: 'word', low: '' }, own, [silent], lexicon);
    const isName = isKey(token, goal, lexicon) && own.some(({ kind }) => kind === 'project');
    const phrases = isName ? [] : lexicon.phrasesAt(tokens, index);
    // "don't forget to page": a denial that denies nothing, and none of its words does.
    const affirmed = phrases.find(({ tags }) => tags.has('affirmed'));
    if (affirmed) denied = index + affirmed.length;
    return affirmed
      ? wordOf({ ...token, low: '' }, own, [silent], lexicon)
      : wordOf(token, own, phrases, lexicon);
  });
  const plan = change?.plan ?? null;
  const given = { goal, words, corrections: notes, lexicon, catalogue };
  return { ...given, now, onCallFor, watched, plan, kept: new Map() };
}

/** Services, tickets and incidents that pasted words name, word by word: as a whole they would be read as an alert again. */
export const namedIn = ({ catalogue, now, lexicon }: Text, pasted: string): Thing[] =>
  pasted
    .split(/[\s[\]()]+/u)
    .flatMap((one) => readText(one, { catalogue, now }, lexicon).words)
    .flatMap(({ things }) => things)
    .filter(
      ({ kind, value, sure }) =>
        kind === 'service' ||
        (kind === 'incident' && sure) ||
        (kind === 'issue' && knowsTarget(catalogue, 'issue', value)),
    );

/** What was made for a key before, or is made now. */
export function once<Made>({ kept }: Text, key: string, make: () => Made): Made {
  if (!kept.has(key)) kept.set(key, make());
  return kept.get(key) as Made;
}

export const lowAt = ({ words }: Text, index: number): string => words[index]?.low ?? '';

/** Whether a word is any of these, alone or with those behind it. */
export function is({ words }: Text, index: number, ...tags: readonly string[]): boolean {
  const own = words[index]?.tags;
  if (own !== undefined) for (const tag of tags) if (own.has(tag)) return true;
  return false;
}

/** Whether a word is any of these without those behind it. */
export const isAlone = ({ words }: Text, index: number, ...tags: readonly string[]): boolean =>
  tags.some((tag) => words[index]?.alone.has(tag));

/** Whether any word of a span is any of these. */
export function saysIn(text: Text, span: Iterable<number>, ...tags: readonly string[]): boolean {
  for (const index of span) if (is(text, index, ...tags)) return true;
  return false;
}

export function range(from: number, to: number): number[] {
  const numbers: number[] = [];
  for (let at = from; at < to; at += 1) numbers.push(at);
  return numbers;
}

/** A key for the tokens of a span, short for those that stand next to each other. */
export function spanKey(span: readonly number[]): string {
  const [first = 0, last = 0] = [span[0], span.at(-1)];
  return last - first + 1 === span.length ? `${first}-${last}` : span.join(' ');
}

/** What the request says from one token to another, without the marks at their ends. */
export function wordsOf({ goal, words }: Text, indexes: readonly number[]): string {
  const first = indexes.find((index) => !words[index]?.tags.has('silent'));
  const said = goal.slice(words[first ?? 0]?.start, words[indexes.at(-1) ?? 0]?.end);
  const plain = said.replace(/^[\s,;:.–—-]+|[\s,;:.–—-]+$/gu, '');
  // "(threshold 60s)": its mark belongs to what it closes.
  const isOpen = /\([^)]*$/u.test(plain) && words[(indexes.at(-1) ?? 0) + 1]?.raw === ')';
  return first === undefined ? '' : isOpen ? `${plain})` : plain;
}

export function isAny({ tags: own }: Phrase, ...tags: readonly string[]): boolean {
  for (const tag of tags) if (own.has(tag)) return true;
  return false;
}

/** The longest phrase at a place of a span that is any of these and ends inside the span. */
export function phraseIn(
  { words }: Text,
  span: readonly number[],
  at: number,
  ...tags: readonly string[]
): Phrase | undefined {
  const index = span[at] as number;
  return words[index]?.phrases.find(
    (one) => span[at + one.length - 1] === index + one.length - 1 && isAny(one, ...tags),
  );
}

/** How often a span says any of these, where it says nothing else that carries something; null where it does. */
function onlyIn(text: Text, span: readonly number[], ...tags: readonly string[]): number | null {
  let count = 0;
  for (let at = 0; at < span.length; ) {
    const phrase = phraseIn(text, span, at, ...tags);
    if (phrase) count += 1;
    else if (!is(text, span[at] as number, 'empty', 'and')) return null;
    at += phrase?.length ?? 1;
  }
  return count;
}

/** Whether a span says nothing but these, and at least one of them. */
export const isAll = (text: Text, span: readonly number[], ...tags: readonly string[]): boolean =>
  (onlyIn(text, span, ...tags) ?? 0) > 0;

/** Whether a phrase that begins before a word goes on over it. */
export const isWithin = ({ words }: Text, index: number, isFit: (phrase: Phrase) => boolean): boolean =>
  [1, 2, 3, 4].some((back) => words[index - back]?.phrases.some((one) => one.length > back && isFit(one)));

/** Tokens in order, with those before them of which they are a part: of "too many" both. */
export function wholePhrases({ words }: Text, indexes: readonly number[]): number[] {
  const isPart = (at: number): boolean =>
    words[at - 1]?.phrases.some(({ length, tags }) => length > 1 && tags.has('vague')) ?? false;
  const all = indexes.flatMap((at) => (isPart(at) ? [at - 1, at] : [at]));
  return [...new Set(all)].sort((a, b) => a - b);
}

/** Whether a span carries nothing at all. "assigned to me" says something, although none of its words does. */
export const isEmpty = (text: Text, span: readonly number[]): boolean =>
  onlyIn(text, span, 'nothing', 'time present') !== null &&
  !span.some((index, at) => is(text, index, 'thing') || (phraseIn(text, span, at, 'value')?.length ?? 0) > 1);

/** "my weekly report", "the next shift": a word that something is said of by name is no order. */
export const isDescribed = (text: Text, index: number): boolean =>
  is(text, index - 2, 'definite') && !is(text, index - 1, 'noun', 'thing', 'empty', 'mark');

/** "OPS-1 and OPS-2": a word between two things of one kind. */
export function joinsThings({ words }: Text, index: number): boolean {
  const after = words[index + 1]?.things.map(({ kind }) => kind) ?? [];
  return words[index - 1]?.things.some(({ kind }) => kind !== 'unknown' && after.includes(kind)) ?? false;
}

/** "over 30": a comparison with its number. */
export const isBound = (text: Text, index: number): boolean =>
  text.words[index]?.phrases.some(
    ({ length, tags }) => tags.has('compare') && is(text, index + length, 'number'),
  ) ?? false;
