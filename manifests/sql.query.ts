import { z } from 'zod';
import { duration, freeText, text, time } from '../src/core/fields.ts';
import { type ArgWords, defineManifest } from '../src/core/manifest.ts';
import { numberWords, queryRows, saidRows, shownRows, withTime, writtenOutcome } from './query-rows.ts';
import { duringCues, duringWords, lastWords, pastCues, sinceWords } from './time-words.ts';

/** Rows of a business database are `confidential`: they can hold personal data, so they stay with who asked. */
export const sqlQuery = defineManifest({
  name: 'sql.query',
  effect: 'read',
  system: 'sql',
  queries: 'sql',
  summary: 'Run a read-only SQL query: a vetted one, or as written.',
  keywords: ['sql', 'database', 'query', 'select', 'rows', 'table', 'records', 'db'],
  asked: {
    verbs: [
      'query',
      'any',
      'were/are/was there any',
      'run',
      'count',
      'how many',
      'ask',
      'check',
      'list',
      'get',
      'find',
      'look up',
      'number of',
      'use',
      'show',
      'select',
      'what',
      'pull',
      'search',
      'execute',
      'via',
      'fetch',
      'see',
      'look in',
      'according to',
      'run a',
    ],
    also: ['latest', 'newest', 'most recent', 'last'],
    nouns: [
      'sql',
      'database',
      'db',
      'sql query',
      'database query',
      'select',
      'warehouse db',
      'rows',
      'sql count',
      'tables',
      'table',
      'production database',
      'prod db',
      'postgres',
      'mysql',
      'query',
    ],
    args: {
      query: { takes: 'query', form: '^\\s*(?:select|with)\\b' },
      about: { takes: 'topic', bare: true, cues: ['for', 'of', ':', 'about', 'with'] },
      window: {
        cues: [...pastCues, 'in'],
      },
      since: { cues: ['since', 'from', 'after', 'created', 'on'] },
      during: { cues: duringCues },
    },
    examples: [
      'query the database for unsent invoices',
      'select count(*) from orders where state = 1',
      'sql: refunds since yesterday',
    ],
    compares: { number: 'total' },
    tells: 'lines',
    parts: { total: ['how many there are', 'how many', 'the number', 'the count'] },
  },
  args: z.object({
    query: text(4_000, 'one SELECT statement, as written').optional(),
    database: text(60, 'which one runs the query, where there are several').optional(),
    about: text(200, 'what to count or list: unsent invoices').optional(),
    window: duration('duration before now').optional(),
    since: time('calendar word, date or HH:MM').optional(),
    during: time('day, week or month', { whole: true }).optional(),
  }),
  result: z.object({
    total: z.int().describe('the number the query returns, rounded; else the number of rows'),
    lines: freeText(8_000, 'rows, one a line'),
    truncated: z.boolean().describe('true when there are more rows'),
    ran: freeText(80, 'query that was run'),
    ...queryRows,
  }),
  shows: shownRows,
  said: saidRows,
  measures: true,
  later: ['database'],
  main: 'total',
  yields: 'confidential',
  limits: { timeoutMs: 30_000, attempts: 2 },
  sentence: (args) => `Query the database ${args.database ? `${args.database} ` : ''}for ${rows(args)}`,
  outcome: (result, args) => {
    const words = rows(withTime(args, result.over));
    return args.query ? writtenOutcome(words, result) : `${words}: ${numberWords(result)}`;
  },
  nouns: {
    total: (args) => `the number of ${rows(args)}`,
    lines: (args) => `the rows for ${rows(args)}`,
  },
});

function rows(args: ArgWords): string {
  const what = args.query ? `“${args.query}”` : (args.about ?? args.named?.replaceAll('-', ' ') ?? 'rows');
  const tail = [
    args.service ? `of ${args.service}` : '',
    args.window ? lastWords(args.window) : '',
    args.since ? sinceWords(args.since) : '',
    args.during ? duringWords(args.during) : '',
  ];
  return [what, ...tail].filter(Boolean).join(' ');
}
