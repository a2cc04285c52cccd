import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { SandboxEnv } from '../journal.ts';
import { type Listening, listen } from '../listen.ts';
import type { PartOptions } from '../options.ts';

const space = { id: '65538', key: 'OPS', title: 'Operations' };
const seeds: readonly Page[] = [
  {
    id: '98305',
    title: 'Checkout: who owns what',
    text: 'Checkout is owned by the web shop team. Its latency is on the shop dashboard; its pool of connections to payments-db is set in deploy.yml.',
    daysAgo: 12,
  },
  {
    id: '98311',
    title: 'Incident review 2026-08: checkout latency after a pool change',
    text: 'A deploy made pool.max smaller, requests waited for connections (PAY-E-2201). Rolled back after 50 minutes.',
    daysAgo: 95,
  },
  { id: '98320', title: 'Payouts calendar', text: 'Batches run at 05:00 and 13:00 UTC.', daysAgo: 3 },
];

interface Page {
  readonly id: string;
  readonly title: string;
  /** In storage format. */
  readonly text: string;
  readonly daysAgo: number;
}

const firstId = 98_400;

/** Confluence Cloud's search for CQL queries for pages by words, its spaces, and its pages, which can be added to. */
export function startConfluence({ world, faults, journal, now }: PartOptions): Promise<Listening> {
  const app = new Hono<SandboxEnv>();
  const pages: Page[] = [...seeds];
  const credentials = Buffer.from(`${world.jira.email}:${world.jira.apiToken}`).toString('base64');
  app.get('/wiki/spaces/:space/pages/:id/*', (context) => {
    const page = pages.find(({ id }) => id === context.req.param('id'));
    if (page === undefined) return context.text('Page not found', 404);
    context.header('content-security-policy', "default-src 'none'");
    return context.html(`<h1>${escaped(page.title)}</h1>${page.text}`);
  });
  app.use(journal.middleware('confluence'), faults.middleware('confluence'));
  app.use(async (context, next) => {
    if (context.req.header('authorization') !== `Basic ${credentials}`) {
      const message = 'Client must be authenticated to access this resource.';
      return context.json({ statusCode: 401, message }, 401);
    }
    context.set('authOk', true);
    return next();
  });
  app.get('/wiki/rest/api/search', (context) => {
    const wanted = wordsOf(context.req.query('cql') ?? '');
    if (wanted === null) {
      const said = `Could not parse cql : ${context.req.query('cql') ?? ''}`;
      return context.json({ statusCode: 400, message: said, reason: 'Bad Request' }, 400);
    }
    const limit = Math.min(Number(context.req.query('limit') ?? 25), 50);
    const found = pages.filter(({ title, text }) =>
      wanted.every((word) => `${title} ${text}`.toLowerCase().includes(word)),
    );
    const results = found.slice(0, limit).map(({ id, title, text, daysAgo }) => ({
      content: { id, type: 'page', status: 'current', title },
      title,
      excerpt: text.replaceAll(/<[^>]*>/g, ' '),
      url: pathOf({ id, title }),
      resultGlobalContainer: { title: space.title, displayUrl: `/spaces/${space.key}` },
      entityType: 'content',
      lastModified: new Date(now().getTime() - daysAgo * 86_400_000).toISOString(),
    }));
    return context.json({ results, start: 0, limit, size: results.length, totalSize: found.length });
  });
  app.get('/wiki/api/v2/spaces', (context) => {
    const isAsked = context.req.query('keys') === space.key;
    return context.json({ results: isAsked ? [{ id: space.id, key: space.key, name: space.title }] : [] });
  });
  app.get('/wiki/api/v2/pages', (context) => {
    const { title, 'space-id': asked } = context.req.query();
    const found = pages.filter((page) => asked === space.id && page.title === title);
    return context.json({ results: found.map(pageOf) });
  });
  app.post('/wiki/api/v2/pages', async (context) => {
    const { spaceId, title, body } = createdPage.parse(await context.req.json());
    if (spaceId !== space.id) return refused(context, 404, 'Space not found');
    if (pages.some((page) => page.title === title))
      return refused(
        context,
        400,
        `A page with this title already exists: A page already exists with the same TITLE in this space`,
      );
    const page = { id: String(firstId + pages.length), title, text: body.value, daysAgo: 0 };
    pages.push(page);
    return context.json(pageOf(page));
  });
  return listen(app);
}

const createdPage = z.object({
  spaceId: z.string(),
  status: z.literal('current'),
  title: z.string().min(1).max(255),
  body: z.object({ representation: z.literal('storage'), value: z.string() }),
});

function refused(context: Context, status: 400 | 404, title: string): Response {
  return context.json({ errors: [{ status, code: 'INVALID_REQUEST_PARAMETER', title }] }, status);
}

function pageOf({ id, title, text }: Page) {
  const body = { storage: { value: text, representation: 'storage' } };
  return { id, status: 'current', title, spaceId: space.id, body, _links: { webui: pathOf({ id, title }) } };
}

function pathOf({ id, title }: Pick<Page, 'id' | 'title'>): string {
  return `/spaces/${space.key}/pages/${id}/${title.replaceAll(/[^\w]+/g, '+')}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** The search words of a query of the form `type = page AND space in ("OPS") AND siteSearch ~ "…"`; else null. */
function wordsOf(cql: string): string[] | null {
  const terms = cql.split(' AND ');
  if (terms[0] !== 'type = page') return null;
  const words: string[] = [];
  for (const term of terms.slice(1)) {
    const within = /^space in \(("[^"]+"(, "[^"]+")*)\)$/.exec(term)?.[1];
    if (within !== undefined && !within.includes(`"${space.key}"`)) return ['no such page'];
    const said = /^siteSearch ~ "([^"\\]*)"$/.exec(term)?.[1];
    if (within === undefined && said === undefined) return null;
    words.push(...(said ?? '').toLowerCase().split(' ').filter(Boolean));
  }
  return words;
}
