import { cut, oneLine } from '../../core/clean-text.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { Plan } from '../../core/plan.ts';
import type { Draft, DraftStep } from './draft.ts';
import { emptyWords } from './empty-words.ts';
import type { Heard } from './heard.ts';
import { denies, stem } from './negations.ts';
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

interface Clause {
  readonly from: number;
  /** Behind its last token. */
  readonly to: number;
}

/** The reason of a step: the clause of the request that asked for it, by the verbs of its tool and what it took from there. */
export function clauseFor({ args }: DraftStep, tool: Manifest, { text, tokens }: Heard): string {
  const verbs = new Set((tool.asked?.verbs ?? []).map(stem));
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
  { steps, watch }: Extract<Draft, { kind: 'plan' }>,
  { text, tokens }: Heard,
  manifests: ReadonlyMap<string, Manifest>,
  before: Plan | null,
): string[] {
  const parts = steps.flatMap(({ args, when }) => [
    ...[...args.values()].flatMap((one) => one ?? []),
    ...(when?.parts.map(({ right }) => right) ?? []),
  ]);
  const isWrite = ({ tool }: { readonly tool: string }): boolean => manifests.get(tool)?.effect === 'write';
  // A change that leaves every write out may order another one, about the same things.
  const leavesOut = before?.steps.some(isWrite) === true && !steps.some(isWrite);
  const isTaken = (at: number): boolean =>
    !leavesOut && parts.some((part) => 'said' in part && at >= part.from && at <= part.to);
  const tools = steps.flatMap(({ tool }) => manifests.get(tool) ?? []);
  const verbs = verbsOf(tools);
  const writes = [...manifests.values()].filter(({ effect }) => effect === 'write');
  const orders = steps.some(isWrite) ? null : verbsOf(writes);
  const known = wordsOf([
    ...steps.flatMap(({ args }) => [...args.keys()]),
    ...tools.flatMap(({ asked, keywords }) => [
      ...[...keywords, ...(asked?.nouns ?? [])],
      ...Object.values(asked?.cues ?? {}).flat(),
    ]),
    ...parts.flatMap((part) => ('said' in part ? String(part.said) : 'literal' in part ? part.literal : [])),
    ...(watch?.values() ?? []),
  ]);
  const says = ({ kind, low, values }: Token): boolean =>
    kind !== 'mark' && !emptyWords.has(low) && !known.has(stem(low)) && Object.keys(values).length === 0;
  const all = piecesOf(tokens);
  return all.length < 2
    ? []
    : all.flatMap(({ from, to }) => {
        const own = tokens.slice(from, to);
        const isCarried =
          own.some(
            (token, at) =>
              isTaken(from + at) ||
              verbs.has(stem(token.low)) ||
              (denies(token) && token.low !== 'instead') ||
              (watch !== null && isWhen(token)),
          ) ||
          !own.some(says) ||
          (orders !== null && !own.some(({ low }) => orders.has(stem(low))));
        return isCarried ? [] : [text.slice(own[0]?.start, own.at(-1)?.end).trim()];
      });
}

const isWhen = ({ kind, values }: Token): boolean =>
  kind === 'time' || kind === 'clock' || values.duration !== undefined;

const verbsOf = (tools: readonly Manifest[]): Set<string> =>
  new Set(tools.flatMap(({ asked }) => asked?.verbs ?? []).map(stem));

const wordsOf = (texts: readonly string[]): Set<string> =>
  new Set(
    texts
      .flatMap((one) => one.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
      .values()
      .map(stem),
  );

/** The pieces of a request, or of a change to a plan, between its marks. */
function piecesOf(tokens: readonly Token[]): Clause[] {
  const pieces: Clause[] = [];
  let from = 0;
  for (let to = 0; to <= tokens.length; to += 1) {
    const token = tokens[to];
    const isEnd =
      token === undefined ||
      token.kind === 'section' ||
      token.kind === 'old' ||
      (token.kind === 'mark' && /^[,;:.?!—–-]$/u.test(token.low));
    if (!isEnd) continue;
    if (to > from) pieces.push({ from, to });
    from = to + 1;
  }
  return pieces;
}

function clausesOf(tokens: readonly Token[]): Clause[] {
  const found: Clause[] = [];
  let from = 0;
  for (let to = 0; to <= tokens.length; to += 1) {
    const token = tokens[to];
    if (token !== undefined && !endsClause(token)) continue;
    const before = found.at(-1);
    if (to - from >= minWords || before === undefined) found.push({ from, to });
    else if (to > from) found[found.length - 1] = { from: before.from, to };
    from = to + 1;
  }
  return found.filter(({ from: start, to }) => to > start);
}
