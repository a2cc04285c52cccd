import { z } from 'zod';
import { text } from '../src/core/fields.ts';
import { type ArgWords, defineManifest } from '../src/core/manifest.ts';
import { byWords } from './group-words.ts';
import {
  assumedWords,
  groupedWords,
  numberWords,
  parameterWords,
  queryResult,
  queryTargetLists,
  queryTimes,
  saidRows,
  shownRows,
  targetNouns,
  withTime,
  writtenOutcome,
} from './query-rows.ts';
import { timeWords } from './time-words.ts';

/** Rows of a business database are `confidential`: they can hold personal data, so they stay with the requester. */
export const sqlQuery = defineManifest({
  name: 'sql.query',
  effect: 'read',
  system: 'sql',
  queries: 'sql',
  summary: 'Run a read-only SQL query: a vetted one, or as written.',
  keywords: ['sql', 'database', 'query', 'select', 'rows', 'table', 'records', 'db'],
  asked: {
    verbs: ['query'],
    nouns: ['database', 'db', 'sql'],
    examples: [
      'query the database for unsent invoices',
      'select count(*) from orders where state = 1',
      'sql: refunds since yesterday',
      'how many stuck payouts are in the db',
      'db: failed jobs of the last hour',
    ],
    compares: { number: 'total' },
    tells: 'lines',
  },
  args: z.object({
    query: text(4_000, 'one SELECT statement, as written').optional(),
    database: text(60, 'which one runs the query, where there are several').optional(),
    about: text(200, 'what to count or list: unsent invoices').optional(),
    ...queryTimes,
  }),
  result: z.object({ ...queryResult, ...queryTargetLists }),
  shows: shownRows,
  said: saidRows,
  measures: true,
  later: ['database'],
  main: 'total',
  yields: 'confidential',
  limits: { timeoutMs: 30_000, attempts: 2 },
  sentence: (args) =>
    `Query the database ${args.database ? `${args.database} ` : ''}for ${rows(args)}${byWords(args.by)}`,
  outcome: (result, args) => {
    const words = rows(withTime(args, result.over));
    const found = args.query ? writtenOutcome(words, result) : `${words}: ${numberWords(result)}`;
    return `${found}${groupedWords(args.by, result)}${assumedWords(result)}`;
  },
  nouns: {
    total: (args) => `the number of ${rows(args)}`,
    lines: (args) => `the rows for ${rows(args)}`,
    ...targetNouns(rows),
  },
});

function rows(args: ArgWords): string {
  const what = args.query ? `“${args.query}”` : (args.about ?? args.named?.replaceAll('-', ' ') ?? 'rows');
  const tail = [parameterWords(args), args.service ? `of ${args.service}` : '', timeWords(args)];
  return [what, ...tail].filter(Boolean).join(' ');
}
