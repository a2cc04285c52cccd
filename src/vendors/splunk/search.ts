import { type Checkup, tried } from '../../core/doctor-result.ts';
import { parseJson } from '../../core/json.ts';
import type { Readers } from '../../core/ports.ts';
import type { QueryAnswer } from '../../core/queries/answer.ts';
import { type ListedTables, type SourceTable, tableLimits } from '../../core/queries/tables.ts';
import { boundedText } from '../http/bounded-fetch.ts';
import { below, configuredUrl } from '../http/egress.ts';
import { badAnswer, noAnswer } from '../http/no-answer.ts';
import { unconfigured } from '../http/unconfigured.ts';
import { refusal, retryAfterMs } from '../http/vendor-status.ts';
import { readExport } from './export.ts';
import type { SplunkReader } from './port.ts';
import { splText } from './spl.ts';

export interface SplunkOptions {
  /** Management port: `https://splunk.acme.example:8089`. */
  readonly url: string;
  readonly token: string;
  /** Splunk ends a search after this many seconds. */
  readonly maxSeconds: number;
  readonly fetch: typeof fetch;
  readonly now: () => Date;
}

interface Search {
  readonly search: string;
  readonly from: Date;
  readonly to: Date;
}

const vendor = 'Splunk';

/** Searches through the export endpoint, which streams results as they are found. */
export function createSplunk(options: SplunkOptions): SplunkReader {
  configuredUrl(options.url);
  return {
    run(query, limit, signal) {
      return exportSearch(options, { ...query, search: splText(query) }, limit, signal);
    },
    check: (query, signal) => parse(options, splText(query), signal),
    tables: (listed, now, signal) => fieldsOf(options, listed, now, signal),
  };
}

/** Events of the last day whose fields are looked at, newest first. */
const sampled = 1_000;
const dayMs = 86_400_000;

/** The fields of each index, the most frequent first. */
async function fieldsOf(
  options: SplunkOptions,
  { source, names }: ListedTables,
  to: Date,
  signal: AbortSignal,
): Promise<SourceTable[]> {
  const found: SourceTable[] = [];
  for (const name of names) {
    const search = `search index="${name}" | head ${sampled} | fieldsummary maxvals=1 | sort - count | table field`;
    const over = { search, from: new Date(to.getTime() - dayMs), to };
    const { rows } = await exportSearch(options, over, tableLimits.fields, signal);
    const fields = rows.map(([field = '']) => ({ name: field, type: '', about: '' }));
    found.push({ language: 'spl', source, name: `index=${name}`, about: '', rows: 0, fields });
  }
  return found;
}

/** One search between two moments, in Splunk's format. Throws a VendorError. */
export async function exportSearch(
  options: SplunkOptions,
  search: Search,
  limit: number,
  signal: AbortSignal,
): Promise<QueryAnswer> {
  const url = below(configuredUrl(options.url), 'services/search/v2/jobs/export');
  const response = await post(options, url, formOf(search, options.maxSeconds), signal);
  try {
    if (response.status !== 200) throw await refusalOf(options, response);
    return await readExport(response.body ?? emptyBody(), limit);
  } catch (error) {
    throw noAnswer(error, { vendor, host: url.host, write: false, signal });
  } finally {
    // Does not wait for the rest.
    await response.body?.cancel().catch(() => {});
  }
}

/** Asks Splunk's parser, which looks up nothing. Throws a VendorError. */
async function parse(options: SplunkOptions, search: string, signal: AbortSignal): Promise<void> {
  const url = below(configuredUrl(options.url), 'services/search/v2/parser');
  const form = new URLSearchParams({ q: search, parse_only: 'true', output_mode: 'json' });
  const response = await post(options, url, form, signal);
  try {
    if (response.status !== 200) throw await refusalOf(options, response);
  } catch (error) {
    throw noAnswer(error, { vendor, host: url.host, write: false, signal });
  } finally {
    await response.body?.cancel().catch(() => {});
  }
}

function formOf({ search, from, to }: Search, maxSeconds: number): URLSearchParams {
  return new URLSearchParams({
    search,
    output_mode: 'json',
    preview: 'false',
    earliest_time: String(Math.floor(from.getTime() / 1_000)),
    latest_time: String(Math.ceil(to.getTime() / 1_000)),
    max_time: String(maxSeconds),
    adhoc_search_level: 'fast',
  });
}

async function post(
  { token, fetch }: SplunkOptions,
  url: URL,
  body: URLSearchParams,
  signal: AbortSignal,
): Promise<Response> {
  try {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    return await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
  } catch (error) {
    throw noAnswer(error, { vendor, host: url.host, write: false, signal });
  }
}

async function refusalOf({ token, now }: SplunkOptions, response: Response): Promise<Error> {
  const body = await boundedText(response, { vendor, max: 100_000 });
  const wait = retryAfterMs(response.headers.get('retry-after'), now);
  return refusal({
    vendor,
    status: response.status,
    detail: messagesIn(parseJson(body)),
    secrets: [token],
    settings: 'SPLUNK_TOKEN',
    permission: 'Give its user a role that may search.',
    retryAfterMs: wait,
    write: false,
  });
}

function messagesIn(json: unknown): string {
  if (typeof json !== 'object' || json === null || !('messages' in json) || !Array.isArray(json.messages))
    return '';
  const texts = json.messages.map((one: unknown) =>
    typeof one === 'object' && one !== null && 'text' in one && typeof one.text === 'string' ? one.text : '',
  );
  return texts.filter(Boolean).join(' ');
}

async function* emptyBody(): AsyncGenerator<Uint8Array> {}

/** Splunk for the tools; null when it is not set up. */
export function connectSplunk(options: SplunkOptions | null): Pick<Readers, 'splunk'> {
  return { splunk: options === null ? unconfigured('SPLUNK_URL and SPLUNK_TOKEN') : createSplunk(options) };
}

const timeoutMs = 10_000;

/** Whether Splunk takes the token. Generates one empty result, and reads no index. Throws a VendorError. */
export async function askSplunk(options: SplunkOptions): Promise<void> {
  const to = options.now();
  const search = { search: '| makeresults count=1', from: new Date(to.getTime() - 1_000), to };
  const { total } = await exportSearch(options, search, 1, AbortSignal.timeout(timeoutMs));
  if (total !== 1) throw badAnswer('Splunk', 'it has no result', { write: false });
}

/** Checks that the token may search. */
export function probeSplunk(options: SplunkOptions): Promise<Checkup[]> {
  return tried('splunk', async () => {
    await askSplunk(options);
    return [{ about: 'splunk', level: 'ok', says: `${new URL(options.url).host} answers searches` }];
  });
}
