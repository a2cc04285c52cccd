import { Gauge, type Registry } from 'prom-client';

/** How well the requests of the last seven days were served. */
export interface Week {
  readonly byPlanner: Readonly<Record<string, Readonly<Record<Result, number>>>>;
  /** Seconds since the request; null if there are none. */
  readonly to: Readonly<Record<string, { readonly median: number; readonly p95: number } | null>>;
  readonly steps: readonly { readonly tool: string; readonly failed: number }[];
  /** A second planner beside the one that was shown. */
  readonly second: readonly ({ readonly shown: string; readonly planner: string } & Readonly<
    Record<Beside, number>
  >)[];
  readonly totals: { readonly runs: number; readonly writes: number };
}

const results = [
  ...(['planned', 'right', 'unaided', 'questioned', 'edited', 'rejected', 'expired'] as const),
  ...(['helpful', 'unhelpful'] as const),
] as const;
type Result = (typeof results)[number];

const besides = ['planned', 'same', 'sameSteps', 'taken', 'nearer', 'further'] as const;
type Beside = (typeof besides)[number];

/** Gauges of the week; left out while it is unknown. */
export function createWeek(registry: Registry): (week: Week | null) => void {
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Gauge({ name: `countersign_week_${name}`, help, labelNames: [...labelNames], registers: [registry] });
  const plans = gauge('plans', 'Plans of the last 7 days; the same from every process.', [
    'planner',
    'result',
  ]);
  const second = gauge('second_plans', 'Plans of a second planner, in these days.', [
    'shown',
    'planner',
    'result',
  ]);
  const seconds = gauge('seconds', 'From a request to its first read, decision and result, in these days.', [
    'to',
    'quantile',
  ]);
  const failed = gauge('failed_steps', 'Steps that failed or are unknown, in these days.', ['tool']);
  const writes = gauge('writes_per_run', 'Writes of an approved run, in these days.', []);
  return (week) => {
    for (const each of [plans, second, seconds, failed]) each.reset();
    writes.remove();
    if (week === null) return;
    for (const [planner, counts] of Object.entries(week.byPlanner))
      for (const result of results) plans.set({ planner, result }, counts[result]);
    for (const { shown, planner, ...counts } of week.second)
      for (const result of besides) second.set({ shown, planner, result }, counts[result]);
    for (const [to, spread] of Object.entries(week.to)) {
      if (spread === null) continue;
      seconds.set({ to, quantile: '0.5' }, spread.median);
      seconds.set({ to, quantile: '0.95' }, spread.p95);
    }
    for (const step of week.steps) failed.set({ tool: step.tool }, step.failed);
    if (week.totals.runs > 0) writes.set(week.totals.writes / week.totals.runs);
  };
}
