import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { anchorOf } from '../../docs/site/anchor.ts';

/** Every page meant for people. */
function pages(): string[] {
  const found = ['docs', 'src', 'test'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const top = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'];
  // The site is built from a copy of these.
  const isCopy = (name: string) => /^docs\/site\/(pages|node_modules)\//.test(name);
  return [...top, ...found.filter((name) => name.endsWith('.md') && !isCopy(name))];
}

test('every link to a project file leads to one', () => {
  const dead = pages().flatMap((page) => {
    const links = [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)];
    const targets = links.map(([, target = '']) => join(dirname(page), target));
    return targets.filter((target) => !existsSync(target)).map((target) => `${page}: ${target}`);
  });
  expect(dead).toEqual([]);
});

test('following a /plan takes at most thirty files', () => {
  const page = readFileSync('docs/architecture.md', 'utf8');
  const [, walk = ''] = page.split('## Following a `/plan`');
  const rows = walk.split('\n## ')[0]?.match(/^\| \d+ \| \[`.+$/gm) ?? [];
  expect(rows.map((row) => Number(row.split('|')[1]))).toEqual(rows.map((_, index) => index + 1));
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.length).toBeLessThanOrEqual(30);
});

test('every link into a page leads to one of its headings', () => {
  const dead = pages().flatMap((page) => {
    const links = readFileSync(page, 'utf8').matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g);
    return [...links].flatMap(([, file = '', anchor = '']) => {
      const target = file === '' ? page : join(dirname(page), file);
      return target.endsWith('.md') && !anchors(target).has(anchor) ? [`${page}: ${target}#${anchor}`] : [];
    });
  });
  expect(dead).toEqual([]);
});

function anchors(page: string): Set<string> {
  const text = readFileSync(page, 'utf8').replace(/^```[\s\S]*?^```/gm, '');
  return new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)));
}

test('the list of pages names every page', () => {
  const list = readFileSync('docs/README.md', 'utf8');
  const all = readdirSync('docs', { recursive: true, encoding: 'utf8' });
  const written = all.filter(
    (name) => name.endsWith('.md') && !name.startsWith('site/') && name !== 'README.md',
  );
  expect(written.filter((name) => !list.includes(`](${name})`))).toEqual([]);
});
