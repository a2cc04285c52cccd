import type { z } from 'zod';
import { mayLeave } from '../core/address.ts';
import { CountersignError } from '../core/errors.ts';
import { plainWords } from '../core/value-words.ts';
import { findingLines } from './complaint.ts';
import { envSchema } from './env-schema.ts';
import { misspelt, misspeltWords } from './misspelt.ts';
import { type Given, modelProblems, roleProblems, slackProblems, vendorGroups } from './process-role.ts';
import { secretFileProblems, withSecretFiles } from './secret-files.ts';

export type Env = z.infer<typeof envSchema>;

/** A start that must not happen: names the problem, never the value. */
export class ConfigError extends CountersignError {}

/** Processes on several machines need the same key, so none is generated where there may be several. */
function databaseProblems({ DATABASE_URL, DATABASE_OWNER_URL, AUDIT_KEY, DATA_DIR }: Given): string[] {
  if (!DATABASE_URL) return DATABASE_OWNER_URL ? ['DATABASE_URL must be set when DATABASE_OWNER_URL is'] : [];
  if (AUDIT_KEY || DATA_DIR) return [];
  return [
    'AUDIT_KEY (openssl rand -hex 32), or DATA_DIR for a file with one, must be set when DATABASE_URL is',
  ];
}

/**
 * The requirement that a value violates, whatever the setting; null if none. A line break comes from a copied file, and
 * would start a new header in a header. systemd and Docker read a comment after a value as part of it, so a key would
 * differ from the one `npm start` reads from the same line.
 */
export function unmetByValue(value: string): string | null {
  if (/\p{Cc}/u.test(value)) return 'one line without control characters';
  if (/\s#/u.test(value)) return 'alone on its line: a comment behind it is read as part of it';
  return null;
}

function valueProblems(given: Given, schema: z.ZodObject): string[] {
  return Object.keys(schema.shape).flatMap((name) => {
    const unmet = unmetByValue(given[name] ?? '');
    return unmet === null ? [] : [`${name} must be ${unmet}`];
  });
}

function combinationProblems(given: Given): string[] {
  const problems = [...slackProblems(given), ...roleProblems(given), ...modelProblems(given)];
  if (given.CONFLUENCE_HOST && !given.JIRA_HOST) {
    problems.push('JIRA_HOST, JIRA_EMAIL and JIRA_API_TOKEN must be set when CONFLUENCE_HOST is');
  }
  if (given.JIRA_SITE && !given.JIRA_HOST) problems.push('JIRA_HOST must be set when JIRA_SITE is');
  if (given.JIRA_HOST?.startsWith('https://api.atlassian.com/') && !given.JIRA_SITE) {
    problems.push('JIRA_SITE must be set when JIRA_HOST is https://api.atlassian.com: links lead to it');
  }
  const { OTEL_EXPORTER_OTLP_ENDPOINT: collector = '', OTEL_EXPORTER_OTLP_INSECURE: insecure } = given;
  if (insecure !== 'true' && URL.canParse(collector) && !mayLeave(new URL(collector))) {
    problems.push(
      'OTEL_EXPORTER_OTLP_ENDPOINT must be an https address, or OTEL_EXPORTER_OTLP_INSECURE=true',
    );
  }
  if (given.PAGERDUTY_WEBHOOK_SECRET && !given.PORT && given.COUNTERSIGN_ROLE !== 'executor') {
    problems.push('PORT must be set when PAGERDUTY_WEBHOOK_SECRET is: PagerDuty delivers to it');
  }
  if (given.PAGERDUTY_WEBHOOK_SECRET && !given.PAGERDUTY_API_TOKEN) {
    problems.push(
      'PAGERDUTY_API_TOKEN and PAGERDUTY_FROM_EMAIL must be set when PAGERDUTY_WEBHOOK_SECRET is',
    );
  }
  if (given.COUNTERSIGN_EVENTS_URL && !given.COUNTERSIGN_EVENTS_SECRET)
    problems.push(
      'COUNTERSIGN_EVENTS_SECRET (openssl rand -hex 32) must be set when COUNTERSIGN_EVENTS_URL is',
    );
  problems.push(...databaseProblems(given));
  for (const group of vendorGroups(given)) {
    const missing = group.filter((name) => !given[name]);
    if (missing.length > 0 && missing.length < group.length) {
      const set = group.filter((name) => given[name]);
      problems.push(
        `${missing.join(' and ')} must be set when ${set.join(' and ')} ${set.length === 1 ? 'is' : 'are'}`,
      );
    }
  }
  return problems;
}

/**
 * Parses settings; empty values count as not set. Throws one ConfigError that lists every problem by setting and hides
 * every value.
 */
function parse<S extends z.ZodObject>(
  schema: S,
  variables: Given,
  combined: (given: Given) => string[] = () => [],
): z.infer<S> {
  const given = Object.fromEntries(setVariables(variables));
  const parsed = schema.safeParse(given, { error: plainWords });
  const single = parsed.success ? [] : parsed.error.issues.map((i) => `${i.path.join('.')} ${i.message}`);
  const files = secretFileProblems(given, Object.keys(schema.shape));
  const problems = [...files, ...valueProblems(given, schema), ...single, ...combined(given)];
  if (problems.length === 0 && parsed.success) return parsed.data;
  const all = [...problems, ...misspelt(variables).map(misspeltWords)];
  const message = `The environment is incomplete or invalid:\n${findingLines(all)}`;
  throw new ConfigError('config_env', message, { problems: all });
}

/** All settings, read once at the start. Throws a ConfigError. */
export function readEnv(variables: Given): Env {
  return parse(envSchema, variables, combinationProblems);
}

const modelSettings = envSchema.pick({
  OPENAI_API_KEY: true,
  OPENAI_BASE_URL: true,
  PLANNER_MODEL: true,
  PLANNER_TIMEOUT_MS: true,
});
const databaseSettings = envSchema.pick({
  DATABASE_URL: true,
  DATABASE_OWNER_URL: true,
  DATA_DIR: true,
  AUDIT_KEY: true,
});
export type DatabaseEnv = z.infer<typeof databaseSettings>;

/** Only the model settings, for commands that need no Slack. Throws a ConfigError. */
export function readModelEnv(variables: Given): z.infer<typeof modelSettings> {
  return parse(modelSettings, variables);
}

/** Only the database settings. Throws a ConfigError. */
export function readDatabaseEnv(variables: Given): DatabaseEnv {
  return parse(databaseSettings, variables);
}

const auditSettings = databaseSettings.pick({ AUDIT_KEY: true, DATABASE_URL: true, DATA_DIR: true });

/** The location of the audit key, for an exported log. Throws a ConfigError. */
export function readAuditEnv(variables: Given): z.infer<typeof auditSettings> {
  return parse(auditSettings, variables);
}

/** Variables with a value, by name. */
export function setVariables(variables: Given): [name: string, value: string][] {
  return Object.entries(variables).flatMap(([name, value]): [string, string][] =>
    value?.trim() ? [[name, value]] : [],
  );
}

/** The environment of this process, with its secret files; nothing else reads it. */
export function processVariables(): Given {
  const { https_proxy, http_proxy, no_proxy, ...rest } = process.env;
  // Most programs write these in small letters.
  const proxies = { HTTPS_PROXY: https_proxy, HTTP_PROXY: http_proxy, NO_PROXY: no_proxy };
  return withSecretFiles({ ...proxies, ...rest });
}

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

/** All values of settings that must never be shown. */
export function secretsIn(env: Env): string[] {
  const lists = [env.AUDIT_KEY, env.TOKEN_KEY, env.COUNTERSIGN_EVENTS_SECRET];
  const values = [...secretSettings.map((name) => env[name]), ...lists.flatMap((all) => all?.split(','))];
  return values.filter((value) => value !== undefined);
}
