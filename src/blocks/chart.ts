import { cut, oneLine } from '../core/inert.ts';
import type { Block } from './message.ts';

/** A line of a chart: a value for each of its labels. */
export interface Series {
  readonly name: string;
  readonly values: readonly number[];
}

const maxTitle = 50;
/** Characters of a name or a label; more are not read on a phone. */
const maxLabel = 20;

/**
 * Slack's own chart. Not every Slack knows it; whoever sends one needs another message for those. Labels are told apart
 * by Slack, so each has to be another one.
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
  // The types of Slack's library do not have it yet.
  return block as unknown as Block;
}

const bars = '▁▂▃▄▅▆▇█';

/** The same in one line of text: ▂▃▅▇. */
export function sparkline(values: readonly number[]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return values
    .map((value) => bars[high === low ? 3 : Math.round(((value - low) / (high - low)) * (bars.length - 1))])
    .join('');
}
