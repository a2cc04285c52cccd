import { z } from 'zod';
import { freeText, target } from '../src/core/fields.ts';
import { type ArgWords, defineManifest } from '../src/core/manifest.ts';
import { measured } from '../src/core/numbers.ts';
import {
  assumedWords,
  parameterWords,
  queryRows,
  queryTimes,
  saidRows,
  shownRows,
  withTime,
} from './query-rows.ts';
import { timeWords } from './time-words.ts';

export const metricsQuery = defineManifest({
  name: 'metrics.query',
  effect: 'read',
  system: 'prometheus',
  queries: 'promql',
  summary: 'Read a metric from Prometheus, such as latency.',
  keywords: ['metrics', 'prometheus', 'latency', 'error rate', 'cpu', 'memory', 'throughput', 'saturation'],
  asked: {
    verbs: ['show', 'check'],
    nouns: ['prometheus', 'promql', 'metric'],
    examples: [
      'latency of checkout',
      'error rate of payments-api in the last 30 minutes',
      'prometheus: memory of search today',
      'cpu of ops since 14:00',
      'request rate of checkout yesterday',
    ],
    compares: { number: 'value' },
    tells: 'lines',
  },
  args: z.object({
    service: target('service', 'service it is about').optional(),
    ...queryTimes,
  }),
  result: z.object({
    value: z.number().describe('value at the end of the time; none where there is no data').optional(),
    highest: z.number().describe('highest value in the time').optional(),
    lowest: z.number().describe('lowest value in the time').optional(),
    average: z.number().describe('average in the time').optional(),
    series: z.int().min(0).describe('number of series; value is absent unless there is one'),
    unit: freeText(20, 'unit of the numbers'),
    note: freeText(600, 'warnings of Prometheus, and what it left out; else empty'),
    lines: freeText(8_000, 'the numbers, a series on each line'),
    ran: freeText(80, 'query that was run'),
    ...queryRows,
  }),
  measures: true,
  main: 'value',
  yields: 'internal',
  limits: { timeoutMs: 30_000, attempts: 2 },
  sentence: (args) => `Look up ${metricWords(args)} in Prometheus`,
  shows: { ...shownRows, besides: [...shownRows.besides, 'series', 'unit', 'note'] },
  said: ['value', 'highest', 'lowest', 'average', 'series', 'unit', 'note', ...saidRows],
  outcome: (result, args) => {
    const words = metricWords(withTime(args, result.over));
    const note = result.note === '' ? '' : ` (Prometheus: ${result.note})`;
    return `${words}: ${valueWords(result)}${note}${assumedWords(result)}`;
  },
  nouns: {
    value: (args) => `the ${metricWords(args)}`,
    highest: (args) => `the highest ${metricWords(args)}`,
    lowest: (args) => `the lowest ${metricWords(args)}`,
    average: (args) => `the average ${metricWords(args)}`,
    series: (args) => `series of ${metricWords(args)}`,
    lines: (args) => `the numbers for ${metricWords(args)}`,
  },
});

/** "latency of checkout in the last 30 minutes" */
function metricWords(args: ArgWords): string {
  const what = args.named?.replaceAll('-', ' ') ?? 'metric';
  const tail = [parameterWords(args), args.service ? `of ${args.service}` : '', timeWords(args)];
  return [what, ...tail].filter(Boolean).join(' ');
}

interface Values {
  readonly value?: number | undefined;
  readonly highest?: number | undefined;
  readonly lowest?: number | undefined;
  readonly average?: number | undefined;
  readonly series: number;
  readonly unit: string;
  readonly row_total_least: boolean;
}

/** "0.42 s at the end, 0.2 s to 1.9 s, average 0.6 s"; never a number where there is none. */
function valueWords({
  value,
  highest,
  lowest,
  average,
  series,
  unit,
  row_total_least: more,
}: Values): string {
  if (highest === undefined || lowest === undefined || average === undefined) return 'no data';
  const isOne = highest === lowest;
  const ends = isOne ? measured(highest, unit) : `${measured(lowest, unit)} to ${measured(highest, unit)}`;
  if (series > 1) return `${more ? 'more than ' : ''}${series} series, ${ends}`;
  const range = isOne ? ends : `${ends}, average ${measured(average, unit)}`;
  if (value === undefined) return `no data at the end; before, ${range}`;
  return isOne ? range : `${measured(value, unit)} at the end, ${range}`;
}
