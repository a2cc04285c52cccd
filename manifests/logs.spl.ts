import { defineManifest } from '../src/core/manifest.ts';
import { byWords } from './group-words.ts';
import { logArgs, logNouns, logOutcome, logResult, logWords } from './log-words.ts';
import { saidRows, shownRows } from './query-rows.ts';

export const logsSpl = defineManifest({
  name: 'logs.spl',
  effect: 'read',
  system: 'splunk',
  queries: 'spl',
  summary: 'Search or count log entries in Splunk (SPL).',
  keywords: ['splunk', 'spl', 'logs', 'errors', 'timeouts', 'index', 'log entries'],
  asked: {
    verbs: ['search', 'check', 'count'],
    nouns: ['splunk', 'spl', 'logs'],
    examples: [
      'splunk errors of ops in the last 15 minutes',
      'search splunk for login failures on search since midnight',
      'index=main status=500 | stats count',
      'splunk: timeouts of checkout yesterday',
      'top error of payments-api in splunk',
    ],
    compares: { number: 'total' },
    tells: 'lines',
  },
  args: logArgs,
  result: logResult,
  measures: true,
  main: 'total',
  yields: 'internal',
  limits: { timeoutMs: 30_000, attempts: 2 },
  sentence: (args) => `Search Splunk for ${logWords(args)}${byWords(args.by)}`,
  shows: shownRows,
  said: ['top_code', ...saidRows],
  outcome: (result, args) => logOutcome('Splunk', result, args),
  nouns: logNouns,
});
