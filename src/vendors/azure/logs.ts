import { z } from 'zod';
import { type Checkup, tried } from '../../core/doctor-result.ts';
import { VendorError } from '../../core/errors.ts';
import { parseJson } from '../../core/json.ts';
import type { Readers } from '../../core/ports.ts';
import { cellText, type QueryAnswer } from '../../core/queries/answer.ts';
import { type BoundQuery, QueryError } from '../../core/queries/bind.ts';
import { type SourceTable, tableLimits } from '../../core/queries/tables.ts';
import { boundedText } from '../http/bounded-fetch.ts';
import { below, configuredUrl } from '../http/egress.ts';
import { badAnswer, noAnswer } from '../http/no-answer.ts';
import { unconfigured } from '../http/unconfigured.ts';
import { azureRefusal, vendor } from './errors.ts';
import { kqlText } from './kql.ts';
import type { AzureReader } from './port.ts';
import { type App, createSignIn, type SignIn } from './sign-in.ts';

export interface AzureOptions extends App {
  /** `https://api.loganalytics.io/v1`. */
  readonly url: string;
  /** Workspace ids by the operator's names. */
  readonly workspaces: ReadonlyMap<string, string>;
  /** Azure ends a query after this many seconds. */
  readonly maxSeconds: number;
}

const dayMs = 86_400_000;
/** Maximum characters of one answer in memory. */
const maxAnswer = 8_000_000;
const answerSchema = z.object({
  tables: z
    .array(
      z.object({ columns: z.array(z.object({ name: z.string() })), rows: z.array(z.array(z.unknown())) }),
    )
    .min(1),
  /** Present beside the rows when the result is incomplete. */
  error: z.unknown().optional(),
});

/** Log Analytics workspaces, through Azure Monitor's query API. */
export function createAzureLogs(options: AzureOptions): AzureReader {
  configuredUrl(options.url);
  configuredUrl(options.authorityHost);
  const signIn = createSignIn(options);
  const ask = (query: BoundQuery, operator: string, signal: AbortSignal): Promise<Table> => {
    const workspace = workspaceOf(options, query);
    return tableOf(options, signIn, { ...query, workspace, text: `${kqlText(query)}| ${operator}` }, signal);
  };
  return {
    async run(query, limit, signal) {
      const first = await ask(query, `take ${limit + 1}`, signal);
      if (first.rows.length <= limit) return answerOf(first, limit, first.rows.length);
      const counted = await ask(query, 'count', signal);
      return answerOf(first, limit, Number(counted.rows[0]?.[0] ?? first.rows.length));
    },
    async check(query, signal) {
      await ask(query, 'take 0', signal);
    },
    async tables({ source, names }, now, signal) {
      const found: SourceTable[] = [];
      for (const name of names) {
        const query = { ...ownQuery(source, now, dayMs), text: name };
        const { rows } = await ask(query, 'getschema | project ColumnName, ColumnType', signal);
        const fields = rows.slice(0, tableLimits.fields).map(([column, type]) => {
          return { name: cellText(column), type: cellText(type), about: '' };
        });
        found.push({ language: 'kql', source, name, about: '', rows: 0, fields });
      }
      return found;
    },
  };
}

interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly whole: boolean;
}

type Question = Pick<BoundQuery, 'text' | 'from' | 'to'> & { readonly workspace: string };

/** Azure's answer to one question. Throws a VendorError. */
async function tableOf(
  options: AzureOptions,
  signIn: SignIn,
  question: Question,
  signal: AbortSignal,
): Promise<Table> {
  const base = configuredUrl(options.url);
  try {
    const token = await signIn.token(`${base.origin}/.default`, signal);
    const response = await post(options, base, question, token, signal);
    const json = parseJson(await boundedText(response, { vendor, max: maxAnswer }));
    if (response.status === 401) signIn.forget();
    if (response.status !== 200) throw azureRefusal(response.status, json, options.clientSecret);
    return readTable(json);
  } catch (error) {
    throw noAnswer(error, { vendor, host: base.host, write: false, signal });
  }
}

function post(
  { fetch, maxSeconds }: AzureOptions,
  base: URL,
  { workspace, text: query, from, to }: Question,
  token: string,
  signal: AbortSignal,
): Promise<Response> {
  return fetch(below(base, `workspaces/${encodeURIComponent(workspace)}/query`), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      prefer: `wait=${maxSeconds}`,
    },
    body: JSON.stringify({ query, timespan: `${from.toISOString()}/${to.toISOString()}` }),
    redirect: 'manual',
    signal,
  });
}

function readTable(json: unknown): Table {
  const parsed = answerSchema.safeParse(json);
  const [table] = parsed.data?.tables ?? [];
  if (table === undefined) throw badAnswer(vendor, 'it has no table', { write: false, cause: parsed.error });
  const columns = table.columns.map(({ name }) => name);
  return { columns, rows: table.rows, whole: parsed.data?.error === undefined };
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

/** Azure Monitor for the tools; null when it is not set up. */
export function connectAzure(options: AzureOptions | null): Pick<Readers, 'azure'> {
  return { azure: options === null ? unconfigured('azure in countersign.yml') : createAzureLogs(options) };
}

const timeoutMs = 10_000;

/** Checks that the app may query each workspace. Reads no table. */
export async function probeAzure(options: AzureOptions, now: () => Date): Promise<Checkup[]> {
  const logs = createAzureLogs(options);
  const each = [...options.workspaces].map(([name, id]) => probeWorkspace(logs, name, id, now()));
  return (await Promise.all(each)).flat();
}

/** Whether Azure Monitor takes the secret, for each workspace. Reads no table. Throws a VendorError. */
export async function askAzure(options: AzureOptions, now: () => Date): Promise<void> {
  const logs = createAzureLogs(options);
  await Promise.all([...options.workspaces.keys()].map((name) => askWorkspace(logs, name, now())));
}

async function askWorkspace(logs: AzureReader, name: string, to: Date): Promise<void> {
  const query = { ...ownQuery(name, to, 1_000), text: 'print 1' };
  await logs.run(query, 1, AbortSignal.timeout(timeoutMs));
}

function ownQuery(source: string, to: Date, ms: number): Omit<BoundQuery, 'text'> {
  const from = new Date(to.getTime() - ms);
  return { template: null, by: '', source, values: {}, over: '', assumed: '', from, to };
}

function probeWorkspace(logs: AzureReader, name: string, id: string, to: Date): Promise<Checkup[]> {
  const about = `azure ${name}`;
  return tried(about, async () => {
    try {
      await askWorkspace(logs, name, to);
    } catch (error) {
      if (!(error instanceof VendorError) || error.code !== 'not_found') throw error;
      const says = `there is no workspace ${id}: take the Workspace ID from its overview in Azure`;
      return [{ about, level: 'wrong', says }];
    }
    return [{ about, level: 'ok', says: `the workspace ${id} answers queries` }];
  });
}
