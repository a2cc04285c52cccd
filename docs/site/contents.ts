import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where the project begins; every path below is seen from here. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Group {
  readonly title: string;
  /** Markdown files of the project, in the order in which people read them. */
  readonly pages: readonly string[];
}

const recipes = [
  ...['sla-watch', 'escalation', 'incident-kick-off', 'hand-over', 'follow-ups'],
  ...['own-tool', 'mcp', 'ollama'],
];
const groups: readonly Group[] = [
  { title: 'Start', pages: ['README.md', 'docs/README.md', 'docs/running.md'] },
  {
    title: 'Use',
    pages: [
      'docs/notation.md',
      'docs/code-steps.md',
      'docs/alerts.md',
      'docs/causes.md',
      'docs/metrics.md',
      'docs/watches.md',
      'docs/paging.md',
      'docs/jira.md',
    ],
  },
  { title: 'Recipes', pages: recipes.map((name) => `docs/recipes/${name}.md`) },
  {
    title: 'Operate',
    pages: [
      'SECURITY.md',
      'docs/agents.md',
      'docs/workspaces.md',
      'docs/data.md',
      'docs/audit.md',
      'docs/events.md',
      'docs/postgres.md',
      'docs/learning.md',
      'docs/planner-quality.md',
      'docs/benchmarks.md',
    ],
  },
  {
    title: 'Extend',
    pages: [
      'docs/tools.md',
      'docs/actions.md',
      'docs/mcp.md',
      'docs/architecture.md',
      'CONTRIBUTING.md',
      'docs/dependencies.md',
    ],
  },
  {
    title: 'Reference',
    pages: [
      ...['plan-commands', 'commands', 'settings', 'environment', 'tools'].map(
        (name) => `docs/reference/${name}.md`,
      ),
      'docs/promises.md',
      'CHANGELOG.md',
    ],
  },
];

/** Where a page goes that no group names: nothing that lies in `docs/` is left out of the site. */
const otherwise: readonly (readonly [folder: string, title: string])[] = [
  ['docs/recipes/', 'Recipes'],
  ['docs/reference/', 'Reference'],
  ['docs/', 'Use'],
];

/** Every page of the site, by group. */
export function contents(): Group[] {
  const written = readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' })
    .map((name) => `docs/${name}`)
    .filter((name) => name.endsWith('.md') && !name.startsWith('docs/site/'))
    .sort();
  const named = new Set(groups.flatMap(({ pages }) => pages));
  const places = written
    .filter((page) => !named.has(page))
    .map((page) => ({ page, title: otherwise.find(([folder]) => page.startsWith(folder))?.[1] }));
  const all = groups.map(({ title, pages }) => {
    const more = places.filter((place) => place.title === title).map(({ page }) => page);
    return { title, pages: [...pages, ...more] };
  });
  return all.filter(({ pages }) => pages.length > 0);
}

/** What a page calls itself: its first heading. */
export function titleOf(page: string): string {
  const heading = /^# (.+)$/m.exec(readFileSync(`${root}${page}`, 'utf8'))?.[1];
  if (heading === undefined) throw new Error(`${page} has no heading`);
  return heading.replaceAll('`', '');
}

/** Where a page of the project stands in the site, as VitePress names its source. */
export function placeOf(page: string): string {
  return page === 'README.md' ? 'index.md' : page.replace(/^docs\//, '').toLowerCase();
}
