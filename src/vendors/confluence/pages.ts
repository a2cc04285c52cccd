import { z } from 'zod';
import { ArgumentRefused, VendorError } from '../../core/errors.ts';
import { below, configuredUrl } from '../http/egress.ts';
import { askWiki, vendor, type WikiAccess } from './ask.ts';
import type { WikiPage, WikiReader, WikiWriter } from './port.ts';
import { marksIn, storageFormat } from './storage-format.ts';

/** Spaces and pages of Confluence Cloud, by version 2 of its API. */

const number = z.string().regex(/^\d{1,30}$/);
const page = z.object({
  id: number,
  title: z.string(),
  body: z.object({ storage: z.object({ value: z.string() }).optional() }).optional(),
  _links: z.object({ webui: z.string() }),
});
const pages = z.object({ results: z.array(page) });
const spaces = z.object({ results: z.array(z.object({ id: number, key: z.string(), name: z.string() })) });

export function createWiki(access: WikiAccess): { readonly reader: WikiReader; readonly writer: WikiWriter } {
  const base = configuredUrl(access.host);
  const get = <S extends z.ZodType>(
    path: string,
    asked: Readonly<Record<string, string>>,
    schema: S,
    signal: AbortSignal,
  ): Promise<z.infer<S>> => {
    const url = below(base, `api/v2/${path}`);
    for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
    return askWiki(access, { url, schema, signal });
  };
  const reader: WikiReader = {
    async space(key, signal) {
      const { results } = await get('spaces', { keys: key, limit: '1' }, spaces, signal);
      const found = results.find((one) => one.key === key);
      if (found !== undefined) return { id: found.id, name: found.name };
      throw new ArgumentRefused(
        'no_space',
        `The account of JIRA_EMAIL sees no space ${key} in Confluence.`,
        vendor,
      );
    },
    async pageTitled({ space, title }, signal) {
      const { id } = await reader.space(space, signal);
      const asked = { 'space-id': id, title, 'body-format': 'storage', limit: '1' };
      const { results } = await get('pages', asked, pages, signal);
      const found = results.find((one) => one.title.toLowerCase() === title.toLowerCase());
      if (found === undefined) return null;
      return { ...pageOf(base, found), marks: marksIn(found.body?.storage?.value ?? '') };
    },
  };
  const writer: WikiWriter = {
    async create({ space, title, text, mark }, signal) {
      const { id: spaceId } = await reader.space(space, signal);
      const value = storageFormat(text, mark);
      const body = { spaceId, status: 'current', title, body: { representation: 'storage', value } };
      try {
        const url = below(base, 'api/v2/pages');
        return pageOf(base, await askWiki(access, { url, schema: page, signal, body }));
      } catch (error) {
        // A title can be taken by this very write, when it arrived after its answer was given up.
        const isRefused = error instanceof VendorError && error.code === 'refused';
        const found = isRefused ? await reader.pageTitled({ space, title }, signal) : null;
        if (found === null || !found.marks.includes(mark)) throw error;
        return { id: found.id, url: found.url };
      }
    },
  };
  return { reader, writer };
}

/** The address of a path of the wiki; empty for anything else. */
export function onSite(base: URL, path: string): string {
  return path.startsWith('/') && !path.startsWith('//') ? below(base, path).href : '';
}

function pageOf(base: URL, { id, _links: { webui } }: z.infer<typeof page>): WikiPage {
  return { id, url: onSite(base, webui) };
}
