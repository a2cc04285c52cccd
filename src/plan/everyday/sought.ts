import type { Manifest } from '../../core/manifest.ts';
import { endsPiece, piecesOf } from './clause.ts';
import type { Draft, DraftStep, Part } from './draft.ts';
import { emptyWords } from './empty-words.ts';
import { type Heard, wordsBetween } from './heard.ts';
import { stem } from './negations.ts';
import { type Slot, slotsOf } from './slots.ts';
import type { Token } from './tokens.ts';

/** Words beside a search that say nothing of what is searched for; articles of other languages too. */
const idle: ReadonlySet<string> = new Set(
  'exist exists belong belongs belonging available asap urgent urgently handy der die das den dem zum zur für le la les l du des pour el los las para o os as do da dos das'.split(
    ' ',
  ),
);

type Drafted = Extract<Draft, { kind: 'plan' }>;

/**
 * A search that was given no words takes those that stand beside what it searches: “runbook checkout latency”. The
 * network has seen most of them only where they say nothing of a search.
 */
export function withSought(draft: Drafted, heard: Heard, tools: ReadonlyMap<string, Manifest>): Drafted {
  const [step, ...others] = draft.steps;
  if (step === undefined || others.length > 0 || draft.watch !== null) return draft;
  const tool = tools.get(step.tool);
  const seeks = tool?.asked?.seeks;
  const isGiven = ([arg, slot]: [string, Slot]): boolean => slot === 'text' && step.args.has(arg);
  if (tool === undefined || seeks === undefined || [...slotsOf(tool)].some(isGiven)) return draft;
  const words = besides(step, tool, heard);
  const args = words.length === 0 ? step.args : new Map([...step.args, [seeks, words]]);
  return { ...draft, steps: [{ ...step, args }] };
}

/** The words around the tool's name that nothing else took; words that only ask end at an article: “pull up the”. */
function besides({ args }: DraftStep, { asked, keywords }: Manifest, heard: Heard): Part[] {
  const { tokens } = heard;
  const own = stems([...(asked?.verbs ?? []), ...(asked?.nouns ?? []), ...keywords]);
  const nouns = stems(asked?.nouns ?? []);
  const name = tokens.findIndex(({ low, section }) => section === 0 && nouns.has(stem(low)));
  const piece = piecesOf(tokens, endsPiece).find(({ from, to }) => name >= from && name < to);
  if (piece === undefined) return [];
  const isTaken = (at: number): boolean =>
    [...args.values()]
      .flatMap((parts) => parts ?? [])
      .some((part) => 'said' in part && at >= part.from && at <= part.to);
  const isEmpty = (token: Token | undefined): boolean =>
    token !== undefined && (emptyWords.has(token.low) || idle.has(token.low));
  const article = tokens.findLastIndex((token, at) => at < name && isEmpty(token));
  const isSought = (at: number): boolean => {
    const token = tokens[at];
    return (
      token?.kind === 'word' &&
      token.section === 0 &&
      !isTaken(at) &&
      !isEmpty(token) &&
      !own.has(stem(token.low))
    );
  };
  const found = Array.from({ length: piece.to - piece.from }, (_, nth) => piece.from + nth).filter(
    (at) => at > article && isSought(at),
  );
  return runsOf(found).map(([from, to]) => ({ said: wordsBetween(heard, from, to), from, to }));
}

const stems = (phrases: readonly string[]): ReadonlySet<string> =>
  new Set(phrases.flatMap((phrase) => phrase.split(/\s+/u)).map(stem));

/** Places side by side as spans. */
function runsOf(places: readonly number[]): [from: number, to: number][] {
  const runs: [number, number][] = [];
  for (const at of places) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === at - 1) last[1] = at;
    else runs.push([at, at]);
  }
  return runs;
}
