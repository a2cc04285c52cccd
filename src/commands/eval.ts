import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { allManifests } from '../../manifests/all.ts';
import { parseCases } from '../../tools/eval/cases.ts';
import { evaluate, type GivenUp, type Metrics, type Report } from '../../tools/eval/evaluate.ts';
import { composedPlanner, modelPlanner, offlinePlanner } from '../app/planner.ts';
import { buildPolicy } from '../config/build-catalogue.ts';
import { readModelEnv } from '../config/env.ts';
import { operatorSchema } from '../config/schema.ts';
import { CountersignError } from '../core/errors.ts';
import type { Planner } from '../core/planning.ts';
import { ModelPlanError } from '../plan/model/errors.ts';
import { reviewDraft } from '../review/review.ts';
import { threadRules } from './case-threads.ts';
import { type Command, type CommandContext, UsageError } from './command.ts';

/** `eval`: how well a planner does on a file of cases, by difficulty and tag, with latency, tokens and cost. */
export const evalCommand: Command = async (args, context) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      cases: { type: 'string' },
      planner: { type: 'string', default: 'shipped' },
      out: { type: 'string' },
    },
  });
  if (values.cases === undefined) throw new UsageError();
  const report = await evaluate({
    cases: parseCases(readFileSync(values.cases, 'utf8')),
    planner: plannerFor(values.planner, context),
    manifests: allManifests,
    policy: buildPolicy(operatorSchema.parse({})),
    now: new Date(),
    clock: () => performance.now(),
    review: reviewDraft,
    givenUp,
    threads: threadRules,
  });
  if (values.out !== undefined) {
    writeFileSync(values.out, report.predictions.map((each) => `${JSON.stringify(each)}\n`).join(''));
  }
  for (const line of lines(report)) context.out(line);
  return 0;
};

/** The shipped planner (`shipped`), a model by itself, or the planner that needs none. */
function plannerFor(name: string, { variables, error }: CommandContext): Planner {
  const planners = offlinePlanner([]);
  if (name === 'everyday') return planners.planner;
  if (name !== 'model' && name !== 'shipped') throw new UsageError();
  const env = readModelEnv(variables);
  const tell = ({ message }: { message: string }) => error(`the model gave no plan: ${message}`);
  // Evaluating a model must not stop after three requests that its host could not serve.
  const breaker = { allows: () => true, succeeded: () => undefined, failed: () => undefined };
  const budget = { spentToday: () => Promise.resolve(0) };
  if (name === 'shipped') return composedPlanner(env, planners, budget, { tell, breaker });
  const planner = modelPlanner(env, planners.examples);
  if (planner) return planner;
  throw new CountersignError(
    'no_model',
    'PLANNER_MODEL with OPENAI_API_KEY or OPENAI_BASE_URL must be set for --planner model.',
  );
}

function givenUp(error: unknown): GivenUp | null {
  if (!(error instanceof ModelPlanError)) return null;
  const { code } = error.cause instanceof CountersignError ? error.cause : error;
  return { code, usage: error.usage };
}

const columns: readonly [keyof Metrics, string][] = [
  ['cases', 'cases'],
  ['right', 'right'],
  ['given', 'given'],
  ['reached', 'reached'],
  ['classAccuracy', 'class'],
  ['unsafe', 'unsafe'],
  ['wrongWrites', 'wrong writes'],
  ['pagesAnother', 'pages another'],
];
const numbers: ReadonlySet<keyof Metrics> = new Set(['cases', 'wrongWrites', 'pagesAnother']);

/** Counts of cases are whole, shares have three decimals, and a share of nothing is a dash. */
function cell(value: number | null, key: keyof Metrics): string {
  if (value === null) return '–';
  return numbers.has(key) ? String(value) : value.toFixed(3);
}

function row(name: string, metrics: Metrics): string {
  const cells = columns.map(([key, title]) => {
    const value = cell(metrics[key], key);
    return value.padStart(Math.max(title.length, 6));
  });
  return `${name.padEnd(16)} ${cells.join('  ')}`;
}

function listed(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name === 'offline' ? 'everyday' : name} ${count}`)
    .join(', ');
}

function lines(report: Report): string[] {
  const head = `${''.padEnd(16)} ${columns.map(([, title]) => title.padStart(Math.max(title.length, 6))).join('  ')}`;
  const group = (groups: Readonly<Record<string, Metrics>>) =>
    Object.entries(groups)
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([name, metrics]) => row(`  ${name}`, metrics));
  const { p50, p95 } = report.latencyMs;
  const failures = listed(report.failures);
  const { modelCalls, promptTokens, cachedTokens, completionTokens, usd } = report;
  return [
    head,
    row('all', report.all),
    ...['by class', ...group(report.byClass), 'by difficulty', ...group(report.byDifficulty)],
    ...['by language', ...group(report.byLanguage)],
    ...['by tag', ...group(report.byTag)],
    `classes: ${listed(report.confusion)}`,
    `answers by: ${listed(report.planners) || 'none'}`,
    ...(failures === '' ? [] : [`no answer: ${failures}`]),
    `time: p50 ${p50.toFixed(2)} ms, p95 ${p95.toFixed(2)} ms`,
    `model: ${modelCalls} calls (${(modelCalls / report.all.cases).toFixed(2)} a request), ${promptTokens} prompt (${cachedTokens} cached) and ${completionTokens} completion tokens, ${usd.toFixed(4)} USD`,
  ];
}
