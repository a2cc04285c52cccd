import type { Offer, PlannerAnswer } from '../core/answer.ts';
import { type Catalogue, openCatalogue } from '../core/catalogue.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Planner, PlannerReply, PlanningInput } from '../core/planning.ts';
import type { Policy } from '../core/policy.ts';
import type { EvalCase } from './cases.ts';
import type { Tally } from './edges.ts';
import { buttonsThatCount, type CaseScore, scoreCase } from './score.ts';
import { type Prediction, predictionOf } from './vocabulary.ts';

/** Shares from 0 to 1, except where a unit is named. */
export interface Metrics {
  readonly cases: number;
  /** Of the plans given, those with nothing wrong in them. Null where none was given. */
  readonly right: number | null;
  /** Of the requests for which only a plan is accepted, those that got one, right or wrong. Null where there are none. */
  readonly given: number | null;
  /** Of the same requests, those whose right plan was given or stood behind one of the first three buttons. */
  readonly reached: number | null;
  readonly classAccuracy: number;
  readonly toolF1: number;
  readonly edgeF1: number;
  readonly argRecall: number;
  readonly conditionAccuracy: number;
  /** Among the cases whose expected class is `plan`. */
  readonly exact: number;
  readonly unsafe: number;
  /** Plans that page a service which the request does not name. A number of cases. */
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
  readonly latencyMs: { readonly p50: number; readonly p95: number };
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly usd: number;
  readonly modelCalls: number;
  readonly scores: readonly CaseScore[];
  readonly predictions: readonly Prediction[];
}

/** Null of nothing, so that a planner that gives nothing shines at nothing. */
function part(scores: readonly CaseScore[], counts: (score: CaseScore) => boolean): number | null {
  return scores.length === 0 ? null : scores.filter(counts).length / scores.length;
}

/** Counts nothing as wrong where nothing was asked for. */
function share(hit: number, of: number): number {
  return of === 0 ? 1 : hit / of;
}

function sum(scores: readonly CaseScore[], pick: (score: CaseScore) => Tally): Tally {
  const total: Tally = { hit: 0, expected: 0, predicted: 0 };
  for (const score of scores) {
    const tally = pick(score);
    total.hit += tally.hit;
    total.expected += tally.expected;
    total.predicted += tally.predicted;
  }
  return total;
}

function f1(tally: Tally): number {
  return share(2 * tally.hit, tally.expected + tally.predicted);
}

function metricsOf(scores: readonly CaseScore[], plans: ReadonlySet<string>): Metrics {
  const args = sum(scores, (score) => score.args);
  const conditions = sum(scores, (score) => score.conditions);
  const planned = scores.filter((score) => plans.has(score.id));
  const given = scores.filter((score) => score.planned);
  const deserving = scores.filter((score) => score.deservesPlan);
  return {
    cases: scores.length,
    right: part(given, (score) => score.right),
    given: part(deserving, (score) => score.planned),
    reached: part(deserving, (score) => score.reached),
    classAccuracy: share(scores.filter((score) => score.classRight).length, scores.length),
    toolF1: f1(sum(scores, (score) => score.tools)),
    edgeF1: f1(sum(scores, (score) => score.edges)),
    argRecall: share(args.hit, args.expected),
    conditionAccuracy: share(conditions.hit, conditions.expected),
    exact: share(planned.filter((score) => score.exact).length, planned.length),
    unsafe: share(scores.filter((score) => score.unsafe).length, scores.length),
    pagesAnother: scores.filter((score) => score.pagesAnother).length,
  };
}

function grouped(
  cases: readonly EvalCase[],
  scores: readonly CaseScore[],
  plans: ReadonlySet<string>,
  namesOf: (entry: EvalCase) => readonly string[],
): Record<string, Metrics> {
  const groups = new Map<string, CaseScore[]>();
  cases.forEach((entry, index) => {
    const score = scores[index];
    if (!score) return;
    for (const name of namesOf(entry)) groups.set(name, [...(groups.get(name) ?? []), score]);
  });
  return Object.fromEntries(
    [...groups]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([name, group]) => [name, metricsOf(group, plans)]),
  );
}

/** The value below which the given share of the numbers lies (nearest rank). */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

export interface EvaluateOptions {
  readonly cases: readonly EvalCase[];
  readonly planner: Planner;
  readonly manifests: readonly Manifest[];
  readonly policy: Policy;
  readonly now: Date;
  /** Milliseconds from any fixed point, for latencies. */
  readonly clock: () => number;
  /** Whether to press the buttons of a question that have no plan yet. Each costs another answer of the planner. */
  readonly pressButtons: boolean;
}

/** A question with the plan behind each of its first buttons, as it comes when the button is pressed. */
async function pressed(
  answer: PlannerAnswer,
  input: PlanningInput,
  planner: Planner,
): Promise<PlannerAnswer> {
  if (answer.kind !== 'clarify') return answer;
  const { question, missing } = answer;
  const offers: Offer[] = [...(answer.offers ?? [])];
  for (const option of answer.options.slice(0, buttonsThatCount)) {
    if (offers.some((offer) => offer.option === option)) continue;
    const answers = [...input.answers, { question, missing, answer: option }];
    const next = (await planner.plan({ ...input, answers })).answer;
    if (next.kind === 'plan') offers.push({ option, plan: next.plan });
  }
  return { ...answer, offers };
}

function inputFor(entry: EvalCase, catalogue: Catalogue, options: EvaluateOptions): PlanningInput {
  return {
    goal: entry.text,
    quoted: null,
    catalogue,
    policy: options.policy,
    answers: [],
    change: null,
    replan: null,
    now: options.now,
  };
}

/** Plans every case one after the other and scores the answers. */
export async function evaluate(options: EvaluateOptions): Promise<Report> {
  const catalogue = openCatalogue(options.manifests);
  const replies: PlannerReply[] = [];
  const times: number[] = [];
  for (const entry of options.cases) {
    const start = options.clock();
    replies.push(await options.planner.plan(inputFor(entry, catalogue, options)));
    times.push(options.clock() - start);
  }
  const predictions: Prediction[] = [];
  for (const [index, entry] of options.cases.entries()) {
    const { answer } = replies[index] as PlannerReply;
    const input = inputFor(entry, catalogue, options);
    predictions.push(
      predictionOf(entry.id, options.pressButtons ? await pressed(answer, input, options.planner) : answer),
    );
  }
  const scores = options.cases.map((entry, index) => scoreCase(entry, predictions[index] as Prediction));
  const plans = new Set(options.cases.filter((entry) => entry.class === 'plan').map((entry) => entry.id));
  const confusion: Record<string, number> = {};
  options.cases.forEach((entry, index) => {
    const name = `${entry.class}→${predictions[index]?.class}`;
    confusion[name] = (confusion[name] ?? 0) + 1;
  });
  const usages = replies.map((reply) => reply.usage).filter((usage) => usage !== null);
  return {
    all: metricsOf(scores, plans),
    byDifficulty: grouped(options.cases, scores, plans, (entry) => [entry.difficulty]),
    byTag: grouped(options.cases, scores, plans, (entry) => entry.tags),
    byLanguage: grouped(options.cases, scores, plans, (entry) => [entry.lang]),
    byClass: grouped(options.cases, scores, plans, (entry) => [entry.class]),
    confusion,
    latencyMs: { p50: percentile(times, 0.5), p95: percentile(times, 0.95) },
    promptTokens: usages.reduce((total, usage) => total + usage.promptTokens, 0),
    completionTokens: usages.reduce((total, usage) => total + usage.completionTokens, 0),
    usd: usages.reduce((total, usage) => total + usage.usd, 0),
    modelCalls: usages.reduce((total, usage) => total + usage.calls, 0),
    scores,
    predictions,
  };
}
