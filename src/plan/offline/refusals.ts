import type { PlannerAnswer } from '../../core/answer.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { Text } from './frame.ts';
import type { Lexicon } from './lexicon.ts';
import type { Phrase, Words } from './sense.ts';

type Refusal = Extract<PlannerAnswer, { kind: 'refuse' }>;
type Rule = Words['refusals'][number];
type Tools = ReadonlyMap<string, Manifest>;

/** A word of a sentence with its token; quotations and pasted data are `…`. */
interface Word {
  readonly low: string;
  readonly index: number;
}

/** Words that stand one after the other in a sentence, which a rule is about. */
interface Match {
  readonly at: number;
  readonly length: number;
}

function sentencesOf({ tokens }: Text): Word[][] {
  const sentences: Word[][] = [[]];
  for (const [index, { kind, raw, low }] of tokens.entries()) {
    if (kind === 'mark' && /^[.;?!]$/u.test(raw)) sentences.push([]);
    else if (kind !== 'mark') sentences.at(-1)?.push({ low: kind === 'word' ? low : '…', index });
  }
  return sentences.filter(({ length }) => length > 0);
}

/** Phrases of a group by the first two letters of their first word, split into words once. */
type Group = ReadonlyMap<string, readonly (readonly string[])[]>;
const groups = new WeakMap<readonly string[], Group>();

function groupOf(phrases: readonly string[]): Group {
  const known = groups.get(phrases);
  if (known) return known;
  const made = new Map<string, string[][]>();
  for (const phrase of phrases) {
    const start = phrase.slice(0, 2);
    made.set(start, [...(made.get(start) ?? []), phrase.split(' ')]);
  }
  groups.set(phrases, made);
  return made;
}

const isPart = (part: string, word = ''): boolean =>
  part.endsWith('*') ? word.startsWith(part.slice(0, -1)) : word === part;

/** The first words from one place to another that are in a group, as many as there are. */
function find(words: readonly Word[], phrases: readonly string[], from: number, to: number): Match | null {
  const group = groupOf(phrases);
  for (let at = from; at <= Math.min(to, words.length - 1); at += 1) {
    const here = group.get((words[at]?.low ?? '').slice(0, 2)) ?? [];
    const fitting = here.filter((parts) => parts.every((part, next) => isPart(part, words[at + next]?.low)));
    if (fitting.length > 0) return { at, length: Math.max(...fitting.map(({ length }) => length)) };
  }
  return null;
}

/** Only politeness stands before it, or a word behind which orders begin. */
function beginsOrder(words: readonly Word[], at: number, { small }: Lexicon): boolean {
  const before = words[at - 1]?.low ?? '';
  return (
    words.slice(Math.max(0, at - 6), at).every(({ low }) => small.get('polite')?.has(low)) ||
    small.get('leading')?.has(before) === true
  );
}

/** What a rule finds in a sentence from a place on: a match for each of its groups; null where it does not hold. */
function matchesOf(
  { all, within, first }: Rule,
  words: readonly Word[],
  start: number,
  lexicon: Lexicon,
): Match[] | null {
  const [head = [], ...rest] = all.filter(({ length }) => length > 0);
  const found = find(words, head, start, start);
  if (found === null || (first && !beginsOrder(words, start, lexicon))) return null;
  // "don't ack any of them" rules out what would be refused. Nothing is ruled out by a rule of one group.
  if (rest.length > 0 && lexicon.small.get('denying')?.has(words[start - 1]?.low ?? '')) return null;
  const matches = [found];
  for (const group of rest) {
    const { at, length } = matches.at(-1) as Match;
    const next = find(words, group, at + length, at + length + within);
    if (next === null) return null;
    matches.push(next);
  }
  return matches;
}

/** A tool that is asked for with these very words: its verb, and what else the rule is about. */
function isDeclared(text: Text, words: readonly Word[], matches: readonly Match[], tools: Tools): boolean {
  const phrasesFor = ({ at, length }: Match): readonly Phrase[] =>
    text.phrases[words[at]?.index ?? -1]?.filter((phrase) => phrase.length >= length) ?? [];
  const [first, ...others] = matches;
  return (first ? phrasesFor(first) : []).some(({ length, senses }) =>
    senses.some(({ role, of }) => {
      const isOf = (match: Match): boolean =>
        match.at < (first?.at ?? 0) + length ||
        phrasesFor(match).some((phrase) => phrase.senses.some((sense) => sense.of === of));
      return role === 'verb' && tools.has(of) && others.every(isOf);
    }),
  );
}

function holds(rule: Rule, words: readonly Word[], text: Text, tools: Tools): boolean {
  return words.some((_word, start) => {
    const matches = matchesOf(rule, words, start, text.lexicon);
    return matches !== null && !(rule.reason === 'no_tool' && isDeclared(text, words, matches, tools));
  });
}

/** What the tools here do, in the words of their declarations. */
export function abilitiesOf(tools: Iterable<Manifest>): string {
  const lines = [...tools].map(({ summary }) => summary.split(/[:.,]/u)[0]?.toLowerCase() ?? '');
  return `What this bot can do here: ${lines.slice(0, 24).join('; ')}.`;
}

/** Why a request is refused before it is planned, or null. What is quoted is data and never looked at. */
export function refusalOf(text: Text, tools: Tools): Refusal | null {
  const sentences = sentencesOf(text);
  const isOurs =
    sentences.flat().some(({ low }) => text.lexicon.small.get('trade')?.has(low)) ||
    text.entities.flat().some(({ kind }) => ['issue', 'channel', 'user', 'severity'].includes(kind));
  let said = '';
  for (const rule of text.lexicon.words.refusals) {
    if (rule.say !== '') said = rule.say;
    if (rule.reason === 'out_of_scope' && isOurs) continue;
    if (!sentences.some((words) => holds(rule, words, text, tools))) continue;
    const explanation = said === 'abilities' ? abilitiesOf(tools.values()) : said;
    return { kind: 'refuse', reason: rule.reason, explanation };
  }
  return null;
}
