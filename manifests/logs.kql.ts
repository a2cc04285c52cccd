import { defineManifest } from '../src/core/manifest.ts';
import { logArgs, logNouns, logOutcome, logResult, logsAsked, logWords } from './log-words.ts';
import { saidRows, shownRows } from './query-rows.ts';

export const logsKql = defineManifest({
  name: 'logs.kql',
  effect: 'read',
  system: 'azure',
  queries: 'kql',
  summary: 'Search or count log entries in Azure Monitor (KQL).',
  keywords: ['kql', 'kusto', 'azure', 'app insights', 'log analytics', 'logs', 'requests', 'exceptions'],
  asked: {
    ...logsAsked,
    args: {
      ...logsAsked.args,
      query: { takes: 'query', form: '^(?!.*(?:\\bindex\\s*=|\\|\\s*stats\\b)).*\\|' },
    },
    nouns: [
      'kql',
      'kusto',
      'azure',
      'azure logs',
      'app insights',
      'appinsights',
      'application insights',
      'log analytics',
      'log analytics workspace',
      'azure monitor',
      'kql query',
      'kusto query',
      'logs',
      'log',
      'insights',
      'azure log analytics',
    ],
    examples: [
      'kql: failed requests of search in the last 30 minutes',
      'check app insights for timeouts on ops since 14:00',
    ],
  },
  args: logArgs,
  result: logResult,
  measures: true,
  main: 'total',
  yields: 'internal',
  limits: { timeoutMs: 30_000, attempts: 2 },
  sentence: (args) => `Search Azure logs for ${logWords(args)}`,
  shows: shownRows,
  said: ['top_code', ...saidRows],
  outcome: (result, args) => logOutcome('Azure logs', result, args),
  nouns: logNouns,
});
