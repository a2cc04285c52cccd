import { z } from 'zod';
import { freeText, target, text } from '../src/core/fields.ts';
import type { ArgWords } from '../src/core/manifest.ts';
import {
  assumedWords,
  groupedWords,
  numberWords,
  parameterWords,
  queryResult,
  queryTargetLists,
  queryTimes,
  targetNouns,
  withTime,
  writtenOutcome,
} from './query-rows.ts';
import { timeWords } from './time-words.ts';

/** Arguments of every log search: a verbatim query, or a service with a subject. */
export const logArgs = z.object({
  query: text(2_000, 'query as written').optional(),
  service: target('service', 'service whose logs are searched').optional(),
  about: text(200, 'such as timeouts').optional(),
  level: text(20, 'such as error').optional(),
  ...queryTimes,
});

/**
 * The result of every log search. Logs are `internal`: their totals and error codes are what on-call channels are for,
 * and the reader masks personal data in lines before returning them.
 */
export const logResult = z.object({
  top_code: freeText(200, 'most frequent error code or signature, empty when none'),
  ...queryResult,
  ...queryTargetLists,
});

/**
 * The search in words: "errors of checkout" for a vetted query, else "entries of checkout with “timeouts”": entries with
 * these letters are counted, and where none has them there may still have been timeouts.
 */
export function logWords(args: ArgWords): string {
  const what = args.query
    ? `“${args.query}”`
    : [args.level, args.named?.replaceAll('-', ' ') ?? 'entries'].filter(Boolean).join(' ');
  const tail = [
    parameterWords(args),
    args.service ? `of ${args.service}` : '',
    args.about && !args.query ? `with “${args.about}”` : '',
    timeWords(args),
  ];
  return [what, ...tail].filter(Boolean).join(' ');
}

/** The outcome of a search on one platform, next to others: "Splunk: 230 errors of checkout, mostly PAY-E-2201". */
export function logOutcome(platform: string, result: LogOutcome, given: ArgWords): string {
  const { top_code: code, over } = result;
  const args = withTime(given, over);
  const assumed = assumedWords(result);
  if (args.query) return `${platform}: ${writtenOutcome(logWords(args), result)}${assumed}`;
  return `${platform}: ${numberWords(result)} ${logWords(args)}${code === '' || args.by ? '' : `, mostly ${code}`}${groupedWords(args.by, result)}${assumed}`;
}

interface LogOutcome {
  readonly total: number;
  readonly top_code: string;
  readonly over: string;
  readonly assumed?: string;
  readonly rows: readonly { readonly cells: readonly string[] }[];
  readonly row_total: number;
}

export const logNouns = {
  // A verbatim or named query has no noun for what it counts.
  total: (args: ArgWords) => `${args.query || args.named ? 'the number of ' : ''}${logWords(args)}`,
  top_code: (args: ArgWords) => `the most frequent error code in ${logWords(args)}`,
  lines: (args: ArgWords) => `the log entries for ${logWords(args)}`,
  ...targetNouns(logWords),
};
