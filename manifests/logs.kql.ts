import { defineManifest } from '../src/core/manifest.ts';
import { byWords } from './group-words.ts';
import { logArgs, logNouns, logOutcome, logResult, logWords } from './log-words.ts';
import { saidRows, shownRows } from './query-rows.ts';

export const logsKql = defineManifest({
  name: 'logs.kql',
  effect: 'read',
  system: 'azure',
  queries: 'kql',
  summary: 'Search or count log entries in Azure Monitor (KQL).',
  keywords: ['kql', 'kusto', 'azure', 'app insights', 'log analytics', 'logs', 'requests', 'exceptions'],
  asked: {
    verbs: ['search', 'check', 'count'],
    nouns: ['kql', 'kusto', 'azure', 'app insights', 'application insights', 'log analytics', 'logs'],
    examples: [
      'kql: failed requests of search in the last 30 minutes',
      'check app insights for timeouts on ops since 14:00',
      'errors of checkout in the logs',
      'exceptions of payments-api in azure today',
      'how many 500s did search have in the last hour',
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
  sentence: (args) => `Search Azure logs for ${logWords(args)}${byWords(args.by)}`,
  shows: shownRows,
  said: ['top_code', ...saidRows],
  outcome: (result, args) => logOutcome('Azure logs', result, args),
  nouns: logNouns,
});
