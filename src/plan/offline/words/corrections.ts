import type { Lexicon } from './lexicon.ts';
import type { Thing, ThingKind } from './thing.ts';
import type { Token } from './tokens.ts';

/** What a request says after people put right what they had said. */
export interface Corrected {
  /** Things by token: what was meant stands where the other one was said. */
  readonly things: readonly (readonly Thing[])[];
  /** Tokens of corrections, which say nothing any more. */
  readonly silent: ReadonlySet<number>;
  /** What was read instead of what, for people. */
  readonly notes: readonly string[];
}

const correctable = new Set<ThingKind>([
  ...(['channel', 'user', 'service', 'project', 'issue', 'incident'] as const),
  ...(['severity', 'number', 'duration', 'time'] as const),
]);

/** The tokens of a request with their phrases. */
interface Spoken {
  readonly tokens: readonly Token[];
  readonly lexicon: Lexicon;
}

const is = ({ tokens, lexicon }: Spoken, at: number, ...tags: readonly string[]): boolean =>
  lexicon.isIn(tokens[at]?.low, ...tags) ||
  lexicon.phrasesAt(tokens, at).some((phrase) => tags.some((tag) => phrase.tags.has(tag)));

/** The token behind “I mean” or “no, sorry”, and behind what may stand before a name; `at` where none begins there. */
function behind(spoken: Spoken, at: number): number {
  const { tokens, lexicon } = spoken;
  const phrase = (from: number): number =>
    lexicon.phrasesAt(tokens, from).find(({ tags }) => tags.has('correcting'))?.length ?? 0;
  let end = at + phrase(at);
  while (end > at && (phrase(end) > 0 || tokens[end]?.kind === 'mark' || is(spoken, end, 'within')))
    end += phrase(end) || 1;
  return end;
}

/** Whether what was meant ends here: “sorry, PAY tickets are slow” corrects nothing. */
const isOver = (spoken: Spoken, at: number): boolean =>
  at >= spoken.tokens.length ||
  spoken.tokens[at]?.kind === 'mark' ||
  is(spoken, at, 'name ends', 'telling', 'if', 'unless', 'then');

/** What was meant, and what it stands for instead: both by their first token. */
interface Correction {
  readonly meant: readonly Thing[];
  readonly old: Thing;
  readonly from: number;
  readonly to: number;
}

/** “page payments, I mean checkout: …”, “more than 10 …, no, 20”, “page payments, sorry, page ops”: the last thing of its kind. */
function correctionAt(
  spoken: Spoken,
  found: Corrected['things'],
  { at, begin }: { readonly at: number; readonly begin: number },
  open: readonly number[],
): Correction | null {
  const { tokens } = spoken;
  // The words before it may be said again.
  for (const again of [0, 1, 2, 3]) {
    const to = begin + again;
    const meant = found[to]?.filter(({ kind }) => correctable.has(kind)) ?? [];
    const isLike = ({ kind }: Thing): boolean => meant.some((one) => one.kind === kind);
    const from = open.findLast((index) => found[index]?.some(isLike)) ?? -1;
    const old = found[from]?.find(isLike);
    const isSaidAgain = tokens
      .slice(begin, to)
      .every(({ low }, index) => low === tokens[from - again + index]?.low);
    const isMeant = is(spoken, at, 'correcting sure') || isOver(spoken, to + (meant[0]?.length ?? 0));
    if (old && isSaidAgain && isMeant) return { meant, old, from, to };
  }
  return null;
}

/** Reads corrections before anything else is read. */
export function corrected(spoken: Spoken, found: readonly (readonly Thing[])[], goal: string): Corrected {
  const { tokens } = spoken;
  const things = [...found];
  const silent = new Set<number>();
  const notes: string[] = [];
  // "yes: #ops, no, #general" has two branches.
  const yes = tokens.findIndex(({ low }) => low === 'yes');
  for (const at of tokens.slice(0, yes < 0 ? tokens.length : yes + 1).keys()) {
    const begin = behind(spoken, at);
    if (begin === at || silent.has(at)) continue;
    const start = tokens.findLastIndex(({ raw }, index) => index < at && /^[.;?!]$/u.test(raw)) + 1;
    const open = [...tokens.keys()].slice(start, at).filter((index) => !silent.has(index));
    const correction = correctionAt(spoken, things, { at, begin }, open);
    if (correction === null) continue;
    const { meant, old, from, to } = correction;
    const end = to + (meant[0]?.length ?? 0);
    const said = (first: number, count: number): string =>
      goal.slice(tokens[first]?.start, tokens[first + count - 1]?.end);
    notes.push(`“${said(to, end - to)}” instead of “${said(from, old.length)}”, as corrected.`);
    things[from] = meant.map((one) => ({ ...one, at: from, length: old.length }));
    // "I mean checkout is down" says something of it as well.
    const last = is(spoken, end, 'saying') ? to : end;
    const first = tokens[at - 1]?.kind === 'mark' && last > to ? at - 1 : at;
    for (let index = first; index < last; index += 1) {
      silent.add(index);
      things[index] = [];
    }
  }
  return { things, silent, notes };
}
