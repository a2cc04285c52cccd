import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { anchorOf } from '../anchor.ts';
import { contents, placeOf, root, titleOf } from '../contents.ts';
import { Pages } from '../links.ts';

const groups = contents();
/** Where the site will stand on its server, such as /countersign/. */
const base = process.env.DOCS_BASE ?? '/';
const folder = join(import.meta.dirname, '../pages');
const pages = new Pages(
  groups.flatMap((group) => group.pages),
  folder,
  base,
);
pages.place();
const address = (page: string): string => `/${placeOf(page).replace(/(index)?\.md$/, '')}`;

export default defineConfig({
  title: 'Countersign',
  description: 'What a person approves is exactly what runs, once.',
  lang: 'en',
  base,
  srcDir: folder,
  outDir: join(root, 'dist/docs'),
  // Addresses in commands and examples are of the reader's own machine.
  ignoreDeadLinks: 'localhostLinks',
  markdown: {
    config: (markdown) => pages.link(markdown),
    anchor: { slugify: anchorOf },
    languageAlias: { plan: 'ini', slack: 'bash' },
  },
  // Vite 5 names browsers of 2020, for which the esbuild that package.json asks for has no translation any more.
  vite: { build: { target: 'es2022' } },
  buildEnd: ({ outDir }) => pages.copyLinked(outDir),
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: groups.map(({ title, pages: [first = ''] }) => ({ text: title, link: address(first) })),
    sidebar: groups.map((group) => ({
      text: group.title,
      items: group.pages.map((page) => ({ text: titleOf(page), link: address(page) })),
    })),
  },
});
