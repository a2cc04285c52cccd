import { defineManifest } from '../src/core/manifest.ts';
import { logArgs, logNouns, logResult, logWords } from './log-words.ts';

export const logsKql = defineManifest({
  name: 'logs.kql',
  effect: 'read',
  system: 'logs',
  summary: 'Search or count log entries in Azure Monitor, Application Insights or Kusto (KQL).',
  keywords: ['kql', 'kusto', 'azure', 'app insights', 'log analytics', 'logs', 'requests', 'exceptions'],
  args: logArgs,
  result: logResult,
  main: 'total',
  yields: 'internal',
  limits: { timeoutMs: 30_000, attempts: 2 },
  sentence: (args) => `Search Azure logs for ${logWords(args)}`,
  nouns: logNouns,
});
