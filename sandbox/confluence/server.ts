import { Hono } from 'hono';
import type { SandboxEnv } from '../journal.ts';
import { type Listening, listen } from '../listen.ts';
import type { PartOptions } from '../options.ts';

const space = { key: 'OPS', title: 'Operations' };
const pages = [
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

/** Confluence Cloud's search, for CQL queries for pages by words, and the pages themselves. */
export function startConfluence({ world, faults, journal, now }: PartOptions): Promise<Listening> {
  const app = new Hono<SandboxEnv>();
  const credentials = Buffer.from(`${world.jira.email}:${world.jira.apiToken}`).toString('base64');
  app.get('/wiki/spaces/:space/pages/:id/*', (context) => {
    const page = pages.find(({ id }) => id === context.req.param('id'));
    return page ? context.text(`${page.title}\n\n${page.text}\n`) : context.text('Page not found', 404);
  });
  app.use(journal.middleware('confluence'), faults.middleware('confluence'));
  app.get('/wiki/rest/api/search', (context) => {
    if (context.req.header('authorization') !== `Basic ${credentials}`) {
      return context.json(
        { statusCode: 401, message: 'Client must be authenticated to access this resource.' },
        401,
      );
    }
    context.set('authOk', true);
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
      excerpt: text,
      url: `/spaces/${space.key}/pages/${id}/${title.replaceAll(/[^\w]+/g, '+')}`,
      resultGlobalContainer: { title: space.title, displayUrl: `/spaces/${space.key}` },
      entityType: 'content',
      lastModified: new Date(now().getTime() - daysAgo * 86_400_000).toISOString(),
    }));
    return context.json({ results, start: 0, limit, size: results.length, totalSize: found.length });
  });
  return listen(app);
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
