import type { TokenCredential } from '@azure/identity';
import type { LogsQueryClient } from '@azure/monitor-query-logs';
import { cellText, type QueryAnswer } from '../../core/queries/answer.ts';
import { type BoundQuery, QueryError } from '../../core/queries/bind.ts';
import { configuredUrl } from '../http/egress.ts';
import { badAnswer } from '../http/no-answer.ts';
import { azureError } from './errors.ts';
import { kqlText } from './kql.ts';
import { boundedPolicy } from './policy.ts';
import type { AzureReader } from './port.ts';

export interface AzureOptions {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** `https://login.microsoftonline.com`. */
  readonly authorityHost: string;
  /** `https://api.loganalytics.io/v1`. */
  readonly url: string;
  /** Ids of workspaces by the operator's names. */
  readonly workspaces: ReadonlyMap<string, string>;
  /** Azure ends a query that takes longer, in seconds. */
  readonly maxSeconds: number;
}

interface Azure {
  readonly credential: TokenCredential;
  readonly client: typeof LogsQueryClient;
}

/** Log Analytics workspaces, by Azure's own client. */
export function createAzureLogs(options: AzureOptions): AzureReader {
  const url = configuredUrl(options.url);
  const authority = configuredUrl(options.authorityHost).host;
  let loaded: Promise<Azure> | null = null;
  return {
    async run(query, limit, signal) {
      const workspace = workspaceOf(options, query);
      const text = kqlText(query);
      try {
        loaded ??= load(options);
        const { client, credential } = await loaded;
        const logs = new client(credential, clientOptions(url, signal));
        const ask = (operator: string): Promise<Table> =>
          tableOf(logs, workspace, `${text}| ${operator}`, query, options.maxSeconds);
        const first = await ask(`take ${limit + 1}`);
        if (first.rows.length <= limit) return answerOf(first, limit, first.rows.length);
        const counted = await ask('count');
        return answerOf(first, limit, Number(counted.rows[0]?.[0] ?? first.rows.length));
      } catch (error) {
        throw azureError(error, { host: url.host, authority, secrets: [options.clientSecret], signal });
      }
    },
  };
}

/** The client and its sign-in are large, and loaded by the first query. */
async function load({ tenantId, clientId, clientSecret, authorityHost }: AzureOptions): Promise<Azure> {
  const [{ ClientSecretCredential }, { LogsQueryClient: client }] = await Promise.all([
    import('@azure/identity'),
    import('@azure/monitor-query-logs'),
  ]);
  const credential = new ClientSecretCredential(tenantId, clientId, clientSecret, {
    authorityHost,
    // The authority is the operator's own setting; nobody else is asked whether it is one.
    disableInstanceDiscovery: true,
    retryOptions: { maxRetries: 0 },
    redirectOptions: { maxRetries: 0 },
  });
  return { credential, client };
}

/** No redirects and no retries of its own, and an answer of bounded size. */
function clientOptions(url: URL, signal: AbortSignal): ConstructorParameters<typeof LogsQueryClient>[1] {
  return {
    endpoint: url.href.replace(/\/$/, ''),
    credentials: { scopes: [`${url.origin}/.default`] },
    retryOptions: { maxRetries: 0 },
    redirectOptions: { maxRetries: 0 },
    additionalPolicies: [{ position: 'perRetry', policy: boundedPolicy(signal) }],
  };
}

interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly whole: boolean;
}

async function tableOf(
  logs: LogsQueryClient,
  workspace: string,
  text: string,
  { from, to }: BoundQuery,
  serverTimeoutInSeconds: number,
): Promise<Table> {
  const span = { startTime: from, endTime: to };
  const result = await logs.queryWorkspace(workspace, text, span, { serverTimeoutInSeconds });
  const tables = 'tables' in result ? result.tables : 'partialTables' in result ? result.partialTables : [];
  const [table] = tables;
  if (table === undefined) throw badAnswer('Azure Monitor', 'it has no table', { write: false });
  return {
    columns: table.columnDescriptors.map(({ name }) => name ?? ''),
    rows: table.rows,
    whole: 'tables' in result,
  };
}

function answerOf({ columns, rows, whole }: Table, limit: number, total: number): QueryAnswer {
  return { columns, rows: rows.slice(0, limit).map((row) => row.map(cellText)), total, exact: whole };
}

function workspaceOf({ workspaces }: AzureOptions, { source }: BoundQuery): string {
  const [only, other] = workspaces.values();
  const found = source === null ? (other === undefined ? only : undefined) : workspaces.get(source);
  if (found) return found;
  const names = [...workspaces.keys()].join(', ');
  throw new QueryError('query_source', `Which workspace is meant? There are ${names}; use a vetted query.`);
}
