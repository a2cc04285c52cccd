import { cut, oneLine } from '../core/clean-text.ts';
import type { Block } from './message.ts';

/** A line of a chart: one value per label. */
export interface Series {
  readonly name: string;
  readonly values: readonly number[];
}

const maxTitle = 50;
/** Maximum characters of a name or label; more would not be read on a phone. */
const maxLabel = 20;

/**
 * Slack's own chart. Not every Slack client supports it, so the caller needs a fallback message. Slack identifies
 * points by label, so labels must be unique.
 */
export function chart(
  type: 'line' | 'bar',
  of: {
    readonly title: string;
    readonly labels: readonly string[];
    readonly series: readonly Series[];
    readonly unit: string;
  },
): Block {
  const labels = of.labels.map((label) => cut(oneLine(label), maxLabel));
  const series = of.series.map(({ name, values }) => ({
    name: cut(oneLine(name), maxLabel),
    data: labels.map((label, index) => ({ label, value: values[index] ?? 0 })),
  }));
  const block = {
    type: 'data_visualization',
    title: cut(oneLine(of.title), maxTitle),
    chart: { type, series, axis_config: { categories: labels, y_label: cut(oneLine(of.unit), maxLabel) } },
  };
  // Slack's library does not have the type yet.
  return block as unknown as Block;
}

const bars = '▁▂▃▄▅▆▇█';

/** The same values in one line of text: ▂▃▅▇. */
export function sparkline(values: readonly number[]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return values
    .map((value) => bars[high === low ? 3 : Math.round(((value - low) / (high - low)) * (bars.length - 1))])
    .join('');
}
