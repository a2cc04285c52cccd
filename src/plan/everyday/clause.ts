import { cut, oneLine } from '../../core/clean-text.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { Plan } from '../../core/plan.ts';
import { questionWords, whetherWords } from '../../core/question-words.ts';
import type { Draft, DraftStep } from './draft.ts';
import { emptyWords } from './empty-words.ts';
import type { Heard } from './heard.ts';
import { denies, stem, stemsOf } from './negations.ts';
import type { Token } from './tokens.ts';

/** Words that join what is asked for, in the languages that are read. */
const joins = /^(?:and|then|und|dann|et|puis|y|luego|e)$/u;
const marks = /^[,;.:?!—–]$/u;
/** A shorter piece is part of a list, as the last one of "OPS and PAY". */
const minWords = 3;
const maxReason = 160;

/** True for a token between two clauses; a change and the plan that it changes are none of the same one. */
function endsClause({ kind, low }: Token): boolean {
  if (kind === 'section' || kind === 'old') return true;
  return kind === 'mark' ? marks.test(low) : joins.test(low);
}

/** Words with which a question of its own begins behind a join: “and is that normal”. */
const asks = questionWords.union(whetherWords);
/** “Otherwise do nothing” orders nothing. */
const idle = /^(?:otherwise|else|nothing|nichts|rien|nada)$/u;

/** The same, where a dash parts, and "and" joins but for a question. */
export const endsPiece = (token: Token, next: Token | undefined): boolean => {
  if (token.low === '-') return token.kind === 'mark';
  return endsClause(token) && (!joins.test(token.low) || asks.has(next?.low ?? ''));
};

export type Drafted = Extract<Draft, { kind: 'plan' }>;

interface Clause {
  readonly from: number;
  /** Behind its last token. */
  readonly to: number;
}

/** The reason of a step: the clause of the request that asked for it, by the verbs of its tool and what it took from there. */
export function clauseFor({ args }: DraftStep, tool: Manifest, { text, tokens }: Heard): string {
  const verbs = verbsOf([tool]);
  const taken = [...args.values()].flatMap((parts) =>
    (parts ?? []).flatMap((part) => ('said' in part ? [part.from] : [])),
  );
  const scored = clausesOf(tokens).map((clause) => {
    const within = (at: number) => at >= clause.from && at < clause.to;
    const isAsked = tokens.slice(clause.from, clause.to).some(({ low }) => verbs.has(stem(low)));
    return { clause, score: (isAsked ? 2 : 0) + taken.filter(within).length };
  });
  const best = Math.max(0, ...scored.map(({ score }) => score));
  const found = scored.find(({ score }) => score === best)?.clause;
  const [first, last] = [tokens[found?.from ?? 0], tokens[(found?.to ?? 0) - 1]];
  return (
    cut(oneLine(text.slice(first?.start ?? 0, last?.end ?? text.length)).trim(), maxReason) || 'Asked for.'
  );
}

/**
 * Clauses between marks that stand nowhere in a plan: no step took anything from them, they call none of its tools, and
 * they deny nothing; where nothing is written, only those that may order it. A request of one clause has none: it is
 * what the plan was made from.
 */
export function clausesLeft(
  draft: Drafted,
  { text, tokens }: Heard,
  manifests: ReadonlyMap<string, Manifest>,
  before: Plan | null,
): string[] {
  const { steps } = draft;
  const pieces = piecesOf(tokens, endsPiece);
  if (pieces.length < 2) return [];
  const isWrite = ({ tool }: { readonly tool: string }): boolean => manifests.get(tool)?.effect === 'write';
  const writes = [...manifests.values()].filter(({ effect }) => effect === 'write');
  const orders = steps.some(isWrite) ? null : verbsOf(writes);
  // A change that leaves every write out may order another one, about the same things.
  const leavesOut = before?.steps.some(isWrite) === true && !steps.some(isWrite);
  const isCarried = carriedBy(draft, manifests, leavesOut);
  const says = saysMoreThan(draft, manifests);
  const isLeft = ({ from, to }: Clause): boolean => {
    const own = tokens.slice(from, to);
    const isAsked = asks.has(own[0]?.low ?? '');
    const mayOrder = isAsked || orders === null || own.some(({ low }) => orders.has(stem(low)));
    return mayOrder && own.some(says) && !own.some((token, at) => isCarried(token, from + at));
  };
  return pieces
    .filter(isLeft)
    .map(({ from, to }) => text.slice(tokens[from]?.start, tokens[to - 1]?.end).trim());
}

/** “how many P1s does WEB have”, of which a plan only looks up how many are allowed. */
export function uncounted(
  { steps }: Drafted,
  { text, tokens }: Heard,
  manifests: ReadonlyMap<string, Manifest>,
): string[] {
  const tools = toolsOf(steps, manifests);
  if (!tools.every(({ asked }) => asked?.role === 'limit')) return [];
  const known = stemsOf(tools.flatMap(({ asked, keywords }) => [...keywords, ...(asked?.nouns ?? [])]));
  return piecesOf(tokens, endsPiece).flatMap(({ from, to }) => {
    const own = tokens.slice(from, to);
    const counts = own.some(({ low }, at) => low === 'how' && own[at + 1]?.low === 'many');
    const isOfLimit = own.some(({ low }) => known.has(stem(low)));
    return counts && !isOfLimit ? [text.slice(own[0]?.start, own.at(-1)?.end).trim()] : [];
  });
}

/** True for a token that a step took, that calls its tool, that says when a watch looks, or that denies. */
export function carriedBy(
  { steps, watch }: Drafted,
  manifests: ReadonlyMap<string, Manifest>,
  leavesOut: boolean,
): (token: Token, at: number) => boolean {
  const parts = leavesOut ? [] : partsOf(steps);
  const verbs = verbsOf(toolsOf(steps, manifests));
  return (token, at) =>
    parts.some((part) => 'said' in part && at >= part.from && at <= part.to) ||
    verbs.has(stem(token.low)) ||
    // "Instead" denies what was there before, and orders something else.
    (denies(token) && token.low !== 'instead') ||
    (watch !== null && isWhen(token));
}

/** True for a token with a meaning of its own, which the plan and the words of its tools do not have. */
export function saysMoreThan(
  { steps, watch }: Drafted,
  manifests: ReadonlyMap<string, Manifest>,
): (token: Token) => boolean {
  const known = stemsOf([
    ...steps.flatMap(({ args }) => [...args.keys()]),
    ...toolsOf(steps, manifests).flatMap(({ asked, keywords }) => [
      ...[...keywords, ...(asked?.nouns ?? [])],
      ...Object.values(asked?.cues ?? {}).flat(),
    ]),
    ...partsOf(steps).flatMap((part) =>
      'said' in part ? String(part.said) : 'literal' in part ? part.literal : [],
    ),
    ...(watch?.values() ?? []),
  ]);
  return ({ kind, low, values }) =>
    kind !== 'mark' &&
    !emptyWords.has(low) &&
    !idle.test(low) &&
    !known.has(stem(low)) &&
    Object.keys(values).length === 0;
}

/** All values of steps and of their conditions. */
const partsOf = (steps: readonly DraftStep[]) =>
  steps.flatMap(({ args, when }) => [
    ...[...args.values()].flatMap((one) => one ?? []),
    ...(when?.parts.map(({ right }) => right) ?? []),
  ]);

const toolsOf = (steps: readonly DraftStep[], manifests: ReadonlyMap<string, Manifest>): Manifest[] =>
  steps.flatMap(({ tool }) => manifests.get(tool) ?? []);

const isWhen = ({ kind, values }: Token): boolean =>
  kind === 'time' || kind === 'clock' || values.duration !== undefined;

const verbsOf = (tools: readonly Manifest[]): Set<string> =>
  stemsOf(tools.flatMap(({ asked }) => asked?.verbs ?? []));

/** The pieces of a request, or of a change to a plan, between the tokens that end one. */
export function piecesOf(
  tokens: readonly Token[],
  isEnd: (token: Token, next: Token | undefined) => boolean,
): Clause[] {
  const pieces: Clause[] = [];
  let from = 0;
  for (let to = 0; to <= tokens.length; to += 1) {
    const token = tokens[to];
    if (token !== undefined && !isEnd(token, tokens[to + 1])) continue;
    if (to > from) pieces.push({ from, to });
    from = to + 1;
  }
  return pieces;
}

/** Pieces, of which short ones belong to the one before. */
function clausesOf(tokens: readonly Token[]): Clause[] {
  const found: Clause[] = [];
  for (const { from, to } of piecesOf(tokens, endsClause)) {
    const before = found.at(-1);
    if (before === undefined || to - from >= minWords) found.push({ from, to });
    else found[found.length - 1] = { from: before.from, to };
  }
  return found;
}
