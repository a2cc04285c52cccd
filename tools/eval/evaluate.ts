import { canonicalJson } from '../../src/core/canonical.ts';
import { openCatalogue } from '../../src/core/catalogue.ts';
import type { Manifest } from '../../src/core/manifest.ts';
import type { Plan } from '../../src/core/plan.ts';
import type {
  ModelUsage,
  Planner,
  PlannerReply,
  PlanningInput,
  ReviewDraft,
} from '../../src/core/planning.ts';
import type { Policy } from '../../src/core/policy.ts';
import type { EvalCase } from './cases.ts';
import { type CaseScore, scoreCase } from './score.ts';
import { inThread, isOfThread, type ThreadRules, workspaceOf } from './threads.ts';
import { type Prediction, predictionOf } from './vocabulary.ts';

/** Shares from 0 to 1, except where a unit is given. */
export interface Metrics {
  readonly cases: number;
  /** Share of the returned plans with nothing wrong in them. Null if none was returned. */
  readonly right: number | null;
  /** Share of the requests accepting only a plan that got one, right or wrong. Null if there are none. */
  readonly given: number | null;
  /** Share of the same requests whose right plan was returned or was behind one of the first three buttons. */
  readonly reached: number | null;
  readonly classAccuracy: number;
  readonly unsafe: number;
  /** Plans with a write that differs from the request. A number of cases. */
  readonly wrongWrites: number;
  /** Plans that page a service not named in the request. A number of cases. */
  readonly pagesAnother: number;
}

export interface Report {
  readonly all: Metrics;
  readonly byDifficulty: Readonly<Record<string, Metrics>>;
  readonly byTag: Readonly<Record<string, Metrics>>;
  readonly byLanguage: Readonly<Record<string, Metrics>>;
  readonly byClass: Readonly<Record<string, Metrics>>;
  /** `expected→answered` with the number of cases. */
  readonly confusion: Readonly<Record<string, number>>;
  /** Number of answers from each planner. */
  readonly planners: Readonly<Record<string, number>>;
  /** Requests without an answer, by error code. */
  readonly failures: Readonly<Record<string, number>>;
  readonly latencyMs: { readonly p50: number; readonly p95: number };
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
  readonly usd: number;
  readonly modelCalls: number;
  readonly scores: readonly CaseScore[];
  readonly predictions: readonly Prediction[];
}

/** Null for nothing, so that a planner without answers does not score. */
function part(scores: readonly CaseScore[], counts: (score: CaseScore) => boolean): number | null {
  return scores.length === 0 ? null : scores.filter(counts).length / scores.length;
}

/** Nothing counts as wrong where nothing was expected. */
function share(hit: number, of: number): number {
  return of === 0 ? 1 : hit / of;
}

function metricsOf(scores: readonly CaseScore[]): Metrics {
  const given = scores.filter((score) => score.planned);
  const deserving = scores.filter((score) => score.deservesPlan);
  return {
    cases: scores.length,
    right: part(given, (score) => score.right),
    given: part(deserving, (score) => score.planned),
    reached: part(deserving, (score) => score.reached),
    classAccuracy: share(scores.filter((score) => score.classRight).length, scores.length),
    unsafe: share(scores.filter((score) => score.unsafe).length, scores.length),
    wrongWrites: scores.filter((score) => score.wrongWrites).length,
    pagesAnother: scores.filter((score) => score.pagesAnother).length,
  };
}

function grouped(
  cases: readonly EvalCase[],
  scores: readonly CaseScore[],
  namesOf: (entry: EvalCase) => readonly string[],
): Record<string, Metrics> {
  const groups = new Map<string, CaseScore[]>();
  cases.forEach((entry, index) => {
    const score = scores[index];
    if (!score) return;
    for (const name of namesOf(entry)) groups.set(name, [...(groups.get(name) ?? []), score]);
  });
  return Object.fromEntries(
    [...groups].sort(([a], [b]) => a.localeCompare(b)).map(([name, group]) => [name, metricsOf(group)]),
  );
}

/** The value below which the given share of the numbers lies (nearest rank). */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

/** A request that a planner could not answer, and its cost nevertheless. */
export interface GivenUp {
  readonly code: string;
  readonly usage: ModelUsage | null;
}

export interface EvaluateOptions {
  readonly cases: readonly EvalCase[];
  readonly planner: Planner;
  readonly manifests: readonly Manifest[];
  readonly policy: Policy;
  readonly now: Date;
  /** Milliseconds from any fixed point, for latencies. */
  readonly clock: () => number;
  /** The meaning of a planner's error: a request without an answer, or null for a failure that ends everything. */
  readonly givenUp?: (error: unknown) => GivenUp | null;
  /** A plan that this rejects is not right. */
  readonly review: ReviewDraft;
  readonly threads: ThreadRules;
}

/** A planner's result for one case; without a reply, the error code. */
interface Attempt {
  readonly reply: PlannerReply | null;
  readonly failure: string | null;
  readonly usage: ModelUsage | null;
}

async function attempt({ planner, givenUp }: EvaluateOptions, input: PlanningInput): Promise<Attempt> {
  try {
    const reply = await planner.plan(input);
    return { reply, failure: null, usage: reply.usage };
  } catch (error) {
    const end = givenUp?.(error) ?? null;
    if (end === null) throw error;
    return { reply: null, failure: end.code, usage: end.usage };
  }
}

/** The answer in the vocabulary of the cases. A plan the review rejects is neither right nor a button. */
function predicted(
  { id, was, watch = {} }: EvalCase,
  { reply }: Attempt,
  input: PlanningInput,
  { review, threads, now }: EvaluateOptions,
): Prediction {
  if (reply === null) return { id, class: 'none', steps: [] };
  if (input.change !== null && !threads.isChange(input.change.plan, reply))
    return { id, class: 'none', steps: [] };
  const { answer } = reply;
  const isOnTime = (plan: Plan): boolean =>
    was?.watch === undefined || canonicalJson(plan.watch ?? {}) === threads.timesOf(watch, now);
  const isFit = (plan: Plan): boolean => review(plan, input).findings.length === 0 && isOnTime(plan);
  if (answer.kind === 'plan' && !isFit(answer.plan)) return { ...predictionOf(id, answer), isRejected: true };
  if (answer.kind !== 'clarify' || answer.offers === undefined) return predictionOf(id, answer);
  return predictionOf(id, { ...answer, offers: answer.offers.filter(({ plan }) => isFit(plan)) });
}

function counted(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

/** Plans every case in sequence and scores the answers. No button is pressed: that is for people. */
export async function evaluate(options: EvaluateOptions): Promise<Report> {
  const { cases, clock, policy, now, threads, manifests } = options;
  const catalogue = openCatalogue(manifests);
  const workspace = workspaceOf(cases.filter(isOfThread), manifests);
  const attempts: Attempt[] = [];
  const times: number[] = [];
  const predictions: Prediction[] = [];
  for (const entry of cases) {
    const alone = {
      ...{ goal: entry.text, quoted: null, answers: [], change: null, replan: null },
      policy,
      now,
    };
    const input = isOfThread(entry)
      ? inThread(entry, { ...alone, catalogue: workspace }, threads)
      : { ...alone, catalogue };
    const start = clock();
    const tried = await attempt(options, input);
    times.push(clock() - start);
    attempts.push(tried);
    predictions.push(predicted(entry, tried, input, options));
  }
  const scores = cases.map((entry, index) => scoreCase(entry, predictions[index] as Prediction));
  const usages = attempts.map(({ usage }) => usage).filter((usage) => usage !== null);
  const total = (of: (usage: ModelUsage) => number): number =>
    usages.reduce((sum, usage) => sum + of(usage), 0);
  return {
    all: metricsOf(scores),
    byDifficulty: grouped(cases, scores, (entry) => [entry.difficulty]),
    byTag: grouped(cases, scores, (entry) => entry.tags),
    byLanguage: grouped(cases, scores, (entry) => [entry.lang]),
    byClass: grouped(cases, scores, (entry) => [entry.class]),
    confusion: counted(cases.map((entry, index) => `${entry.class}→${predictions[index]?.class}`)),
    planners: counted(attempts.flatMap(({ reply }) => reply?.planner ?? [])),
    failures: counted(attempts.flatMap(({ failure }) => failure ?? [])),
    latencyMs: { p50: percentile(times, 0.5), p95: percentile(times, 0.95) },
    promptTokens: total((usage) => usage.promptTokens),
    cachedTokens: total((usage) => usage.cachedTokens),
    completionTokens: total((usage) => usage.completionTokens),
    usd: total((usage) => usage.usd),
    modelCalls: total((usage) => usage.calls),
    scores,
    predictions,
  };
}
