import { durationMs } from '../../core/duration.ts';
import type { Manifest } from '../../core/manifest.ts';
import { own } from '../../core/own-property.ts';
import type { PlanningInput } from '../../core/planning.ts';
import { type Draft, type DraftStep, literal } from './draft.ts';
import { tell } from './grammar.ts';
import type { Heard } from './heard.ts';
import { type Share, shareOf } from './shares.ts';
import { type Token, tokenize } from './tokens.ts';
import { comparing, forVettedQuery } from './vetted.ts';

/**
 * A request in which a number of the operator's is one of several things: “page ops if the latency of checkout is over
 * 2 s”. The network knows none of these numbers, so it reads the request with a count of tickets in its place.
 */
export interface Measured {
  readonly heard: Heard;
  /** The words that are left, of which a plan has to carry each. */
  readonly rest: Heard;
  /** The draft with the number where the network wrote the count; null where it wrote none. */
  readonly restored: (draft: Draft) => Draft | null;
}

/** Counts that the network knows, by the tool that it writes for them. */
const counts: readonly (readonly [tool: string, words: string])[] = [
  ['jira.count', 'number of open tickets'],
  ['pagerduty.incidents', 'number of open incidents'],
];

const maxTokens = 60;

export function measuredIn(heard: Heard, input: PlanningInput, share: Share | null): Measured | null {
  const { manifests } = input.catalogue;
  const count = counts.find(([tool]) => manifests.has(tool));
  if (count === undefined || heard.tokens.length > maxTokens) return null;
  const found = share === null ? longestIn(heard, input) : ofShare(share);
  if (found === null) return null;
  const { from, to, unit, compared = [] } = found;
  const { tokens } = heard;
  const [first, last] = [tokens[from] as Token, tokens[to - 1] as Token];
  const instead = tokenize(count[1]).map((token) => ({ ...token, start: first.start, end: last.end }));
  const behind = tokens.slice(moves(tokens.slice(to)) ? to + 1 : to);
  const said = [tokens.slice(0, from), inUnit([...compared, ...behind], unit)] as const;
  return {
    heard: { ...heard, tokens: [...said[0], ...instead, ...said[1]] },
    rest: { ...heard, tokens: said.flat() },
    restored: (draft) => restored(draft, count[0], found),
  };
}

/** “rises above”: only the bound counts. */
const moves = ([verb, next]: readonly Token[]): boolean =>
  /^(?:rises?|climbs?|grows?|goes|gets|falls?|drops?)$/u.test(verb?.low ?? '') &&
  comparing.test(next?.low ?? '');

/** A number in a request, with the steps that read it. */
interface Found {
  readonly from: number;
  readonly to: number;
  readonly unit: string;
  /** Words among these that stay in the request. */
  readonly compared?: readonly Token[];
  /** Steps that it is computed from, the first of which has this place. */
  readonly before: readonly DraftStep[];
  readonly stepAt: (place: number) => DraftStep;
}

const ofShare = ({ numbers, ...place }: Share): Found => ({
  ...place,
  ...{ unit: '%', before: numbers, stepAt: (at) => shareOf(at, at + 1) },
});

/** The longest words that are all about one number, and not the whole request. */
function longestIn({ text, tokens }: Heard, input: PlanningInput): Found | null {
  const said = input.catalogue.queries ?? [];
  const starts = new Set(
    said
      .filter(({ language }) => language === 'promql')
      .flatMap(({ says }) => says.map((words) => words.split(' ')[0])),
  );
  for (const [from, { low, section }] of tokens.entries()) {
    if (section !== 0 || !starts.has(low)) continue;
    for (let to = Math.min(tokens.length, from + 12); to > from; to -= 1) {
      const part = tokens.slice(from, to);
      if (isEdge(part.at(-1)) || part.some(({ low }) => ending.test(low) || comparing.test(low))) continue;
      const draft = forVettedQuery({ text, tokens: part }, input);
      const step = draft?.kind === 'plan' ? draft.steps[0] : undefined;
      if (step?.tool !== 'metrics.query') continue;
      const unit = unitOf(step, input.catalogue.manifests);
      return { from, to, unit, before: [], stepAt: () => literal(step) };
    }
  }
  return null;
}

/** Words that no number goes on behind. */
const ending = /^(?:is|are|goes|gets|if|when|and|every|>=?|<=?)$/u;
const isEdge = (token: Token | undefined): boolean => token === undefined || token.kind === 'mark';

const unitOf = ({ args, tool }: DraftStep, manifests: ReadonlyMap<string, Manifest>): string => {
  const [named] = args.get('named') ?? [];
  return (
    own(manifests.get(tool)?.units ?? {}, named !== undefined && 'literal' in named ? named.literal : '') ??
    ''
  );
};

/** How much one of what is said is of the unit. */
const perUnit: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  s: { s: 1, sec: 1, seconds: 1, ms: 1e-3, milliseconds: 1e-3 },
  ms: { ms: 1, milliseconds: 1, s: 1e3, sec: 1e3, seconds: 1e3 },
  bytes: { bytes: 1, b: 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 },
  '%': { '%': 1, percent: 1 },
};

/** The words behind it, in which a bound with a unit is a plain number in that of the query. */
function inUnit(tokens: readonly Token[], unit: string): Token[] {
  const at = tokens.findIndex(
    ({ kind }, place) =>
      (kind === 'number' || kind === 'duration') && comparing.test(tokens[place - 1]?.low ?? ''),
  );
  const [bound, word] = [tokens[at], tokens[at + 1]];
  if (bound === undefined) return [...tokens];
  const factors = perUnit[unit] ?? { [unit.toLowerCase()]: 1 };
  const [, digitsSaid, unitSaid = word?.low ?? ''] = /^(\d[\d.]*)(?: ?(\p{L}+))?$/u.exec(bound.low) ?? [];
  const factor = own(factors, unitSaid);
  const seconds = (durationMs(bound.values.duration ?? '') ?? Number.NaN) / 1_000;
  const isLength = bound.kind === 'duration' && factor === undefined;
  const value = isLength ? seconds * (own(factors, 's') ?? Number.NaN) : Number(digitsSaid) * (factor ?? 1);
  if (!Number.isFinite(value)) return [...tokens];
  const digits = String(Number(value.toPrecision(12)));
  const number: Token = { ...bound, kind: 'number', raw: digits, low: digits, values: { number: value } };
  const behind = at + (bound.kind === 'number' && factor !== undefined ? 2 : 1);
  return [...tokens.slice(0, at), number, ...tokens.slice(behind)];
}

function restored(draft: Draft, count: string, { before, stepAt }: Found): Draft | null {
  if (draft.kind !== 'plan') return draft;
  const counting = draft.steps.filter(({ tool }) => tool === count);
  if (counting.length !== 1) return null;
  // Steps that only tell are no part of the plan, and the last ones.
  const tells = draft.steps.findIndex(({ tool }) => tool === tell);
  const end = tells < 0 ? draft.steps.length : tells;
  const step = stepAt(end);
  const steps = draft.steps.map((one) =>
    one.tool === count ? { ...step, when: one.when, after: one.after } : one,
  );
  return { ...draft, steps: steps.toSpliced(end, 0, ...before) };
}
