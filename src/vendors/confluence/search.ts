import { z } from 'zod';
import type { LinkHosts } from '../../core/address.ts';
import { visibleText } from '../../core/clean-text.ts';
import { type Checkup, tried } from '../../core/doctor-result.ts';
import { parseJson } from '../../core/json.ts';
import { boundedText } from '../http/bounded-text.ts';
import { below, configuredUrl } from '../http/egress.ts';
import { badAnswer, noAnswer } from '../http/no-answer.ts';
import { refusal, retryAfterMs } from '../http/vendor-status.ts';
import type { PageHit, PageQuery, PageSource } from './port.ts';

export interface ConfluenceOptions {
  /** Including the wiki's path: `https://acme.atlassian.net/wiki`. */
  readonly host: string;
  readonly email: string;
  readonly apiToken: string;
  /** Keys of spaces to search; empty for all. */
  readonly spaces: readonly string[];
  readonly fetch: typeof fetch;
  readonly now: () => Date;
}

const vendor = 'Confluence';
const maxAnswer = 2_000_000;

const answer = z.object({
  totalSize: z.int().min(0).optional(),
  results: z.array(
    z.object({
      title: z.string(),
      excerpt: z.string().default(''),
      url: z.string().default(''),
      lastModified: z.string().optional(),
      resultGlobalContainer: z.object({ title: z.string() }).optional(),
    }),
  ),
});

/** Confluence's own search. */
export function createConfluence(options: ConfluenceOptions): PageSource {
  return {
    async search(query, limit, signal) {
      const cql = pagesAbout(query, options.spaces);
      if (cql === null) return { total: 0, hits: [] };
      const { results, totalSize } = await searchPages(options, cql, limit, signal);
      const base = configuredUrl(options.host);
      return { total: totalSize ?? results.length, hits: results.map((one) => hitOf(base, one)) };
    },
  };
}

/** The first `limit` pages matching the CQL. Throws a VendorError. */
export async function searchPages(
  options: ConfluenceOptions,
  cql: string,
  limit: number,
  signal: AbortSignal,
): Promise<z.infer<typeof answer>> {
  const { email, apiToken, now } = options;
  const url = below(configuredUrl(options.host), 'rest/api/search');
  url.searchParams.set('cql', cql);
  url.searchParams.set('limit', String(limit));
  const basic = Buffer.from(`${email}:${apiToken}`).toString('base64');
  const headers = { accept: 'application/json', authorization: `Basic ${basic}` };
  let response: Response;
  let body: string;
  try {
    response = await options.fetch(url, { headers, redirect: 'manual', signal });
    body = await boundedText(response, { vendor, max: maxAnswer });
  } catch (error) {
    throw noAnswer(error, { vendor, host: url.host, write: false, signal });
  }
  const json = parseJson(body);
  if (response.status !== 200) {
    const said = { vendor, status: response.status, detail: detailOf(json), secrets: [basic, apiToken] };
    const wait = retryAfterMs(response.headers.get('retry-after'), now);
    const permission = 'Let the account of JIRA_EMAIL use Confluence.';
    const settings = 'JIRA_EMAIL and JIRA_API_TOKEN';
    throw refusal({ ...said, settings, permission, retryAfterMs: wait, write: false });
  }
  const parsed = answer.safeParse(json);
  if (parsed.success) return parsed.data;
  throw badAnswer(vendor, 'it has another shape than documented', { write: false, cause: parsed.error });
}

function detailOf(json: unknown): string {
  const parsed = z.object({ message: z.string() }).safeParse(json);
  return parsed.success ? parsed.data.message : '';
}

function hitOf(base: URL, one: z.infer<typeof answer>['results'][number]): PageHit {
  const at = Date.parse(one.lastModified ?? '');
  return {
    title: unmarked(one.title),
    section: '',
    place: one.resultGlobalContainer?.title ?? vendor,
    address: one.url.startsWith('/') && !one.url.startsWith('//') ? below(base, one.url).href : '',
    changed: Number.isNaN(at) ? null : new Date(at).toISOString(),
    excerpt: unmarked(one.excerpt),
  };
}

/** Without Confluence's highlighting marks around matches. */
function unmarked(text: string): string {
  return visibleText(text.replaceAll(/@@@(?:end)?hl@@@/g, '')).trim();
}

/** Confluence for the tools, with the host of its links; empty when it is not set up. */
export function connectConfluence(options: ConfluenceOptions | null): {
  readonly sources: readonly PageSource[];
  readonly hosts: LinkHosts;
} {
  if (options === null) return { sources: [], hosts: [] };
  return { sources: [createConfluence(options)], hosts: [configuredUrl(options.host).host] };
}

const timeoutMs = 10_000;

/** Whether Confluence takes the token. Throws a VendorError. */
export async function askConfluence(options: ConfluenceOptions): Promise<void> {
  await searchPages(options, pagesIn(options.spaces), 1, AbortSignal.timeout(timeoutMs));
}

/** Checks that the account can see pages: in each space, or anywhere if no space is configured. */
export async function probeConfluence(options: ConfluenceOptions): Promise<Checkup[]> {
  const { spaces } = options;
  const each = (spaces.length === 0 ? [null] : spaces).map((space) => probeSpace(options, space));
  return (await Promise.all(each)).flat();
}

/** Confluence silently leaves out what an account may not see. */
function probeSpace(options: ConfluenceOptions, space: string | null): Promise<Checkup[]> {
  const about = space === null ? 'confluence' : `confluence ${space}`;
  return tried(about, async () => {
    const cql = pagesIn(space === null ? [] : [space]);
    const { results } = await searchPages(options, cql, 1, AbortSignal.timeout(timeoutMs));
    const { host } = new URL(options.host);
    if (results.length > 0) return [{ about, level: 'ok', says: `the account sees pages there, on ${host}` }];
    const says =
      space === null
        ? `the account sees no page on ${host}: let it view the spaces with runbooks`
        : `the account sees no page in ${space}: check the key, or let it view that space`;
    return [{ about, level: 'wrong', says }];
  });
}

/** Letters, digits and the characters of codes; anything else has a meaning in CQL's text search. */
function searchWords(said: string): string[] {
  return (said.match(/[\p{L}\p{N}][\p{L}\p{N}_.-]*/gu) ?? []).slice(0, 20);
}

/** A CQL string. The output of `searchWords` has neither quotes nor backslashes; both are escaped nevertheless. */
function literal(value: string): string {
  return `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** CQL for pages about something, in the given spaces. Null when no search words are left. */
export function pagesAbout({ words, service, code }: PageQuery, spaces: readonly string[]): string | null {
  const wanted = searchWords(words);
  const parts = [wanted.join(' '), ...[service, code].map((one) => searchWords(one ?? '').join(' '))];
  const terms = parts.filter((part) => part !== '').map((part) => `siteSearch ~ ${literal(part)}`);
  if (terms.length === 0) return null;
  return [pagesIn(spaces), ...terms].join(' AND ');
}

/** CQL for every page of the given spaces, or of all if none are given. */
export function pagesIn(spaces: readonly string[]): string {
  const within = spaces.length === 0 ? [] : [`space in (${spaces.map(literal).join(', ')})`];
  return ['type = page', ...within].join(' AND ');
}
