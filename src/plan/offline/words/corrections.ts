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
  lexicon.phrasesAt(tokens, at).some((phrase) => tags.some((tag) => phrase.tags.has(tag)));

const isSmall = ({ tokens, lexicon }: Spoken, at: number, list: string): boolean =>
  lexicon.small.get(tokens[at]?.low ?? '')?.includes(list) ?? false;

/** The token behind “I mean” or “no, sorry”, and behind what may stand before a name; `at` where none begins there. */
function behind(spoken: Spoken, at: number): number {
  const { tokens, lexicon } = spoken;
  const phrase = (from: number): number =>
    lexicon.phrasesAt(tokens, from).find(({ tags }) => tags.has('correcting'))?.length ?? 0;
  let end = at + phrase(at);
  while (end > at && (phrase(end) > 0 || tokens[end]?.kind === 'mark' || isSmall(spoken, end, 'within')))
    end += phrase(end) || 1;
  return end;
}

/** Whether what was meant ends here: “sorry, PAY tickets are slow” corrects nothing. */
const isOver = (spoken: Spoken, at: number): boolean =>
  at >= spoken.tokens.length ||
  spoken.tokens[at]?.kind === 'mark' ||
  isSmall(spoken, at, 'name ends') ||
  isSmall(spoken, at, 'telling') ||
  is(spoken, at, 'if', 'unless', 'then');

/** “page payments, I mean checkout: …”, “more than 10 …, no, 20”: the last thing of its kind gives way to what was meant. */
export function corrected(spoken: Spoken, found: readonly (readonly Thing[])[], goal: string): Corrected {
  const { tokens } = spoken;
  const things = [...found];
  const silent = new Set<number>();
  const notes: string[] = [];
  for (const at of tokens.keys()) {
    // "yes: #ops, no, #general" has two branches.
    const isBranch = tokens.slice(0, at).some(({ low }) => low === 'yes');
    const end = silent.has(at) || isBranch ? at : behind(spoken, at);
    const meant = things[end]?.filter(({ kind }) => correctable.has(kind)) ?? [];
    const length = meant[0]?.length ?? 0;
    const isSure = is(spoken, at, 'correcting sure');
    if (end === at || length === 0 || !(isSure || isOver(spoken, end + length))) continue;
    const isLike = ({ kind }: Thing): boolean => meant.some((one) => one.kind === kind);
    const start = tokens.findLastIndex(({ raw }, index) => index < at && /^[.;?!]$/u.test(raw)) + 1;
    const before = things.findLastIndex(
      (own, index) => index >= start && index < at && !silent.has(index) && own.some(isLike),
    );
    const old = things[before]?.find(isLike);
    if (!old) continue;
    const said = (from: number, count: number): string =>
      goal.slice(tokens[from]?.start, tokens[from + count - 1]?.end);
    notes.push(`“${said(end, length)}” instead of “${said(before, old.length)}”, as corrected.`);
    things[before] = meant.map((one) => ({ ...one, at: before, length: old.length }));
    // "I mean checkout is down" says something of it as well.
    const last = isSmall(spoken, end + length, 'saying') ? end : end + length;
    const first = tokens[at - 1]?.kind === 'mark' && last > end ? at - 1 : at;
    for (let index = first; index < last; index += 1) {
      silent.add(index);
      things[index] = [];
    }
  }
  return { things, silent, notes };
}
