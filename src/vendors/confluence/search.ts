import { z } from 'zod';
import type { LinkHosts } from '../../core/address.ts';
import { visibleText } from '../../core/clean-text.ts';
import { type Checkup, tried } from '../../core/doctor-result.ts';
import { below, configuredUrl } from '../http/egress.ts';
import { unconfigured } from '../http/unconfigured.ts';
import { askWiki, vendor, type WikiAccess } from './ask.ts';
import { createWiki, onSite } from './pages.ts';
import type { PageHit, PageQuery, PageSource, WikiReader, WikiWriter } from './port.ts';

export interface ConfluenceOptions extends WikiAccess {
  /** Keys of spaces to search; empty for all. */
  readonly spaces: readonly string[];
}

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
async function searchPages(
  options: ConfluenceOptions,
  cql: string,
  limit: number,
  signal: AbortSignal,
): Promise<z.infer<typeof answer>> {
  const url = below(configuredUrl(options.host), 'rest/api/search');
  url.searchParams.set('cql', cql);
  url.searchParams.set('limit', String(limit));
  return askWiki(options, { url, schema: answer, signal });
}

function hitOf(base: URL, one: z.infer<typeof answer>['results'][number]): PageHit {
  const at = Date.parse(one.lastModified ?? '');
  return {
    title: unmarked(one.title),
    section: '',
    place: one.resultGlobalContainer?.title ?? vendor,
    address: onSite(base, one.url),
    changed: Number.isNaN(at) ? null : new Date(at).toISOString(),
    excerpt: unmarked(one.excerpt),
  };
}

/** Without Confluence's highlighting marks around matches. */
function unmarked(text: string): string {
  return visibleText(text.replaceAll(/@@@(?:end)?hl@@@/g, '')).trim();
}

/** Confluence for the tools, with the host of its links; finds nothing and fails when it is not set up. */
export function connectConfluence(options: ConfluenceOptions | null): {
  readonly sources: readonly PageSource[];
  readonly wiki: { readonly reader: WikiReader; readonly writer: WikiWriter };
  readonly hosts: LinkHosts;
} {
  if (options === null) {
    const none = 'confluence in countersign.yml, and CONFLUENCE_HOST';
    const wiki = { reader: unconfigured<WikiReader>(none), writer: unconfigured<WikiWriter>(none) };
    return { sources: [], wiki, hosts: [] };
  }
  const { host } = configuredUrl(options.host);
  return { sources: [createConfluence(options)], wiki: createWiki(options), hosts: [host] };
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
function pagesAbout({ words, service, code }: PageQuery, spaces: readonly string[]): string | null {
  const wanted = searchWords(words);
  const parts = [wanted.join(' '), ...[service, code].map((one) => searchWords(one ?? '').join(' '))];
  const terms = parts.filter((part) => part !== '').map((part) => `siteSearch ~ ${literal(part)}`);
  if (terms.length === 0) return null;
  return [pagesIn(spaces), ...terms].join(' AND ');
}

/** CQL for every page of the given spaces, or of all if none are given. */
function pagesIn(spaces: readonly string[]): string {
  const within = spaces.length === 0 ? [] : [`space in (${spaces.map(literal).join(', ')})`];
  return ['type = page', ...within].join(' AND ');
}
