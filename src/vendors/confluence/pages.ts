import { z } from 'zod';
import { visibleText } from '../../core/clean-text.ts';
import { ArgumentRefused, VendorError } from '../../core/errors.ts';
import { below, configuredUrl } from '../http/egress.ts';
import { escapeMarkup } from '../http/escape-markup.ts';
import { askWiki, vendor, type WikiAccess } from './ask.ts';
import type { WikiPage, WikiReader, WikiWriter } from './port.ts';

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

/**
 * Confluence's storage format: XHTML with macros. Everything of a text is escaped, so it can add neither. Lines that
 * begin with `## ` are headings, with `- ` a list; any other line is a paragraph.
 */
function storageFormat(text: string, mark: string): string {
  const lines = visibleText(text).split('\n');
  const blocks = lines.map((line, at) => {
    if (line.startsWith('## ')) return `<h2>${escapeMarkup(line.slice(3))}</h2>`;
    if (!isItem(line)) return line.trim() === '' ? '' : `<p>${escapeMarkup(line)}</p>`;
    const begins = isItem(lines[at - 1]) ? '' : '<ul>';
    const ends = isItem(lines[at + 1]) ? '' : '</ul>';
    return `${begins}<li><p>${escapeMarkup(line.slice(2))}</p></li>${ends}`;
  });
  return `${blocks.join('')}${anchor(mark)}`;
}

function isItem(line: string | undefined): boolean {
  return line?.startsWith('- ') ?? false;
}

/** An anchor is invisible, and is created with the page; a property would need a second request. */
function anchor(mark: string): string {
  const name = `<ac:parameter ac:name="">${prefix}${escapeMarkup(mark)}</ac:parameter>`;
  return `<p><ac:structured-macro ac:name="anchor">${name}</ac:structured-macro></p>`;
}

const prefix = 'countersign-';

/** The marks in a stored page. */
function marksIn(storage: string): string[] {
  return [...storage.matchAll(/<ac:parameter ac:name="">countersign-([^<]{1,200})</g)].map(
    ([, mark = '']) => mark,
  );
}
