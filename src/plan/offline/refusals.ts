import type { PlannerAnswer } from '../../core/answer.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { Text } from './frame.ts';
import type { Lexicon } from './lexicon.ts';
import type { Words } from './sense.ts';

type Refusal = Extract<PlannerAnswer, { kind: 'refuse' }>;
type Rule = Words['refusals'][number];

/** Words that a request is cut into for these rules; quotations and pasted data are `…`. */
function sentencesOf({ tokens }: Text): string[][] {
  const sentences: string[][] = [[]];
  for (const { kind, raw, low } of tokens) {
    if (kind === 'mark' && /^[.;?!]$/u.test(raw)) sentences.push([]);
    else if (kind !== 'mark') sentences.at(-1)?.push(kind === 'word' ? low : '…');
  }
  return sentences.filter(({ length }) => length > 0);
}

function startsWith(words: readonly string[], at: number, parts: readonly string[]): number {
  const fits = parts.every((part, offset) => {
    const word = words[at + offset] ?? '';
    return part.endsWith('*') ? word.startsWith(part.slice(0, -1)) : word === part;
  });
  return fits ? parts.length : 0;
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

function endOf(
  words: readonly string[],
  phrases: readonly string[],
  from: number,
  to: number,
): number | null {
  const group = groupOf(phrases);
  for (let at = from; at <= Math.min(to, words.length - 1); at += 1) {
    const here = group.get((words[at] ?? '').slice(0, 2)) ?? [];
    const length = Math.max(0, ...here.map((parts) => startsWith(words, at, parts)));
    if (length > 0) return at + length;
  }
  return null;
}

/** Only politeness stands before it, or a word behind which orders begin. */
function beginsOrder(words: readonly string[], at: number, { small }: Lexicon): boolean {
  return (
    words.slice(Math.max(0, at - 6), at).every((word) => small.get('polite')?.has(word)) ||
    words[at - 1] === '…' ||
    small.get('leading')?.has(words[at - 1] ?? '') === true
  );
}

function holds({ all, within, first }: Rule, words: readonly string[], lexicon: Lexicon): boolean {
  const [head = [], ...rest] = all.filter(({ length }) => length > 0);
  return words.some((_word, start) => {
    let at = endOf(words, head, start, start);
    if (at === null || (first && !beginsOrder(words, start, lexicon))) return false;
    // "don't ack any of them" rules out what would be refused. Nothing is ruled out by a rule of one group.
    if (rest.length > 0 && lexicon.small.get('denying')?.has(words[start - 1] ?? '')) return false;
    for (const group of rest) at = at === null ? null : endOf(words, group, at, at + within);
    return at !== null;
  });
}

/** What the tools here do, in the words of their declarations. */
export function abilitiesOf(tools: Iterable<Manifest>): string {
  const lines = [...tools].map(({ summary }) => summary.split(/[:.,]/u)[0]?.toLowerCase() ?? '');
  return `What this bot can do here: ${lines.slice(0, 24).join('; ')}.`;
}

/** Why a request is refused before it is planned, or null. What is quoted is data and never looked at. */
export function refusalOf(text: Text, tools: Iterable<Manifest>): Refusal | null {
  const sentences = sentencesOf(text);
  const ours =
    sentences.flat().some((word) => text.lexicon.small.get('trade')?.has(word)) ||
    text.entities.some((here) =>
      here.some(({ kind }) => ['issue', 'channel', 'user', 'severity'].includes(kind)),
    );
  let said = '';
  for (const rule of text.lexicon.words.refusals) {
    if (rule.say !== '') said = rule.say;
    if (rule.reason === 'out_of_scope' && ours) continue;
    if (!sentences.some((words) => holds(rule, words, text.lexicon))) continue;
    return {
      kind: 'refuse',
      reason: rule.reason,
      explanation: said === 'abilities' ? abilitiesOf(tools) : said,
    };
  }
  return null;
}
