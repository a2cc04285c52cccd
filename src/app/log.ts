import { type DestinationStream, pino } from 'pino';
import type { Env } from '../config/env.ts';
import type { Log } from '../core/log.ts';
import type { Tracing } from '../ops/tracing.ts';

/** Settings with secret values, in addition to those named in the operator's file. */
const secretSettings = [
  'SLACK_BOT_TOKEN',
  'SLACK_APP_TOKEN',
  'SLACK_SIGNING_SECRET',
  'SLACK_CLIENT_SECRET',
  'JIRA_API_TOKEN',
  'PAGERDUTY_API_TOKEN',
  'OPENAI_API_KEY',
  'AZURE_CLIENT_SECRET',
  'SPLUNK_TOKEN',
  'PROMETHEUS_TOKEN',
  'PROMETHEUS_PASSWORD',
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'HTTPS_PROXY',
  'HTTP_PROXY',
] as const satisfies readonly (keyof Env)[];

/**
 * A logger whose lines never contain a secret: values are replaced in the finished line, wherever they occur, because
 * pino's own wildcard paths miss anything nested deeper than they say.
 */
export function createLog(
  env: Env,
  named: ReadonlySet<string>,
  { tracing, out }: { tracing: Tracing; out?: DestinationStream | undefined },
): Log {
  const keys = [env.AUDIT_KEY, env.TOKEN_KEY, env.COUNTERSIGN_EVENTS_SECRET].flatMap(
    (all) => all?.split(',') ?? [],
  );
  const fixed = [...secretSettings.map((name) => env[name]), ...keys];
  let written = writtenForms([...fixed, ...named]);
  let known = named.size;
  const scrub = (line: string): string => {
    // A changed file may name more of them.
    if (named.size !== known) written = writtenForms([...fixed, ...named]);
    known = named.size;
    const scrubbed = written.reduce((text, secret) => text.replaceAll(secret, '[secret]'), line);
    tracing.line(scrubbed);
    return scrubbed;
  };
  const options = {
    ...{ level: env.LOG_LEVEL, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    formatters: { level: (label: string) => ({ level: label }) },
    ...{ mixin: () => tracing.ids(), hooks: { streamWrite: scrub } },
  };
  return pino(options, out);
}

/** In a line of JSON, a quotation mark or backslash has a backslash in front. */
function writtenForms(secrets: readonly (string | undefined)[]): string[] {
  const long = secrets.filter((value): value is string => value !== undefined && value.length >= 6);
  return [...new Set(long.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]))];
}
