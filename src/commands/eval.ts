import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { allManifests } from '../../manifests/all.ts';
import { offlinePlanner } from '../app/offline.ts';
import { modelPlanner } from '../app/planner.ts';
import { buildPolicy } from '../config/build.ts';
import { readModelEnv } from '../config/env.ts';
import { operatorSchema } from '../config/schema.ts';
import { CountersignError } from '../core/errors.ts';
import type { Planner } from '../core/planning.ts';
import { parseCases } from '../eval/cases.ts';
import { evaluate, type Metrics, type Report } from '../eval/evaluate.ts';
import { type Command, type CommandContext, UsageError } from './command.ts';

/** `eval`: how well a planner does on a file of cases, by difficulty and tag, with latency, tokens and cost. */
export const evalCommand: Command = async (args, context) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      cases: { type: 'string' },
      planner: { type: 'string', default: 'offline' },
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
    pressButtons: values.planner === 'offline',
  });
  if (values.out !== undefined) {
    writeFileSync(values.out, report.predictions.map((each) => `${JSON.stringify(each)}\n`).join(''));
  }
  for (const line of lines(report)) context.out(line);
  return 0;
};

function plannerFor(name: string, context: CommandContext): Planner {
  if (name === 'offline') return offlinePlanner([]).planner;
  if (name !== 'model') throw new UsageError();
  const planner = modelPlanner(readModelEnv(context.variables), () => []);
  if (planner) return planner;
  throw new CountersignError(
    'no_model',
    'PLANNER_MODEL with OPENAI_API_KEY or OPENAI_BASE_URL must be set for --planner model.',
  );
}

const columns: readonly [keyof Metrics, string][] = [
  ['cases', 'cases'],
  ['right', 'right'],
  ['given', 'given'],
  ['reached', 'reached'],
  ['classAccuracy', 'class'],
  ['toolF1', 'tool F1'],
  ['edgeF1', 'edge F1'],
  ['argRecall', 'args'],
  ['conditionAccuracy', 'conditions'],
  ['exact', 'exact'],
  ['unsafe', 'unsafe'],
  ['pagesAnother', 'pages another'],
];

/** Numbers of cases are whole, shares have three places, and a share of nothing is a dash. */
function cell(value: number | null, key: keyof Metrics): string {
  if (value === null) return '–';
  return key === 'cases' || key === 'pagesAnother' ? String(value) : value.toFixed(3);
}

function row(name: string, metrics: Metrics): string {
  const cells = columns.map(([key, title]) => {
    const value = cell(metrics[key], key);
    return value.padStart(Math.max(title.length, 6));
  });
  return `${name.padEnd(16)} ${cells.join('  ')}`;
}

function lines(report: Report): string[] {
  const head = `${''.padEnd(16)} ${columns.map(([, title]) => title.padStart(Math.max(title.length, 6))).join('  ')}`;
  const group = (groups: Readonly<Record<string, Metrics>>) =>
    Object.entries(groups)
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([name, metrics]) => row(`  ${name}`, metrics));
  const { p50, p95 } = report.latencyMs;
  const confusion = Object.entries(report.confusion).map(([pair, count]) => `${pair} ${count}`);
  return [
    head,
    row('all', report.all),
    ...['by class', ...group(report.byClass), 'by difficulty', ...group(report.byDifficulty)],
    ...['by language', ...group(report.byLanguage)],
    ...['by tag', ...group(report.byTag)],
    `classes: ${confusion.join(', ')}`,
    `latency p50 ${p50.toFixed(2)} ms, p95 ${p95.toFixed(2)} ms`,
    `model: ${report.modelCalls} calls, ${report.promptTokens} prompt and ${report.completionTokens} completion tokens, ${report.usd.toFixed(4)} USD`,
  ];
}
