import { chart, sparkline } from '../blocks/chart.ts';
import type { Block } from '../blocks/message.ts';
import { italic, line, rich } from '../blocks/rich.ts';
import type { Manifest } from '../core/manifest.ts';
import { own } from '../core/own-property.ts';
import type { Step } from '../core/plan.ts';
import type { StepResult } from '../core/run.ts';
import { nounFor } from '../core/step-words.ts';
import type { Told } from './run-words.ts';

/** A count at a moment. */
export interface Point {
  readonly at: Date;
  readonly value: number;
}

/** A count in a plan, and the limit it is compared with. */
export interface Counted {
  readonly step: Step;
  /** Result field with the count. */
  readonly field: string;
  /** "open P1 tickets in OPS". */
  readonly noun: string;
  readonly value: number;
  readonly limit: number;
}

/** Minimum values for a trend: three earlier ones and the current one. */
const minPoints = 4;
const maxPoints = 14;
const dayMs = 86_400_000;
const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** The only count of a plan with a single limit; null for every other plan. */
export function countedOf({ sealed, words }: Told, results: readonly StepResult[]): Counted | null {
  const of = (pick: (manifest: Manifest) => string | undefined) =>
    results.flatMap((result) => {
      const manifest = words.scope.get(result.stepId);
      const field = manifest === undefined ? undefined : pick(manifest);
      const value = field === undefined ? undefined : own(result.result ?? {}, field);
      return field === undefined || typeof value !== 'number'
        ? []
        : [{ stepId: result.stepId, field, value }];
    });
  const [count, ...counts] = of((manifest) => (manifest.measures ? manifest.main : undefined));
  const [limit, ...limits] = of((manifest) => manifest.limit?.field);
  const step = sealed.plan.steps.find(({ id }) => id === count?.stepId);
  if (count === undefined || limit === undefined || step === undefined) return null;
  if (counts.length + limits.length > 0) return null;
  const noun = nounFor(`${step.id}.${count.field}`, words);
  return { step, field: count.field, noun, value: count.value, limit: limit.value };
}

/** The last value of each day, or of each minute if they span at most two days; oldest first, the current one last. */
export function thinned(past: readonly Point[], now: Point): { label: string; value: number }[] {
  const all = [...past, now].sort((a, b) => a.at.getTime() - b.at.getTime());
  const isLong = now.at.getTime() - (all[0]?.at.getTime() ?? 0) > 2 * dayMs;
  const labelOf = (at: Date) => (isLong ? days.format(at) : at.toISOString().slice(11, 16));
  const byLabel = new Map<string, number>();
  for (const { at, value } of all) {
    const label = labelOf(at);
    // The latest value goes last, even if its label existed before.
    byLabel.delete(label);
    byLabel.set(label, value);
  }
  return [...byLabel].slice(-maxPoints).map(([label, value]) => ({ label, value }));
}

/** The trend of a count against its limit, as Slack's own chart and as a line of text; empty when too little is known. */
export function trendBlocks(
  { noun, limit, value }: Counted,
  past: readonly Point[],
  now: Date,
): { message: Block[]; fallback: Block[] } {
  const points = thinned(past, { at: now, value });
  if (points.length < minPoints) return { message: [], fallback: [] };
  const values = points.map((point) => point.value);
  const labels = points.map(({ label }) => label);
  const title = `${noun}, limit ${limit}`;
  const series = [
    { name: 'count', values },
    { name: 'limit', values: values.map(() => limit) },
  ];
  const [first, last] = [points[0], points.at(-1)];
  const text = `${sparkline(values)} ${first?.value} → ${last?.value} since ${first?.label}, limit ${limit}`;
  return {
    message: [chart('line', { title, labels, series, unit: 'count' })],
    fallback: [rich([line(italic(text))], 'trend')],
  };
}
