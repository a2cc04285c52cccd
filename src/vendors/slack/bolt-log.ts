import { type Logger, LogLevel } from '@slack/bolt';
import type { Log } from '../../core/log.ts';

/** Tokens, and addresses equivalent to tokens. */
const secrets = [
  /\bx(?:ox[a-z]|app)-[\w-]+/g,
  /\b(?:wss?:\/\/|https?:\/\/hooks\.)\S+/g,
  /[?&]ticket=[^&\s]+/g,
];

function words(parts: readonly unknown[]): string {
  const text = parts.map((part) => (part instanceof Error ? part.message : String(part))).join(' ');
  return secrets.reduce((bare, secret) => bare.replaceAll(secret, '[hidden]'), text).slice(0, 500);
}

/**
 * The logger for Bolt and its clients. They log whole payloads at debug and details at info: both are dropped; warnings
 * and errors are kept, without secrets. Errors of the Web API client are also thrown and may be expected, such as a
 * workspace without plan blocks; then `errors` is `info`.
 */
export function boltLogger(log: Log, errors: 'error' | 'info' = 'error'): Logger {
  const nothing = (): void => undefined;
  return {
    debug: nothing,
    info: nothing,
    warn: (...parts: unknown[]) => log.warn({ detail: words(parts) }, 'Slack client warning'),
    error: (...parts: unknown[]) => log[errors]({ detail: words(parts) }, 'Slack client error'),
    setLevel: nothing,
    setName: nothing,
    getLevel: () => LogLevel.WARN,
  };
}
