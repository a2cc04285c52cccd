import { metricsQuery as manifest } from '../../manifests/metrics.query.ts';
import type { ResultOf } from '../../src/core/manifest.ts';
import { measured } from '../../src/core/numbers.ts';
import type { MetricAnswer, Series } from '../../src/core/queries/answer.ts';
import type { BoundQuery } from '../../src/core/queries/bind.ts';
import { defineRead } from '../../src/core/tool.ts';
import { masked } from '../mask-card-numbers.ts';
import { rowLines, shownRows } from '../query-result.ts';

export const metricsQuery = defineRead(manifest, async (args, { readers, now, signal }) => {
  const query = readers.queries.bind('promql', args, now());
  return metricResult(await readers.prometheus.read(query, signal), query);
});

/** The numbers in the answer; a value is only given where there is exactly one. */
function metricResult(answer: MetricAnswer, query: BoundQuery): ResultOf<typeof manifest> {
  const unit = query.template?.unit ?? '';
  const series = answer.series.filter(({ points }) => points.length > 0);
  const values = series.flatMap(({ points }) => points.map(({ value }) => value));
  const [only, other] = series;
  const last = other === undefined && !answer.more ? (only?.last ?? null) : null;
  const table = tableOf(series, unit, answer);
  return {
    ...(last === null ? {} : { value: last }),
    ...(values.length === 0 ? {} : summaryOf(values)),
    series: series.length,
    unit,
    note: masked(answer.notes.join('; ')).slice(0, 600),
    lines: masked(rowLines(table)),
    ...shownRows(other === undefined ? { ...table, rows: [], total: 0 } : table, masked),
    over: query.over,
    assumed: masked(query.assumed),
    ran: query.template?.name ?? '',
  };
}

function summaryOf(values: readonly number[]) {
  const sum = values.reduce((all, value) => all + value, 0);
  const ends = { highest: Math.max(...values), lowest: Math.min(...values) };
  return { ...ends, average: sum / values.length };
}

/** A row for each series, highest at the end first. Labels that all of them share say nothing. */
function tableOf(series: readonly Series[], unit: string, { more, stepSeconds }: MetricAnswer) {
  const names = [...new Set(series.flatMap(({ labels }) => Object.keys(labels)))].filter(
    (name) => new Set(series.map(({ labels }) => labels[name])).size > 1,
  );
  const numbers = stepSeconds === null ? ['value'] : ['at the end', 'lowest', 'average', 'highest'];
  const rows = series
    .toSorted((one, two) => (two.last ?? -Infinity) - (one.last ?? -Infinity))
    .map(({ labels, points, last }) => {
      const { lowest, average, highest } = summaryOf(points.map(({ value }) => value));
      const end = last === null ? 'no data' : measured(last, unit);
      const over = [lowest, average, highest].map((value) => measured(value, unit));
      return [...names.map((name) => labels[name] ?? ''), end, ...(stepSeconds === null ? [] : over)];
    });
  return { columns: [...names, ...numbers], rows, total: rows.length, exact: !more };
}
