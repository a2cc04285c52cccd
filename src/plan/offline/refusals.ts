import type { PlannerAnswer } from '../../core/answer.ts';
import type { Manifest } from '../../core/manifest.ts';
import { isTold } from './frames/told.ts';
import { is, lowAt, once, range, type Text, type Word } from './words/text.ts';
import { commonWords } from './words/words.ts';

type Refusal = Extract<PlannerAnswer, { kind: 'refuse' }>;
type Tools = ReadonlyMap<string, Manifest>;

/** Whether a word of a sentence is a part of a phrase: `*` stands for any ending, `<issue>` for any word with that tag. */
type Part = (heard: Heard) => boolean;
type Phrase = readonly Part[];

function partOf(part: string): Part {
  const [tag, begun] = [part.slice(1, -1), part.slice(0, -1)];
  if (part.startsWith('<')) return ({ word }) => word.tags.has(tag);
  return part.endsWith('*') ? ({ low }) => low.startsWith(begun) : ({ low }) => low === part;
}

const rules = commonWords.refusals.map((rule, at, all) => ({
  ...rule,
  // A rule without words of its own says what the one before it says.
  say: all.slice(0, at + 1).findLast(({ say }) => say !== '')?.say ?? '',
  groups: rule.all.map((phrases): Phrase[] => phrases.map((phrase) => phrase.split(' ').map(partOf))),
}));

type Rule = (typeof rules)[number];

/** What a rule is found by: a word, a tag that stands for any word, or the first two letters of what has any ending. */
const startOf = (part: string): string => (part.endsWith('*') ? `${part.slice(0, 2)}*` : part);

/** Rules by what their first group may begin with. */
const rulesBy = new Map<string, Set<Rule>>();
for (const rule of rules)
  for (const phrase of rule.all[0] ?? []) {
    const start = startOf(phrase.split(' ')[0] ?? '');
    rulesBy.set(start, (rulesBy.get(start) ?? new Set()).add(rule));
  }

/** Tags that stand for a word at the start of a rule. */
const marks = [...rulesBy.keys()].filter((start) => start.startsWith('<'));

/** A word of a sentence with its place in the request; texts that are passed on are `…`, quotations and pasted data empty. */
interface Heard {
  readonly low: string;
  readonly index: number;
  readonly word: Word;
}

/** The columns that a query shows, in SQL, SPL and KQL; a number of them shows nothing of them. */
const columnsOf = (query: string): string[] =>
  [
    ...query
      .replace(/\bcount\s*\([^)]*\)/giu, '')
      .matchAll(/\b(?:select|table|fields|project)\s+((?:(?!\bfrom\b)[^|])*)/giu),
  ].flatMap(([, columns = '']) => columns.toLowerCase().split(/[\s,]+/u));

/** "show …" for each column that a query shows: it asks for that as words would. */
function shownBy(word: Word, index: number): Heard[][] {
  if (word.kind !== 'data') return [];
  const say = (low: string): Heard => ({ low, index, word });
  return columnsOf(word.raw).map((column) => ['show', ...column.split(/[^a-z0-9]+/u)].map(say));
}

function sentencesOf(text: Text): Heard[][] {
  const sentences: Heard[][] = [...text.words.flatMap(shownBy), []];
  for (const [index, word] of text.words.entries()) {
    const low = isTold(text, index) ? '…' : word.low;
    if (word.kind === 'mark' && /^[.;?!]$/u.test(word.raw)) sentences.push([]);
    else if (word.kind !== 'mark') sentences.at(-1)?.push({ low, index, word });
  }
  return sentences;
}

type Match = Readonly<{ at: number; length: number }>;

/** Where words of a group stand first, from one place to another, with how many there are. */
function matchIn(words: readonly Heard[], group: readonly Phrase[], from: number, to: number): Match | null {
  for (let at = from; at <= Math.min(to, words.length - 1); at += 1) {
    let length = 0;
    for (const phrase of group)
      if (phrase.length > length && at + phrase.length <= words.length)
        if (phrase.every((isPart, next) => isPart(words[at + next] as Heard))) length = phrase.length;
    if (length > 0) return { at, length };
  }
  return null;
}

/** "deploy 4.12 went out": nothing is ordered by what something is said of. */
function isSubject(text: Text, from: number): boolean {
  const turns = ['mark', 'speaking', 'pointing', 'if', 'unless', 'saying'];
  const end = range(from + 1, text.words.length).find((at) => is(text, at, ...turns)) ?? -1;
  return is(text, end, 'saying') && !is(text, end, 'speaking') && lowAt(text, end - 1) !== 'to';
}

/** Words that a rule finds in a sentence from a place on, with a phrase for each of its groups; null where it does not hold. */
function matchesOf(
  { groups, within, first }: Rule,
  words: readonly Heard[],
  start: number,
  text: Text,
): Match[] | null {
  const isAt = (at: number, ...tags: readonly string[]): boolean => is(text, words[at]?.index ?? -1, ...tags);
  const matches: Match[] = [];
  for (const group of groups) {
    const last = matches.at(-1);
    const from = last ? last.at + last.length : start;
    const found = matchIn(words, group, from, last ? from + within : from);
    if (found === null) return null;
    matches.push(found);
  }
  // Only politeness stands before an order, or a word behind which orders begin. "The refund failed" orders none.
  const polite = words.slice(Math.max(0, start - 6), start).every(({ word }) => word.tags.has('polite'));
  if (first && ((!polite && !isAt(start - 1, 'leading')) || isAt(start - 1, 'articles'))) return null;
  const { at: last, length } = matches.at(-1) ?? { at: start, length: 1 };
  if (first && isSubject(text, words[last + length - 1]?.index ?? -1)) return null;
  // "don't ack any of them" rules out what would be refused. Nothing is ruled out by a rule of one group.
  return matches.length > 1 && isAt(start - 1, 'denying') ? null : matches;
}

/** A tool that is asked for with these very words: its verb, or what says more of it behind its verb, and what else the rule is about. */
function isDeclared(words: readonly Heard[], matches: readonly Match[], tools: Tools): boolean {
  const [first = { at: -1, length: 0 }, ...others] = matches;
  const phrasesFor = ({ at, length }: typeof first): Word['phrases'] =>
    words[at]?.word.phrases.filter((phrase) => phrase.length >= length) ?? [];
  return phrasesFor(first).some(({ length, senses }) =>
    senses.some(({ role, of }) => {
      const isOf = (match: typeof first): boolean =>
        match.at < first.at + length ||
        phrasesFor(match).some((phrase) => phrase.senses.some((sense) => sense.of === of));
      // "open tickets" are there, "open a ticket" is an order.
      const isOrder = ({ word }: Heard, at: number): boolean =>
        word.tags.has(`verb ${of}`) &&
        (!word.alone.has('value') || (words[at + 1]?.word.tags.has('articles') ?? false));
      const isMore = role === 'cue' && words.slice(0, first.at).some(isOrder);
      return (role === 'verb' || isMore) && tools.has(of) && others.every(isOf);
    }),
  );
}

/** Rules that may begin at a word. */
const rulesAt = ({ low, word }: Heard): Rule[] =>
  [low, startOf(`${low}*`), ...marks.filter((mark) => word.tags.has(mark.slice(1, -1)))].flatMap((start) => [
    ...(rulesBy.get(start) ?? []),
  ]);

/** Why a request is refused before it is planned, or null; `late`: what no look-up can do where it was not read as a whole. What is quoted is data and never looked at. */
export function refusalOf(text: Text, tools: Tools, late = false): Refusal | null {
  const ours = ['issue', 'channel', 'user', 'severity', 'trade'];
  const isOurs = text.words.some((_word, index) => is(text, index, ...ours));
  const holds = (rule: Rule, words: readonly Heard[], start: number): boolean => {
    if (rule.late !== late || (rule.reason === 'out_of_scope' && isOurs)) return false;
    const matches = matchesOf(rule, words, start, text);
    return matches !== null && !(rule.reason === 'no_tool' && isDeclared(words, matches, tools));
  };
  const found = once(text, 'sentences', () => sentencesOf(text)).flatMap((words) =>
    words.flatMap((word, start) => rulesAt(word).filter((rule) => holds(rule, words, start))),
  );
  const rule = rules.find((one) => found.includes(one));
  if (rule === undefined) return null;
  const named = text.words.flatMap(({ things }) => things).find(({ kind }) => kind === 'issue')?.value;
  return { kind: 'refuse', reason: rule.reason, explanation: rule.say.replace('{issue}', named ?? 'it') };
}
