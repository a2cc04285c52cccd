import { dirname, resolve } from 'node:path';
import { buildQueries } from '../config/build-catalogue.ts';
import type { Env } from '../config/env.ts';
import type { OperatorConfig } from '../config/schema.ts';
import type { LinkHosts } from '../core/address.ts';
import type { Log } from '../core/log.ts';
import type { Readers, Writers } from '../core/ports.ts';
import { queryBook } from '../core/queries/bind.ts';
import { connectAzure } from '../vendors/azure/logs.ts';
import { connectConfluence } from '../vendors/confluence/search.ts';
import { connectErrors } from '../vendors/error-catalogue/catalogue.ts';
import { connectPrometheus } from '../vendors/prometheus/query.ts';
import { connectRunbooks } from '../vendors/runbooks/search.ts';
import { connectSplunk } from '../vendors/splunk/search.ts';
import { type Databases, openDatabases } from '../vendors/sql/reader.ts';

interface QueryDeps {
  readonly env: Env;
  readonly config: OperatorConfig;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  readonly now: () => Date;
}

interface QueryVendors {
  readonly readers: Pick<Readers, 'queries' | 'azure' | 'splunk' | 'prometheus' | 'databases'>;
  /** Checked when the bot starts and closed when it stops. */
  readonly databases: Databases;
}

/** Time limit of a query at the vendor; the tool itself waits a little longer. */
const maxSeconds = 25;

/** The operator's queries, with their log systems and databases. */
export function connectQueries(deps: QueryDeps): QueryVendors {
  const { env, config, variables, log, now } = deps;
  const urls = Object.entries(config.databases).flatMap(([name, { url }]): [string, string][] => {
    const address = variables[url];
    return address ? [[name, address]] : [];
  });
  const bounds = Object.entries(config.databases).map(
    ([name, { max_cost: cost, max_rows: rows }]) => [name, { cost, rows }] as const,
  );
  const databases = openDatabases({
    ...{ urls: new Map(urls), bounds: new Map(bounds), timeoutMs: maxSeconds * 1_000, log },
  });
  return {
    readers: {
      queries: queryBook(
        buildQueries(config),
        new Set(config.pasted_queries),
        config.defaults.timezone,
        new Set(config.written_queries.languages),
      ),
      databases,
      ...connectAzure(azureOptions(deps)),
      ...connectSplunk(splunkOptions({ env, now })),
      ...connectPrometheus(prometheusOptions({ env, now })),
    },
    databases,
  };
}

/** Null where Splunk is not set up. */
export function splunkOptions({
  env,
  now,
}: Pick<QueryDeps, 'env' | 'now'>): Parameters<typeof connectSplunk>[0] {
  const { SPLUNK_URL: url, SPLUNK_TOKEN: token } = env;
  return url && token ? { url, token, maxSeconds, fetch, now } : null;
}

/** Null where Prometheus is not set up. */
export function prometheusOptions({
  env,
  now,
}: Pick<QueryDeps, 'env' | 'now'>): Parameters<typeof connectPrometheus>[0] {
  const { PROMETHEUS_URL: url, PROMETHEUS_TOKEN: token } = env;
  if (!url) return null;
  const { PROMETHEUS_USER: user, PROMETHEUS_PASSWORD: password } = env;
  const basic = user && password && `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  return { url, authorization: token ? `Bearer ${token}` : basic || null, maxSeconds, fetch, now };
}

/** Null where Azure Monitor is not set up. */
export function azureOptions({
  env,
  config,
}: Pick<QueryDeps, 'env' | 'config'>): Parameters<typeof connectAzure>[0] {
  const { AZURE_TENANT_ID: tenantId, AZURE_CLIENT_ID: clientId, AZURE_CLIENT_SECRET: clientSecret } = env;
  if (!config.azure || !tenantId || !clientId || !clientSecret) return null;
  const workspaces = new Map(Object.entries(config.azure.workspaces));
  const { AZURE_AUTHORITY_HOST: authorityHost, AZURE_LOGS_URL: url } = env;
  return { tenantId, clientId, clientSecret, authorityHost, url, workspaces, maxSeconds, fetch };
}

interface KnowledgeDeps {
  readonly env: Env;
  readonly config: OperatorConfig;
  readonly now: () => Date;
}

interface Knowledge {
  readonly readers: Pick<Readers, 'runbooks' | 'errors' | 'wiki'>;
  readonly writers: Pick<Writers, 'wiki'>;
  readonly hosts: LinkHosts;
}

/** Runbooks from a folder and the wiki, and the error catalogue. */
export function connectKnowledge({ env, config, now }: KnowledgeDeps): Knowledge {
  // Paths are relative to the folder of countersign.yml.
  const place = (file: string): string => resolve(dirname(env.COUNTERSIGN_CONFIG), file);
  const { runbooks, errors } = config;
  const folder = runbooks && { folder: place(runbooks.folder), address: runbooks.address ?? null, now };
  const files = (errors?.files ?? []).map(place);
  const inFolder = connectRunbooks(folder ?? null);
  const wiki = connectConfluence(wikiOptions({ env, config, now }));
  return {
    readers: {
      runbooks: [...inFolder.sources, ...wiki.sources],
      wiki: wiki.wiki.reader,
      ...connectErrors(files),
    },
    writers: { wiki: wiki.wiki.writer },
    hosts: [...inFolder.hosts, ...wiki.hosts],
  };
}

/** Null where Confluence is not set up. */
export function wikiOptions({ env, config, now }: KnowledgeDeps): Parameters<typeof connectConfluence>[0] {
  const { CONFLUENCE_HOST: host, JIRA_EMAIL: email, JIRA_API_TOKEN: apiToken } = env;
  if (!config.confluence || !host || !email || !apiToken) return null;
  return { host, email, apiToken, spaces: config.confluence.spaces, fetch, now };
}
