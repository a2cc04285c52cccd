import { parseJson } from '../../core/json.ts';
import type { BoundQuery } from '../../core/queries/bind.ts';
import { boundedText } from '../http/bounded-text.ts';
import { below, configuredUrl } from '../http/egress.ts';
import { noAnswer } from '../http/no-answer.ts';
import { refusal, retryAfterMs } from '../http/vendor-status.ts';
import { readExport } from './export.ts';
import type { SplunkReader } from './port.ts';
import { splText } from './spl.ts';

export interface SplunkOptions {
  /** Management port: `https://splunk.acme.example:8089`. */
  readonly url: string;
  readonly token: string;
  /** Splunk ends a search that takes longer, in seconds. */
  readonly maxSeconds: number;
  readonly fetch: typeof fetch;
  readonly now: () => Date;
}

const vendor = 'Splunk';

/** Searches by the export endpoint, which sends results as they are found. */
export function createSplunk(options: SplunkOptions): SplunkReader {
  const url = below(configuredUrl(options.url), 'services/search/v2/jobs/export');
  return {
    async run(query, limit, signal) {
      const response = await post(options, url, formOf(query, options.maxSeconds), signal);
      try {
        if (response.status !== 200) throw await refusalOf(options, response);
        return await readExport(response.body ?? emptyBody(), limit);
      } catch (error) {
        throw noAnswer(error, { vendor, host: url.host, write: false, signal });
      } finally {
        // What is still on its way is not waited for.
        await response.body?.cancel().catch(() => {});
      }
    },
  };
}

function formOf(query: BoundQuery, maxSeconds: number): URLSearchParams {
  return new URLSearchParams({
    search: splText(query),
    output_mode: 'json',
    preview: 'false',
    earliest_time: String(Math.floor(query.from.getTime() / 1_000)),
    latest_time: String(Math.ceil(query.to.getTime() / 1_000)),
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
