import { z } from 'zod';
import { text } from '../src/core/fields.ts';
import { type ArgWords, defineManifest } from '../src/core/manifest.ts';
import {
  assumedWords,
  queryResult,
  queryTimes,
  saidRows,
  shownRows,
  withTime,
  writtenOutcome,
} from './query-rows.ts';
import { timeWords } from './time-words.ts';

/** Without words of its own: only a model writes queries. Rows of a database can hold personal data. */
export const queryWritten = defineManifest({
  name: 'query.written',
  effect: 'read',
  system: 'queries',
  written: 'query',
  summary: 'Run a query that you write, where no other tool or vetted query answers.',
  keywords: [
    'sql',
    'kql',
    'kusto',
    'spl',
    'splunk',
    'database',
    'db',
    'query',
    'table',
    'rows',
    'records',
    'logs',
  ],
  args: z.object({
    language: z.enum(['sql', 'kql', 'spl']).describe('language it is written in'),
    query: text(4_000, 'one query that only reads'),
    source: text(60, 'database or workspace').optional(),
    ...queryTimes,
  }),
  result: z.object(queryResult),
  shows: shownRows,
  said: saidRows,
  measures: true,
  main: 'total',
  yields: 'confidential',
  limits: { timeoutMs: 30_000, attempts: 2 },
  sentence: (args) => `Run a written query in ${placeOf(args)}`,
  outcome: (result, args) =>
    `${writtenOutcome(words(withTime(args, result.over)), result)}${assumedWords(result)}`,
  nouns: {
    total: (args) => `the result of ${words(args)}`,
    lines: (args) => `the rows of ${words(args)}`,
  },
});

/** "SQL on shop", "KQL over the last 2 hours" */
function placeOf({ language = '', source, ...times }: ArgWords): string {
  return [language.toUpperCase(), source ? `on ${source}` : '', timeWords(times)].filter(Boolean).join(' ');
}

const words = (args: ArgWords): string => `the written query in ${placeOf(args)}`;
