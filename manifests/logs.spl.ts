import { defineManifest } from '../src/core/manifest.ts';
import { logArgs, logNouns, logResult, logWords } from './log-words.ts';

export const logsSpl = defineManifest({
  name: 'logs.spl',
  effect: 'read',
  system: 'logs',
  summary: 'Search or count log entries in Splunk (SPL).',
  keywords: ['splunk', 'spl', 'logs', 'errors', 'timeouts', 'index', 'log entries'],
  args: logArgs,
  result: logResult,
  main: 'total',
  yields: 'internal',
  limits: { timeoutMs: 30_000, attempts: 2 },
  sentence: (args) => `Search Splunk for ${logWords(args)}`,
  nouns: logNouns,
});
